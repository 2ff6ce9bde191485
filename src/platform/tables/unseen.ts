/** Choices of items that no run has acted on: the SQL functions claim_unseen, and mark_seen as steps end. */
import type { Tx } from '../../base/db/client.ts';
import type { UnseenRequest } from '../../language/nodes/tool/row-request.ts';
import type { Subscription } from '../access/caller.ts';
import { resolveEntitlements } from '../billing/plans.ts';
import { UNLIMITED, type RowRefused, type TableRef } from './rows.ts';

interface Offer {
  /** Places of the items in the request, from 1. */
  readonly offered: readonly number[];
  /** Keys that have a row. */
  readonly seen: number;
  /** Keys that an open run was offered. */
  readonly busy: number;
  /** Unseen keys beyond the limit. */
  readonly left: number;
}

interface Poll extends Omit<UnseenRequest, 'given' | 'operation'> {
  readonly run: { readonly rootRunPk: string; readonly runPk: string; readonly stepId: string };
  readonly subscription: Subscription;
}

/** Claims unseen items for a run until it ends, in the caller's transaction, within the rows that the plan allows. */
export async function claimUnseen(
  tx: Tx,
  { organizationId, tableId }: TableRef,
  { keys, limit, first, run, subscription }: Poll,
): Promise<Offer | RowRefused> {
  const { table_rows: rows } = resolveEntitlements(subscription);
  const [answer] = await tx.query<{ result: Offer | RowRefused }>(
    'SELECT claim_unseen($1, $2, $3, $4, $5, $6, $7, $8, $9) AS result',
    [tableId, organizationId, run.rootRunPk, run.runPk, run.stepId, keys, first, limit, rows ?? UNLIMITED],
  );
  if (answer === undefined) throw new Error('claim_unseen returned nothing');
  return answer.result;
}
