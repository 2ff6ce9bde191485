/** Deletes what is kept for a time only: events of ended runs, ephemeral runs, idempotency keys. Every 10 minutes. */
import type { Db } from '../../db/client.ts';
import {
  expireEvents,
  expireIdempotencyKeys,
  expireTokens,
  forgetEphemeralRuns,
} from '../ledger/retention.ts';
import type { Logger } from '../../log.ts';

const SWEEP_MS = 10 * 60_000;

export class Janitor {
  readonly #parts: { readonly db: Db; readonly log: Logger };
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<unknown> | null = null;

  constructor(parts: { readonly db: Db; readonly log: Logger }) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#sweeping = this.sweep().catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'expired rows could not be deleted');
      });
    }, SWEEP_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
  }

  /** One round over everything that has expired. */
  async sweep(): Promise<void> {
    const { db, log } = this.#parts;
    const tokens = await expireTokens(db);
    const events = await expireEvents(db);
    const runs = await forgetEphemeralRuns(db);
    const keys = await expireIdempotencyKeys(db);
    if (tokens + events + runs + keys > 0) log.info({ tokens, events, runs, keys }, 'expired rows deleted');
  }
}
