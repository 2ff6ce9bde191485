/**
 * Authorizes a socket's handshake: its JWT and its organization, by the same rules as HTTP requests (access/). Limits of
 * connections are in limits.ts.
 */
import { z } from 'zod';
import type { Scope } from '../../../platform/access/caller.ts';
import { TokenRefused } from '../../../platform/access/jwt.ts';
import { resolveScope } from '../../../platform/access/membership.ts';
import { findOrCreateUser, toTokenCaller, type ProvisionDeps } from '../../../platform/access/provision.ts';
import { readTokenExpiry } from '../../../platform/access/still-allowed.ts';
import type { KeySet } from '../../../platform/access/jwt.ts';
import type { Config } from '../../../base/config/config.ts';
import { ApiError } from '../../../base/errors.ts';
import type { DependencyWatch } from '../../../base/observe/dependencies.ts';
import type { Logger } from '../../../base/log.ts';
import type { RelayedClient } from './relay-ticket.ts';

/** Codes of rejected handshakes, and whether the same handshake may succeed later. */
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
type HandshakeCode = keyof typeof HANDSHAKE_CODES;

/** A rejected handshake; Socket.io sends `data` with the message as `connect_error`. */
export class HandshakeError extends Error {
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

/** Extensions of the protocol that a client may request. */
export const CAPABILITIES = ['frames', 'ack-cb-only'] as const;
type Capability = (typeof CAPABILITIES)[number];

/** A client whose handshake was accepted. */
export interface AuthorizedClient {
  readonly scope: Scope;
  /** One per tab, chosen by the client: identifies it when it reconnects. */
  readonly clientId: string | undefined;
  readonly capabilities: ReadonlySet<Capability>;
  /** Expiry of the token, in milliseconds since 1970. */
  readonly tokenEndsAtMs: number;
  /** Another process has authorized the client and relays its events. */
  readonly isRelayed: boolean;
}

export interface HandshakeDeps extends ProvisionDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly keySet: KeySet;
  readonly watch: Pick<DependencyWatch, 'listFailing'>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
/** Optional members of `auth`; an invalid one counts as missing. */
export const AUTH_OPTIONS = {
  clientId: z.string().min(1).max(96),
  caps: z.array(z.string().max(64)).max(16),
};

/** Runs one check. An ApiError becomes a code; any other error means that access cannot be decided now. */
async function check<T>(toCode: (error: ApiError) => HandshakeCode, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw new HandshakeError(toCode(error), error.message);
    throw new HandshakeError('AUTH_UNAVAILABLE', 'The connection cannot be authorised right now');
  }
}

function toTokenCode(error: ApiError): HandshakeCode {
  if (!(error instanceof TokenRefused)) return 'TOKEN_INVALID';
  const codes = {
    invalid: 'TOKEN_INVALID',
    expired: 'TOKEN_EXPIRED',
    names_nobody: 'USER_UNKNOWN',
    // Retryable, and not counted against the address: the identity provider is down.
    provider_away: 'AUTH_UNAVAILABLE',
  } as const;
  return codes[error.reason];
}

/** resolveScope answers 400 for an invalid UUID, and 403 for a retired role or an organization without membership. */
function toScopeCode({ failure }: ApiError): HandshakeCode {
  if (failure.shape !== 'A') return 'NOT_A_MEMBER';
  if (failure.code === 'role_required') return 'ROLE_FORBIDDEN';
  return failure.status === 400 ? 'ORG_INVALID' : 'NOT_A_MEMBER';
}

/**
 * Verifies a token as a handshake does.
 * @returns the user and the expiry of the token
 * @throws HandshakeRefused
 */
export async function readToken(
  deps: HandshakeDeps,
  given: unknown,
): Promise<{ readonly caller: Scope['caller']; readonly tokenEndsAtMs: number }> {
  const token = text(given).replace(/^Bearer +/i, '');
  if (token === '') throw new HandshakeError('AUTH_REQUIRED', 'Authentication required');
  const claims = await check(toTokenCode, () => deps.keySet.verify(token));
  const user = await check(
    () => 'USER_UNKNOWN',
    () => findOrCreateUser(deps, claims),
  );
  if (!user.isActive) throw new HandshakeError('USER_INACTIVE', 'User is inactive');
  const caller = toTokenCaller(claims, user);
  return { caller, tokenEndsAtMs: readTokenExpiry(caller, token) ?? 0 };
}

/** Finds the role of a user in an organization. @throws HandshakeRefused */
const authorize = ({ db }: HandshakeDeps, caller: Scope['caller'], organizationId: string): Promise<Scope> =>
  check(toScopeCode, () => resolveScope(db, caller, organizationId));

/**
 * Authorizes a client that another process relays. Its token was checked there and may have expired since.
 * @throws HandshakeRefused
 */
export async function readRelayedHandshake(
  deps: HandshakeDeps,
  { caller, organizationId, clientId, capabilities }: RelayedClient,
): Promise<AuthorizedClient> {
  const scope = await authorize(deps, caller, organizationId);
  return {
    scope,
    clientId,
    capabilities: new Set(CAPABILITIES.filter((name) => capabilities.includes(name))),
    tokenEndsAtMs: Infinity,
    isRelayed: true,
  };
}

/**
 * Authorizes a handshake.
 * @param auth its `auth` payload: `{token, organizationId, clientId?, caps?}`, token with or without `Bearer `
 * @throws HandshakeRefused
 */
export async function readHandshake(
  deps: HandshakeDeps,
  auth: Readonly<Record<string, unknown>>,
): Promise<AuthorizedClient> {
  const { caller, tokenEndsAtMs } = await readToken(deps, auth['token']);
  const organizationId = auth['organizationId'];
  if (organizationId === undefined || organizationId === null || organizationId === '') {
    throw new HandshakeError('ORG_REQUIRED', 'organizationId is required');
  }
  const named = text(organizationId);
  // A value that is not a string is malformed, not missing.
  const scope = await authorize(deps, caller, named === '' ? '-' : named);
  const clientId = AUTH_OPTIONS.clientId.safeParse(auth['clientId']);
  const requested = AUTH_OPTIONS.caps.safeParse(auth['caps']).data ?? [];
  const capabilities = new Set(CAPABILITIES.filter((name) => requested.includes(name)));
  return { scope, clientId: clientId.data, capabilities, tokenEndsAtMs, isRelayed: false };
}
