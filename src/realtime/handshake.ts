/** Who opens a socket: the JWT and the organization of the handshake, checked by the rules of HTTP (access/). */
import type { Scope } from '../access/caller.ts';
import { requireLiveRole, resolveScope } from '../access/membership.ts';
import { knownUser } from '../access/provision.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../errors.ts';

/** The words of connect errors (realtime, 2.1). */
export type HandshakeCode =
  | 'AUTH_REQUIRED'
  | 'TOKEN_INVALID'
  | 'ORG_REQUIRED'
  | 'ORG_INVALID'
  | 'USER_INACTIVE'
  | 'NOT_A_MEMBER'
  | 'ROLE_FORBIDDEN'
  | 'AUTH_UNAVAILABLE';

/** A refused handshake; socket.io sends `data` along with the message. */
export class HandshakeRefused extends Error {
  override readonly name = 'HandshakeRefused';
  readonly data: { readonly code: HandshakeCode; readonly message: string; readonly retryable: boolean };

  constructor(code: HandshakeCode, message: string, retryable = false) {
    super(message);
    this.data = { code, message, retryable };
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Runs one check; its refusal becomes `code`, anything else means that nobody can tell right now. */
async function check<T>(code: HandshakeCode, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw new HandshakeRefused(code, error.message);
    throw new HandshakeRefused('AUTH_UNAVAILABLE', 'The connection cannot be authorised right now', true);
  }
}

/**
 * Checks a handshake.
 * @param auth the handshake's `auth` payload: `{token, organizationId}`, token with or without `Bearer `
 * @throws HandshakeRefused
 */
export async function readHandshake(
  deps: Pick<Deps, 'config' | 'db' | 'keySet' | 'log'>,
  auth: Readonly<Record<string, unknown>>,
): Promise<Scope> {
  const token = text(auth['token']).replace(/^Bearer +/i, '');
  const organizationId = text(auth['organizationId']);
  if (token === '') throw new HandshakeRefused('AUTH_REQUIRED', 'Authentication required');
  const claims = await check('TOKEN_INVALID', () => deps.keySet.verify(token));
  const user = await check('TOKEN_INVALID', () => knownUser(deps, claims));
  if (!user.isActive) throw new HandshakeRefused('USER_INACTIVE', 'User is inactive');
  if (organizationId === '') throw new HandshakeRefused('ORG_REQUIRED', 'organizationId is required');
  const scope = await check('NOT_A_MEMBER', () =>
    resolveScope(
      deps.db,
      {
        userId: user.userId,
        subject: claims.subject,
        email: user.email,
        role: claims.role ?? user.role,
        via: { kind: 'jwt', sessionId: claims.sessionId, isEmailVerified: claims.isEmailVerified },
      },
      organizationId,
    ),
  ).catch((error: unknown) => {
    const isMalformed = error instanceof HandshakeRefused && error.message.startsWith('Invalid');
    throw isMalformed ? new HandshakeRefused('ORG_INVALID', 'organizationId must be a UUID') : error;
  });
  await check('ROLE_FORBIDDEN', () => requireLiveRole(scope.role));
  return scope;
}
