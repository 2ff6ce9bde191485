/**
 * Reads events for all streams of a process: those that are woken together are read together. A group commit of a worker
 * wakes as many streams as it has written for, and a statement for each would cost more than the events.
 */
import type { Sql } from '../../db/client.ts';

/** Events of one run in one read. */
export const PAGE_SIZE = 500;
/** Streams in one statement: what it returns is in memory at once. */
const MAX_STREAMS = 200;
/** Statements at once: a long catch-up of one stream does not hold up the others. */
const MAX_READS = 4;

export interface EventRow {
  readonly seq: number;
  readonly type: string;
  /** JSON text of an object. */
  readonly payload: string;
  readonly created_at: Date;
}

const READ = `
  SELECT w.place, e.* FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS w(run_pk, seq, place)
  CROSS JOIN LATERAL (
    SELECT seq, type, payload::text AS payload, created_at FROM run_events
    WHERE run_pk = w.run_pk AND seq > w.seq ORDER BY seq LIMIT ${PAGE_SIZE}
  ) AS e
  ORDER BY w.place, e.seq`;

interface Wish {
  readonly runPk: string;
  readonly afterSeq: number;
  readonly resolve: (rows: EventRow[]) => void;
  readonly reject: (error: unknown) => void;
}

export class EventReader {
  readonly #sql: Sql;
  readonly #wishes: Wish[] = [];
  #reads = 0;
  #isDue = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The next events of a run after `afterSeq`, at most a page. @throws on database errors */
  read(runPk: string, afterSeq: number): Promise<EventRow[]> {
    return new Promise((resolve, reject) => {
      this.#wishes.push({ runPk, afterSeq, resolve, reject });
      this.#readSoon();
    });
  }

  /** Once everybody who was woken by the same message has said what it wants. */
  #readSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      while (this.#wishes.length > 0 && this.#reads < MAX_READS) {
        this.#reads += 1;
        void this.#read(this.#wishes.splice(0, MAX_STREAMS)).finally(() => {
          this.#reads -= 1;
          if (this.#wishes.length > 0) this.#readSoon();
        });
      }
    });
  }

  async #read(wishes: readonly Wish[]): Promise<void> {
    try {
      const rows = await this.#sql.query<EventRow & { readonly place: number }>(READ, [
        wishes.map((wish) => wish.runPk),
        wishes.map((wish) => wish.afterSeq),
      ]);
      const pages = wishes.map((): EventRow[] => []);
      for (const row of rows) pages[row.place - 1]?.push(row);
      wishes.forEach((wish, index) => wish.resolve(pages[index] ?? []));
    } catch (error) {
      for (const wish of wishes) wish.reject(error);
    }
  }
}
