/**
 * How the workers hear at once that the outbox has something for them: they start runs eagerly, which nobody else can
 * (temporal/client.ts). A ring that is lost costs time, never a run: everybody looks into the outbox every so often.
 */
import { listenTo } from '../db/listen.ts';
import type { Sql } from '../db/client.ts';
import type { Logger } from '../log.ts';

/** Channel of LISTEN/NOTIFY; the message is the organization that has a run to start, or empty: look at everything. */
const CHANNEL = 'outbox';
const RING = `SELECT pg_notify('${CHANNEL}', message) FROM unnest($1::text[]) AS message`;

/** Rings once at a time; who comes meanwhile shares the next ring. */
export class Doorbell {
  readonly #sql: Sql;
  readonly #log: Logger;
  #isRinging = false;
  readonly #waiting = new Set<string>();

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Call after the commit of an entry. Returns at once. @param organizationId of a start; null for all else */
  ring(organizationId: string | null): void {
    this.#waiting.add(organizationId ?? '');
    if (!this.#isRinging) void this.#ring();
  }

  async #ring(): Promise<void> {
    this.#isRinging = true;
    while (this.#waiting.size > 0) {
      const messages = [...this.#waiting];
      this.#waiting.clear();
      // Not in the transactions that write entries: those that notify commit one after the other.
      await this.#sql.query(RING, [messages]).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'the workers could not be told of the outbox');
      });
    }
    this.#isRinging = false;
  }
}

export interface Hearer {
  kick(): void;
  kickStart(organizationId: string): void;
}

/** Kicks with every ring, and whenever one may have been missed. @param url of the database */
export function hearDoorbell(url: string, log: Logger, hearer: Hearer): { close(): Promise<void> } {
  return listenTo(url, CHANNEL, {
    onMessage: (message) => (message === '' ? hearer.kick() : hearer.kickStart(message)),
    onConnect: () => hearer.kick(),
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for the outbox was lost'),
  });
}
