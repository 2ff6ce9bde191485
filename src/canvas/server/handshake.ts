/**
 * Who opens a socket: the JWT and the organization of the handshake, checked by the rules of HTTP (access/). Limits on
 * how often and how many belong to limits.ts.
 */
import { z } from 'zod';
import type { Scope } from '../../access/caller.ts';
import { TokenRefused } from '../../access/jwt.ts';
import { requireLiveRole, resolveScope } from '../../access/membership.ts';
import { findOrCreateUser, type ProvisionDeps } from '../../access/provision.ts';
import { readTokenExpiry } from '../../access/still-allowed.ts';
import type { KeySet } from '../../access/jwt.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors.ts';
import type { Logger } from '../../log.ts';

/** Codes of refused handshakes, and whether the same handshake may succeed later. */
export const HANDSHAKE_CODES = {
  AUTH_REQUIRED: false,
  TOKEN_INVALID: false,
  TOKEN_EXPIRED: false,
  ORG_REQUIRED: false,
  ORG_INVALID: false,
  USER_UNKNOWN: false,
  USER_INACTIVE: false,
  NOT_A_MEMBER: false,
  ROLE_FORBIDDEN: false,
  TOO_MANY_CONNECTIONS: true,
  SERVER_DRAINING: true,
  AUTH_UNAVAILABLE: true,
} as const satisfies Readonly<Record<string, boolean>>;
export type HandshakeCode = keyof typeof HANDSHAKE_CODES;

/** A refused handshake; socket.io sends `data` along with the message. */
export class HandshakeRefused extends Error {
  override readonly name = 'HandshakeRefused';
  readonly code: HandshakeCode;
  readonly data: {
    readonly code: HandshakeCode;
    readonly message: string;
    readonly retryable: boolean;
    readonly retryAfterMs?: number;
  };

  constructor(code: HandshakeCode, message: string, retryAfterMs?: number) {
    super(message);
    const retryable = HANDSHAKE_CODES[code];
    this.code = code;
    this.data = { code, message, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
}

/** What a client may ask of the wire beyond the plain protocol. */
export const CAPABILITIES = ['frames', 'ack-cb-only', 'resume', 'redirect'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Somebody who was let in. */
export interface Visitor {
  readonly scope: Scope;
  /** One per tab, chosen by the client: recognises it when it comes back. */
  readonly clientId: string | undefined;
  readonly capabilities: ReadonlySet<Capability>;
  /** When the token ends, in milliseconds since the epoch. */
  readonly tokenEndsAtMs: number;
}

/** Opened and closed by the process. */
export interface HandshakeDeps extends ProvisionDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly keySet: KeySet;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
/** The optional members of `auth`; one that does not fit is as good as missing. */
export const AUTH_OPTIONS = {
  clientId: z.string().min(1).max(96),
  caps: z.array(z.string().max(64)).max(16),
};

/** Runs one check; its refusal becomes a code, anything else means that nobody can tell right now. */
async function check<T>(codeOf: (error: ApiError) => HandshakeCode, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw new HandshakeRefused(codeOf(error), error.message);
    throw new HandshakeRefused('AUTH_UNAVAILABLE', 'The connection cannot be authorised right now');
  }
}

function codeOfToken(error: ApiError): HandshakeCode {
  if (!(error instanceof TokenRefused)) return 'TOKEN_INVALID';
  const codes = {
    invalid: 'TOKEN_INVALID',
    expired: 'TOKEN_EXPIRED',
    names_nobody: 'USER_UNKNOWN',
    // Not the client's fault: it may try again, and its address is not held back.
    provider_away: 'AUTH_UNAVAILABLE',
  } as const;
  return codes[error.reason];
}

/** resolveScope says 400 for what is no UUID, 403 for an organization that is not the caller's. */
const codeOfScope = ({ failure }: ApiError): HandshakeCode =>
  failure.shape === 'A' && failure.status === 400 ? 'ORG_INVALID' : 'NOT_A_MEMBER';

/**
 * Verifies a token as a handshake does.
 * @returns the user of the token, and the token's end
 * @throws HandshakeRefused
 */
export async function readToken(
  deps: HandshakeDeps,
  given: unknown,
): Promise<{ readonly caller: Scope['caller']; readonly tokenEndsAtMs: number }> {
  const token = text(given).replace(/^Bearer +/i, '');
  if (token === '') throw new HandshakeRefused('AUTH_REQUIRED', 'Authentication required');
  const claims = await check(codeOfToken, () => deps.keySet.verify(token));
  const user = await check(
    () => 'USER_UNKNOWN',
    () => findOrCreateUser(deps, claims),
  );
  if (!user.isActive) throw new HandshakeRefused('USER_INACTIVE', 'User is inactive');
  const caller: Scope['caller'] = {
    userId: user.userId,
    subject: claims.subject,
    email: user.email,
    role: claims.role ?? user.role,
    via: { kind: 'jwt', sessionId: claims.sessionId, isEmailVerified: claims.isEmailVerified },
  };
  return { caller, tokenEndsAtMs: readTokenExpiry(caller, token) ?? 0 };
}

/**
 * Checks a handshake.
 * @param auth its `auth` payload: `{token, organizationId, clientId?, caps?}`, token with or without `Bearer `
 * @throws HandshakeRefused
 */
export async function readHandshake(
  deps: HandshakeDeps,
  auth: Readonly<Record<string, unknown>>,
): Promise<Visitor> {
  const { caller, tokenEndsAtMs } = await readToken(deps, auth['token']);
  const organizationId = auth['organizationId'];
  if (organizationId === undefined || organizationId === null || organizationId === '') {
    throw new HandshakeRefused('ORG_REQUIRED', 'organizationId is required');
  }
  const named = text(organizationId);
  // What is no text is malformed, not missing.
  const scope = await check(codeOfScope, () => resolveScope(deps.db, caller, named === '' ? '-' : named));
  await check(
    () => 'ROLE_FORBIDDEN',
    () => requireLiveRole(scope.role),
  );
  const clientId = AUTH_OPTIONS.clientId.safeParse(auth['clientId']);
  const asked = AUTH_OPTIONS.caps.safeParse(auth['caps']).data ?? [];
  const capabilities = new Set(CAPABILITIES.filter((name) => asked.includes(name)));
  return { scope, clientId: clientId.data, capabilities, tokenEndsAtMs };
}
