/** Limits the open streams and waits of this process: in total, per organization and per user (SPEC SEC-S02). */
import type { Scope } from '../../../platform/access/caller.ts';
import { rateLimited, rateLimitHeaders } from '../../../base/errors.ts';

export const MAX_PER_PROCESS = 2_000;
export const MAX_PER_ORGANIZATION = 50;
export const MAX_PER_USER = 20;
/** A burst of a sender leaves ten places of its organization to people. */
export const MAX_WEBHOOK_WAITS = 40;
const RETRY_AFTER_SECONDS = 10;

/** Something that places are counted for, and how many it may take. */
type Holder = readonly [name: string, limit: number];

const PROCESS: Holder = ['process', MAX_PER_PROCESS];
const toOrganization = (organizationId: string): Holder => [
  `organization ${organizationId}`,
  MAX_PER_ORGANIZATION,
];

export class StreamSemaphore {
  readonly #taken = new Map<string, number>();

  /** The number of streams and waits that this process serves. */
  get open(): number {
    return this.#taken.get('process') ?? 0;
  }

  /**
   * Counts one stream, or one wait for a result.
   * @returns stops counting it; may be called twice
   * @throws ApiError 429 shape A with Retry-After
   */
  acquire({ organizationId, caller }: Scope): () => void {
    const holders = [
      PROCESS,
      toOrganization(organizationId),
      [`user ${caller.userId}`, MAX_PER_USER],
    ] as const;
    const full = this.#findFull(holders);
    if (full !== undefined)
      throw rateLimited(
        'too_many_streams',
        'Too many open event streams',
        rateLimitHeaders(full[1], RETRY_AFTER_SECONDS),
      );
    return this.#take(holders);
  }

  /**
   * Counts the wait of a request to a webhook.
   * @returns stops counting it, and may be called twice; null without a free place
   */
  acquireForWebhook(organizationId: string): (() => void) | null {
    const holders = [
      PROCESS,
      toOrganization(organizationId),
      [`webhooks ${organizationId}`, MAX_WEBHOOK_WAITS],
    ] as const;
    return this.#findFull(holders) === undefined ? this.#take(holders) : null;
  }

  #findFull(holders: readonly Holder[]): Holder | undefined {
    return holders.find(([name, limit]) => (this.#taken.get(name) ?? 0) >= limit);
  }

  #take(holders: readonly Holder[]): () => void {
    for (const [name] of holders) this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const [name] of holders) {
        const left = (this.#taken.get(name) ?? 1) - 1;
        if (left > 0) this.#taken.set(name, left);
        else this.#taken.delete(name);
      }
    };
  }
}
