/**
 * Reads events for all streams of a process: those that are woken together are read together. A group commit of a worker
 * wakes as many streams as it has written for, and a statement for each would cost more than the events.
 */
import { asked, AskedTogether } from '../../db/asked-together.ts';
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
  SELECT asked.place, e.* FROM ${asked({ run_pk: 'uuid', seq: 'int' })}
  CROSS JOIN LATERAL (
    SELECT seq, type, payload::text AS payload, created_at FROM run_events
    WHERE run_pk = asked.run_pk AND seq > asked.seq ORDER BY seq LIMIT ${PAGE_SIZE}
  ) AS e
  ORDER BY asked.place, e.seq`;

export class EventReader {
  readonly #asked: AskedTogether<EventRow>;

  constructor(sql: Sql) {
    this.#asked = new AskedTogether((columns) => sql.query(READ, columns), MAX_READS);
  }

  /** The next events of a run after `afterSeq`, at most a page. @throws on database errors */
  read(runPk: string, afterSeq: number): Promise<EventRow[]> {
    return this.#asked.ask([runPk, afterSeq]);
  }
}
