/** Reads the claims of a token (SPEC API-jwt) under configurable names, because providers name claims differently. */
import type { ClaimNames } from '../../base/config/config.ts';

/** The user of a verified token. */
export interface Claims {
  readonly subject: string;
  /** In the provider's spelling. */
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly sessionId: string | null;
  /** `metadata.role` in upper case; null without one. */
  readonly role: string | null;
}

type Payload = Readonly<Record<string, unknown>>;

const MAX_CLAIM_LENGTH = 320;
const DEFAULT_PATHS: ClaimNames = { role: 'metadata.role' };

/**
 * Reads a claim by our name for it. A claim with the whole configured name has precedence over a path into objects, because
 * Auth0's namespaced claims are URLs with dots.
 */
export function readClaim(payload: Payload, names: ClaimNames, name: keyof ClaimNames): unknown {
  const path = names[name] ?? DEFAULT_PATHS[name] ?? name;
  if (Object.hasOwn(payload, path)) return payload[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? Reflect.get(value, part)
          : undefined,
      payload,
    );
}

/** True for a missing or empty claim. */
export const isMissing = (claim: unknown): boolean => claim === undefined || claim === null || claim === '';

/** True for a claim that can be stored and compared: a text of limited length without control characters. */
export function isStorableClaim(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim.length <= MAX_CLAIM_LENGTH && !/[\p{Cc}\p{Surrogate}]/u.test(claim)
  );
}

/** Reads the client that a token was issued to: `azp`, or `client_id` in access tokens of RFC 9068. */
export function readAuthorizedParty(payload: Payload, names: ClaimNames): unknown {
  return readClaim(payload, names, 'azp') ?? (names.azp === undefined ? payload['client_id'] : undefined);
}

/** Reads the role in upper case; null unless it is one word. */
export function readRole(payload: Payload, names: ClaimNames): string | null {
  const role = readClaim(payload, names, 'role');
  return typeof role === 'string' && /^\w{1,64}$/.test(role) ? role.toUpperCase() : null;
}
