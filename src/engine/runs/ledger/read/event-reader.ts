/** Reads for streams: the events of a run, page by page, and the row of a run whose events were deleted. */
import { Batcher, keysTable, readKind } from '../../../../base/db/batcher.ts';
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import { findEventFacts, listStoredTypes, type StoredEventType } from '../event-types.ts';
import type { TerminalStatus } from '../write/events.ts';
import { MAX_STEP_VALUE_BYTES } from './run-record.ts';

/** The most events of a run in one read. Values in events are cut at 64 KiB, so a page has 8 MiB at most, and usually 64 KiB. */
export const PAGE_SIZE = 128;
/** The memory that a page counts for while it is read and sent. */
export const PAGE_WEIGHT = 2 * 1024 * 1024;
/** A stream that has missed more events than this catches up. */
export const BEHIND_EVENTS = 16;
/** The most catching-up streams in one statement: all pages of a statement are in memory together. */
const CATCHING_UP = 4;
/** Concurrent statements, so that a long catch-up does not delay other streams. */
const MAX_READS = 4;

export interface EventRow {
  readonly seq: number;
  readonly type: StoredEventType;
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

/**
 * Reads events for all streams of a process, in one statement for those that are woken together. A group commit of a worker
 * wakes many streams, and a statement for each would cost more than the events.
 */
export class EventReader {
  readonly #reads: Batcher<readonly unknown[], EventRow[]>;
  readonly #catchUps: Batcher<readonly unknown[], EventRow[]>;

  constructor(sql: Sql) {
    const kind = readKind<EventRow>((columns) => sql.query(READ, columns), MAX_READS);
    this.#reads = new Batcher(kind);
    this.#catchUps = new Batcher({ ...kind, maxItems: CATCHING_UP });
  }

  /**
   * Reads the next events of a run after `afterSeq`, at most a page.
   * @param isBehind true when a whole page is expected
   * @throws on database errors
   */
  read(runPk: string, afterSeq: number, isBehind = false): Promise<EventRow[]> {
    return (isBehind ? this.#catchUps : this.#reads).add([runPk, afterSeq]);
  }
}

const TERMINAL_TYPES = listStoredTypes(({ isTerminal: isLast }) => isLast === true);

/** Tells whether this is the type of a last event. */
export const isTerminal = (type: StoredEventType): boolean => findEventFacts(type).isTerminal === true;

/** Reads the terminal event of a run; null while the run is running, or when its events were deleted. */
export async function readTerminalEvent(sql: Sql, runPk: string): Promise<EventRow | null> {
  const [terminal] = await sql.query<EventRow>(
    `SELECT seq, type, payload::text AS payload, created_at FROM run_events
     WHERE run_pk = $1 AND type = ANY($2::text[]) LIMIT 1`,
    [runPk, TERMINAL_TYPES],
  );
  return terminal ?? null;
}

/** An event as progress tells of it. */
interface NewestEvent {
  readonly type: StoredEventType;
  readonly at: Date;
  /** Null for an event of the run. */
  readonly nodeName: string | null;
}

/** Reads the newest event of a run; null when it has none yet, or its events were deleted. */
export async function readNewestEvent(sql: Sql, runPk: string): Promise<NewestEvent | null> {
  const [newest] = await sql.query<NewestEvent>(
    `SELECT type, created_at AS at, payload->>'node_name' AS "nodeName" FROM run_events
     WHERE run_pk = $1 ORDER BY seq DESC LIMIT 1`,
    [runPk],
  );
  return newest ?? null;
}

/** The end of a run, from its row. */
export interface EndedRun {
  readonly status: TerminalStatus;
  readonly last_seq: number;
  readonly output: Json;
  readonly output_truncated: boolean;
  readonly error: JsonObject | null;
  readonly usage: JsonObject | null;
  readonly cancel_reason: string | null;
  readonly handled_error_count: number;
  readonly completed_at: Date;
  readonly duration_ms: number;
  /** The segment that resumes it; null: none. */
  readonly resumed_by_run_id: string | null;
}

/**
 * Reads a run that is not running; null when it runs, or does not exist.
 * @param maxOutputBytes a larger output is left out, and `output_truncated` says so
 */
export async function readEnded(
  sql: Sql,
  runPk: string,
  maxOutputBytes = MAX_STEP_VALUE_BYTES,
): Promise<EndedRun | null> {
  const [ended] = await sql.query<EndedRun>(
    `SELECT status, last_seq, CASE WHEN octet_length(output::text) <= $2 THEN output END AS output,
            coalesce(octet_length(output::text) > $2, false) AS output_truncated, error, usage, cancel_reason, handled_error_count, completed_at,
            greatest(0, round(extract(epoch FROM completed_at - coalesce(started_at, created_at)) * 1000))::int AS duration_ms,
            (SELECT s.run_id FROM runs s WHERE s.resumed_from_run_pk = r.id) AS resumed_by_run_id
     FROM runs r WHERE id = $1 AND status <> 'running'`,
    [runPk, maxOutputBytes],
  );
  return ended ?? null;
}

/** An execution of a node in the snapshot of an ended run. */
interface EndedNode {
  readonly node_id: string;
  readonly step_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly output: Json;
  readonly output_truncated: boolean;
}

/** The most bytes of all outputs in a snapshot, which is one frame. */
export const MAX_SNAPSHOT_BYTES = 4 * 1024 * 1024;

/**
 * Reads the executions of a run in order, without items and tool calls. Outputs above the limit of a step's value are left out,
 * and those beyond the limit of a snapshot.
 */
export function readEndedNodes(sql: Sql, runPk: string): Promise<EndedNode[]> {
  return sql.query<EndedNode>(
    `SELECT s.node_id, s.step_id, s.status, s.attempt, CASE WHEN s.is_listed THEN v.output END AS output,
            v.output IS NOT NULL AND NOT s.is_listed AS output_truncated
     FROM (
       SELECT *, bytes <= $2 AND sum(CASE WHEN bytes <= $2 THEN bytes ELSE 0 END) OVER (ORDER BY position, visit, step_id) <= $3 AS is_listed
       FROM (
         SELECT o.node_id, o.step_id, o.status, o.attempt, o.position, o.visit, held.step_id AS held_by,
                coalesce(octet_length(held.output::text), 0) AS bytes
         FROM run_steps o JOIN run_steps held
           ON held.step_id = CASE WHEN o.reused_from IS NULL THEN o.step_id ELSE o.reused_from END
         WHERE o.run_pk = $1 AND o.item_index < 0 AND o.parent_step_id IS NULL
       ) AS sized
     ) AS s JOIN run_steps v ON v.step_id = s.held_by
     ORDER BY s.position, s.visit, s.step_id`,
    [runPk, MAX_STEP_VALUE_BYTES, MAX_SNAPSHOT_BYTES],
  );
}

/** Reads the pending questions of a run, oldest first. */
export function readPending(
  sql: Sql,
  rootRunPk: string,
): Promise<{ readonly interrupt_id: string; readonly node_id: string }[]> {
  return sql.query(
    `SELECT id AS interrupt_id, node_id FROM run_interrupts WHERE root_run_pk = $1 AND status = 'pending' ORDER BY created_at, id`,
    [rootRunPk],
  );
}

/** An event without its values. */
interface NodeEvent {
  readonly runPk: string;
  readonly seq: number;
  readonly type: StoredEventType;
  /** Null for an event of the run. */
  readonly nodeId: string | null;
  /** The handle whose edges a node has taken; null: none, or the node has not ended. */
  readonly selectedHandle: string | null;
}

/** A handled failure and a disabled node take edges, too; their events do not name the handle. */
const SELECTED_HANDLE = `
  CASE e.type
    WHEN 'node_completed' THEN e.payload->>'selected_handle'
    WHEN 'node_reused' THEN e.payload->>'selected_handle'
    WHEN 'node_failed' THEN CASE WHEN e.payload->>'handled' = 'true'
      THEN CASE e.payload->>'on_error' WHEN 'branch' THEN 'error' ELSE 'default' END END
    WHEN 'node_skipped' THEN CASE WHEN e.payload->>'reason' = 'disabled' THEN 'default' END
  END`;

/** The most events in one read of readNodeEvents, of all runs together. */
export const MAX_NODE_EVENTS = 2_000;

/** Reads the events of these types after `seq` in each run: the runs in the order given, each in its own order. */
export function readNodeEvents(
  sql: Sql,
  runs: readonly { readonly runPk: string; readonly seq: number }[],
  types: readonly StoredEventType[],
): Promise<NodeEvent[]> {
  return sql.query<NodeEvent>(
    `SELECT e.run_pk AS "runPk", e.seq, e.type, e.payload->>'node_id' AS "nodeId",
            ${SELECTED_HANDLE} AS "selectedHandle"
     FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS known (run_pk, seq, place)
     JOIN run_events e ON e.run_pk = known.run_pk AND e.seq > known.seq
     WHERE e.type = ANY($3::text[]) ORDER BY known.place, e.seq LIMIT ${MAX_NODE_EVENTS}`,
    [runs.map(({ runPk }) => runPk), runs.map(({ seq }) => seq), types],
  );
}

/** The progress of the events of a run. */
interface RunProgress {
  readonly runPk: string;
  readonly lastSeq: number;
  readonly hasEnded: boolean;
}

/** Reads the progress of these runs, without those that do not exist. */
export function readProgress(sql: Sql, runPks: readonly string[]): Promise<RunProgress[]> {
  return sql.query<RunProgress>(
    `SELECT id AS "runPk", last_seq AS "lastSeq", status <> 'running' AS "hasEnded" FROM runs WHERE id = ANY($1::uuid[])`,
    [runPks],
  );
}
