/** Entries of the outbox that were delivered: removed with the next claim, or by themselves a little later. */
import type { Sql } from '../../db/client.ts';
import { removeOutbox } from './outbox.ts';
import type { Logger } from '../../log.ts';

/** A delivered entry waits this long for a claim that removes it along. */
const REMOVAL_MS = 20;

export class Delivered {
  readonly #sql: Sql;
  readonly #log: Logger;
  readonly #outboxIds: number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #removing: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Has entries removed. Returns at once; what is lost on the way is delivered again when its claim runs out. */
  add(outboxIds: readonly number[]): void {
    this.#outboxIds.push(...outboxIds);
    if (this.#outboxIds.length === 0 || this.#hasEnded) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#removing = this.#remove();
    }, REMOVAL_MS);
  }

  /** Takes the entries over, for a statement that removes them; give them back with `add` if it fails. */
  take(): number[] {
    return this.#outboxIds.splice(0);
  }

  /** Removes what is left. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#removing;
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const outboxIds = this.take();
    if (outboxIds.length === 0) return;
    try {
      await removeOutbox(this.#sql, outboxIds);
    } catch (error) {
      this.#log.warn({ err: error }, 'delivered outbox entries could not be removed');
      this.add(outboxIds);
    }
  }
}
