/** A caller in its organization, as the journal wants to know it. */
import type { Scope } from '../../access/caller.ts';
import type { Reader } from '../ledger/run-reads.ts';

/** Owners see private runs of others; admins do not. */
export function readerOf(scope: Scope): Reader {
  return {
    organizationId: scope.organizationId,
    userId: scope.caller.userId,
    seesPrivate: scope.role === 'owner',
  };
}
