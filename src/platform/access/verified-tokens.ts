/**
 * Caches tokens with a verified signature, so that each request of a client does not verify it again. Times are checked on each
 * lookup, and a key that left the provider's set invalidates its tokens.
 */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../base/clock.ts';
import type { VerificationKey } from './key-set-fetch.ts';

/** Maximum number of cached tokens; the least recently used one is dropped. */
const MAX_TOKENS = 1_000;

interface VerifiedToken {
  readonly key: VerificationKey;
  readonly payload: JWTPayload;
}

/** Hashes a token for use as a cache key, because a token in memory could be stolen. */
export const digestToken = (token: string): string => createHash('sha256').update(token).digest('base64');

/** Tolerated clock skew at the start and at the end of a token. */
interface Tolerance {
  readonly earlySeconds: number;
  readonly lateSeconds: number;
}

/** Checks the times of a token as jose does. */
function isInTime({ exp, nbf }: JWTPayload, { earlySeconds, lateSeconds }: Tolerance): boolean {
  const now = Math.floor(systemClock.now() / 1_000);
  if (exp === undefined || exp <= now - lateSeconds) return false;
  return nbf === undefined || nbf <= now + earlySeconds;
}

export class VerifiedTokens {
  readonly #tolerance: Tolerance;
  readonly #tokens = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  /** Finds the payload of a token that was verified with this key and has not expired; else undefined. */
  find(token: string, key: VerificationKey): JWTPayload | undefined {
    const known = this.#tokens.get(digestToken(token));
    if (known === undefined || known.key !== key) return undefined;
    return isInTime(known.payload, this.#tolerance) ? known.payload : undefined;
  }

  remember(token: string, key: VerificationKey, payload: JWTPayload): void {
    this.#tokens.set(digestToken(token), { key, payload });
  }
}
