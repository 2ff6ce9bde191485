/** Authenticates a request: reads its credential, counts rate limits, and checks that the user is active (SPEC API-authentication). */
import type { Config } from '../../base/config/config.ts';
import { forbidden } from '../../base/errors.ts';
import { verifyKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import { readCredential, type CredentialHeaders } from './credential.ts';
import type { KeySet } from './jwt.ts';
import type { KeyUse } from './key-use.ts';
import type { RequestLimits } from './limits.ts';
import { parseOrganizationHeader, type Membership } from './membership.ts';
import { findOrCreateUser, toTokenCaller, type ProvisionDeps } from './provision.ts';

export interface AccessDeps extends ProvisionDeps {
  readonly config: Config;
  /** Verifies JWTs with the identity provider's keys. */
  readonly keySet: KeySet;
  /** Batches the updates of last_used_at and last_used_ip of API keys. */
  readonly keyUse: KeyUse;
  readonly requestLimits: RequestLimits;
}

const inactive = (): Error => forbidden('user_inactive', 'User is inactive');

/** A caller, and its membership in the organization of the request; undefined when the membership was not read. */
export interface Identity {
  readonly caller: Caller;
  readonly membership: Membership | null | undefined;
}

async function authenticateKey(
  deps: AccessDeps,
  key: string,
  { organizationId, ip }: { readonly organizationId: string | null; readonly ip: string },
): Promise<Identity> {
  const verified = await verifyKey(deps.db, deps.config.auth, { key, organizationId });
  const { caller, membership } = verified;
  if (caller.via.kind === 'api_key') {
    await deps.requestLimits.take(caller.userId, caller.via);
    if (!verified.isOwnerActive) throw inactive();
    deps.keyUse.note(caller.via.apiKeyId, ip);
  }
  return { caller, membership };
}

async function authenticateToken(
  deps: AccessDeps,
  token: string,
  organizationId: string | null,
): Promise<Identity> {
  const claims = await deps.keySet.verify(token);
  const user = await findOrCreateUser(deps, claims, organizationId);
  if (!user.isActive) throw inactive();
  return { caller: toTokenCaller(claims, user), membership: user.membership };
}

/**
 * Returns the caller of a request, read together with its membership. The first valid token of a new user creates the account.
 * @param ip the address to record as the key's last use
 * @throws ApiError 401, 403 for an inactive user, 429 for an exhausted key or owner
 */
export async function authenticate(
  deps: AccessDeps,
  headers: CredentialHeaders,
  ip: string,
): Promise<Identity> {
  const credential = readCredential(headers);
  const header = headers['x-organization-id'];
  const organizationId = parseOrganizationHeader(typeof header === 'string' ? header : undefined);
  return credential.kind === 'api_key'
    ? authenticateKey(deps, credential.key, { organizationId, ip })
    : authenticateToken(deps, credential.token, organizationId);
}
