/** What the service reads of a token (SPEC API-jwt), and where: providers name their claims differently. */
import type { ClaimNames } from '../config/config.ts';

/** What the service knows of a token's user. */
export interface Claims {
  readonly subject: string;
  /** As the provider wrote it. */
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly sessionId: string | null;
  /** `metadata.role`, upper-cased; null when there is none. */
  readonly role: string | null;
}

type Payload = Readonly<Record<string, unknown>>;

const MAX_CLAIM_LENGTH = 320;
const DEFAULT_PATHS: ClaimNames = { role: 'metadata.role' };

/**
 * Reads a claim by our name for it. A claim of the whole configured name goes before a path into objects: Auth0's
 * namespaced claims are URLs, which have dots.
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

/** Whether a claim says nothing. */
export const isMissing = (claim: unknown): boolean => claim === undefined || claim === null || claim === '';

/** A claim that may be stored and compared: text of sane length without control characters. */
export function isStorableClaim(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim.length <= MAX_CLAIM_LENGTH && !/[\p{Cc}\p{Surrogate}]/u.test(claim)
  );
}

/** The client that a token was issued to: `azp`, or `client_id` in access tokens of RFC 9068. */
export function readAuthorizedParty(payload: Payload, names: ClaimNames): unknown {
  return readClaim(payload, names, 'azp') ?? (names.azp === undefined ? payload['client_id'] : undefined);
}

/** A role that is a word, upper-cased. */
export function readRole(payload: Payload, names: ClaimNames): string | null {
  const role = readClaim(payload, names, 'role');
  return typeof role === 'string' && /^\w{1,64}$/.test(role) ? role.toUpperCase() : null;
}
