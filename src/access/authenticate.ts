/** From the headers of a request to its caller: credential, rate limits, active user (specification, "Authentication"). */
import type { Deps } from '../deps.ts';
import { forbidden } from '../errors.ts';
import { verifyKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import { readCredential, type CredentialHeaders } from './credential.ts';
import { takeRequest } from './limits.ts';
import { knownUser } from './provision.ts';

type Needs = Pick<Deps, 'config' | 'db' | 'keySet' | 'keyUse' | 'log'>;

const inactive = (): Error => forbidden('User is inactive');

async function byKey(deps: Needs, key: string, ip: string): Promise<Caller> {
  const verified = await verifyKey(deps.db, deps.config.auth.apiKeySecret, key);
  const { caller } = verified;
  if (caller.via.kind === 'api_key') {
    await takeRequest(deps, caller.via.apiKeyId, verified);
    if (!verified.isOwnerActive) throw inactive();
    deps.keyUse.note(caller.via.apiKeyId, ip);
  }
  return caller;
}

async function byToken(deps: Needs, token: string): Promise<Caller> {
  const claims = await deps.keySet.verify(token);
  const user = await knownUser(deps, claims);
  if (!user.isActive) throw inactive();
  return {
    userId: user.userId,
    subject: claims.subject,
    email: user.email,
    role: claims.role ?? user.role,
    via: { kind: 'jwt', sessionId: claims.sessionId, isEmailVerified: claims.isEmailVerified },
  };
}

/**
 * The caller of a request; its account is made when a valid token's user is new.
 * @param ip the address that is recorded as the key's last use
 * @throws ApiError 401, 403 for an inactive user, 429 for an exhausted key or owner
 */
export async function authenticate(deps: Needs, headers: CredentialHeaders, ip: string): Promise<Caller> {
  const credential = readCredential(headers);
  return credential.kind === 'api_key' ? byKey(deps, credential.key, ip) : byToken(deps, credential.token);
}
