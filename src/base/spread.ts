/** Spreads the waits of work that has failed together, so that a crowd does not come back in one moment. */
import { createHash } from 'node:crypto';

/**
 * Computes a wait in ms: between half of a backoff and all of it.
 * @param key the work and its attempt: the same key has the same wait
 * @param leastMs replaces the half when it is longer, as a server's Retry-After does
 */
export function spreadWait(backoffMs: number, key: string, leastMs = 0): number {
  const half = backoffMs / 2;
  const fraction = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
  return Math.round(Math.max(half, leastMs) + half * fraction);
}
