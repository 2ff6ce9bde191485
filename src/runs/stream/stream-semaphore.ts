/** Limits the open streams of this process: in total, per organization and per user (SPEC SEC-S02). */
import type { Scope } from '../../access/caller.ts';
import { rateLimited, rateLimitHeaders } from '../../errors.ts';

export const MAX_PER_PROCESS = 2_000;
export const MAX_PER_ORGANIZATION = 50;
export const MAX_PER_USER = 20;
const RETRY_AFTER_SECONDS = 10;

export class StreamSemaphore {
  readonly #taken = new Map<string, number>();

  /** The number of streams that this process serves. */
  get open(): number {
    return this.#taken.get('process') ?? 0;
  }

  /**
   * Counts one stream.
   * @returns stops counting it; may be called twice
   * @throws ApiError 429 shape A with Retry-After
   */
  acquire(scope: Scope): () => void {
    const places: readonly (readonly [string, number])[] = [
      ['process', MAX_PER_PROCESS],
      [`organization ${scope.organizationId}`, MAX_PER_ORGANIZATION],
      [`user ${scope.caller.userId}`, MAX_PER_USER],
    ];
    for (const [place, limit] of places) {
      if ((this.#taken.get(place) ?? 0) >= limit) {
        throw rateLimited(
          'too_many_streams',
          'Too many open event streams',
          rateLimitHeaders(limit, RETRY_AFTER_SECONDS),
        );
      }
    }
    for (const [place] of places) this.#taken.set(place, (this.#taken.get(place) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const [place] of places) {
        const left = (this.#taken.get(place) ?? 1) - 1;
        if (left > 0) this.#taken.set(place, left);
        else this.#taken.delete(place);
      }
    };
  }
}
