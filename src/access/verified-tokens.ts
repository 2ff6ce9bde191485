/**
 * Tokens whose signature was verified: the same text under the same key has the same signature, so that a client's every
 * request does not pay for it again. Whether a token is in time is judged each time, and a key that has left the
 * provider's set takes its tokens along.
 */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { VerificationKey } from './key-set-fetch.ts';

/** Tokens remembered; beyond, the one that was idle longest is forgotten. */
const MAX_TOKENS = 1_000;

interface VerifiedToken {
  readonly key: VerificationKey;
  readonly payload: JWTPayload;
}

/** What stands for a token in memory: its text could be used by whoever reads it. */
export const digestToken = (token: string): string => createHash('sha256').update(token).digest('base64');

/** How far the clocks of two machines may differ, at the beginning of a token and at its end. */
interface Tolerance {
  readonly earlySeconds: number;
  readonly lateSeconds: number;
}

/** As jose judges it. */
function isInTime({ exp, nbf }: JWTPayload, { earlySeconds, lateSeconds }: Tolerance): boolean {
  const now = Math.floor(Date.now() / 1_000);
  if (exp === undefined || exp <= now - lateSeconds) return false;
  return nbf === undefined || nbf <= now + earlySeconds;
}

export class VerifiedTokens {
  readonly #tolerance: Tolerance;
  readonly #tokens = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  /** The payload of a token that was verified with this very key and is in time; else undefined: verify it. */
  find(token: string, key: VerificationKey): JWTPayload | undefined {
    const known = this.#tokens.get(digestToken(token));
    if (known === undefined || known.key !== key) return undefined;
    return isInTime(known.payload, this.#tolerance) ? known.payload : undefined;
  }

  remember(token: string, key: VerificationKey, payload: JWTPayload): void {
    this.#tokens.set(digestToken(token), { key, payload });
  }
}
