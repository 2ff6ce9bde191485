/** The actor of a request or a command, which the database records with each change (prisma/README.md, `audit_change`). */
import type { RequestContext } from '../db/request-context.ts';
import type { Caller } from '../access/caller.ts';

/**
 * Describes the caller of a request.
 * @param origin `organizationId`: the one whose rows the request sees; `address`: the caller's, as trusted proxies tell it
 */
export function buildContext(
  { userId, via }: Caller,
  origin: {
    readonly organizationId: string | null;
    readonly address: string;
    readonly requestId: string | null;
  },
): RequestContext {
  const isAccount = via.kind === 'api_key' && via.account !== null;
  return {
    organizationId: origin.organizationId,
    request: JSON.stringify({
      actor_type: isAccount ? 'service_account' : 'user',
      actor_id: userId,
      api_key_id: via.kind === 'api_key' ? via.apiKeyId : null,
      ip_address: origin.address,
      request_id: origin.requestId,
    }),
  };
}

/** Describes an operator at the command line. @param name the account of the operating system */
export const buildOperatorContext = (name: string): RequestContext => ({
  organizationId: null,
  request: JSON.stringify({ actor_type: 'operator', actor_name: name }),
});
