/**
 * Records last_used_at and last_used_ip of API keys. All keys are written once a second: an update per request would make the
 * key's row the hottest of the database.
 */
import { systemClock } from '../../base/clock.ts';
import type { Db } from '../../base/db/client.ts';
import type { Logger } from '../../base/log.ts';

const FLUSH_MS = 1_000;

// Rows are locked in one order, so that two processes that flush the same keys cannot deadlock.
const WRITE = `
  WITH used AS (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS u(id, at, ip)
  ), locked AS (
    SELECT k.id FROM api_keys k JOIN used ON used.id = k.id ORDER BY k.id FOR NO KEY UPDATE OF k
  )
  UPDATE api_keys k SET last_used_at = used.at, last_used_ip = used.ip
  FROM used JOIN locked ON locked.id = used.id
  WHERE k.id = used.id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`;

interface Use {
  readonly at: Date;
  readonly ip: string;
}

export class KeyUse {
  readonly #db: Pick<Db, 'query'>;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, Use>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Pick<Db, 'query'>, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  /** Keeps the newest use of a key until the next flush. */
  note(apiKeyId: string, ip: string): void {
    this.#uses.set(apiKeyId, { at: new Date(systemClock.now()), ip });
  }

  /** Writes the collected uses. A failure is logged and loses one second of last_used_at. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses];
    this.#uses = new Map();
    try {
      await this.#db.query(WRITE, [
        uses.map(([apiKeyId]) => apiKeyId),
        uses.map(([, use]) => use.at),
        uses.map(([, use]) => use.ip),
      ]);
    } catch (error) {
      this.#log.warn({ err: error }, 'the last use of API keys could not be written');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
