/**
 * How the workers hear at once that the outbox has something for them: they start runs eagerly, which nobody else can
 * (temporal/client.ts). A ring that is lost costs time, never a run: everybody looks into the outbox every so often.
 */
import { listenTo } from '../db/listen.ts';
import type { Sql } from '../db/client.ts';
import type { Logger } from '../log.ts';

/** Channel of LISTEN/NOTIFY; the message is empty. */
const CHANNEL = 'outbox';

/** Rings once at a time; what comes meanwhile shares the next ring. */
export class Doorbell {
  readonly #sql: Sql;
  readonly #log: Logger;
  #ringing: Promise<void> | null = null;
  #again = false;

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Call after the commit of an entry. Returns at once. */
  ring(): void {
    this.#again = true;
    this.#ringing ??= this.#ring().finally(() => {
      this.#ringing = null;
    });
  }

  async #ring(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      // Not in the transactions that write entries: those that notify commit one after the other.
      await this.#sql.query(`SELECT pg_notify('${CHANNEL}', '')`).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'the workers could not be told of the outbox');
      });
    }
  }
}

/** Calls `heard` with every ring, and whenever one may have been missed. @param url of the database */
export function hearDoorbell(url: string, log: Logger, heard: () => void): { close(): Promise<void> } {
  return listenTo(url, CHANNEL, {
    onMessage: heard,
    onConnect: heard,
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for the outbox was lost'),
  });
}
