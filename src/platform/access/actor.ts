/** Describes the actor of a request or a command, whom the trigger `audit_change` (prisma/README.md) records with each change. */
import type { RequestContext } from '../../base/db/request-context.ts';
import type { Caller } from './caller.ts';

/**
 * Builds the database context of a request by its caller.
 * @param origin `organizationId`: the organization whose rows the request may see; `address`: the IP address of the caller, from
 *   X-Forwarded-For only behind a trusted proxy
 */
export function buildRequestContext(
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

/** Builds the database context of a command of an operator. @param name their account in the operating system */
export const buildOperatorContext = (name: string): RequestContext => ({
  organizationId: null,
  request: JSON.stringify({ actor_type: 'operator', actor_name: name }),
});
