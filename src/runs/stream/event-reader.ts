/**
 * Reads events for all streams of a process: those that are woken together are read together. A group commit of a worker
 * wakes as many streams as it has written for, and a statement for each would cost more than the events.
 */
import { Batcher, keysTable, readKind } from '../../db/batcher.ts';
import type { Sql } from '../../db/client.ts';

/** Events of one run in one read. */
export const PAGE_SIZE = 500;
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
  SELECT keys.place, e.* FROM ${keysTable({ run_pk: 'uuid', seq: 'int' })}
  CROSS JOIN LATERAL (
    SELECT seq, type, payload::text AS payload, created_at FROM run_events
    WHERE run_pk = keys.run_pk AND seq > keys.seq ORDER BY seq LIMIT ${PAGE_SIZE}
  ) AS e
  ORDER BY keys.place, e.seq`;

export class EventReader {
  readonly #reads: Batcher<readonly unknown[], EventRow[]>;

  constructor(sql: Sql) {
    this.#reads = new Batcher(readKind((columns) => sql.query(READ, columns), MAX_READS));
  }

  /** The next events of a run after `afterSeq`, at most a page. @throws on database errors */
  read(runPk: string, afterSeq: number): Promise<EventRow[]> {
    return this.#reads.add([runPk, afterSeq]);
  }
}
