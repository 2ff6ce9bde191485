/**
 * The outbox: changes in PostgreSQL that must still reach Temporal, or the parent runs that wait. An entry is written in the
 * transaction of its change and removed after delivery. A second delivery is harmless: handlers read the current row.
 */
import type { Sql } from '../../base/db/client.ts';
import type { TemporalRejected } from '../../base/errors.ts';
import { activeTraceparent } from '../../base/observe/tracing.ts';

type OutboxKind = 'start' | 'resume' | 'cancel' | 'waits' | 'schedule' | 'ingest' | 'error_run' | 'data_job';

/** The row that an entry is about. */
export interface OutboxSubject {
  readonly kind: OutboxKind;
  readonly organizationId: string;
  /** The root_run_pk of a run, the id of a failed run, or the id of a schedule, document or data job. */
  readonly subjectId: string;
}

/** A claimed entry. */
export interface OutboxEntry extends OutboxSubject {
  readonly outboxId: number;
  /** Number of claims, including this one. */
  readonly tries: number;
  readonly ageSeconds: number;
  /** W3C traceparent of the request that wrote it; null when it was not traced. */
  readonly traceparent: string | null;
}

/** Delivers the entries of one kind. */
export interface OutboxHandler {
  /**
   * Brings Temporal in line with the current row of the entry's subject.
   * @throws TemporalRejected when a retry cannot help; after any other error the outcome is unknown
   */
  deliver(entry: OutboxEntry): Promise<void>;
  /** Records that Temporal rejected the entry. Without it a rejection is retried like any other failure. */
  reject?(entry: OutboxEntry, error: TemporalRejected): Promise<void>;
  /** Compares earlier deliveries with Temporal and repairs differences; called every 15 s in every process. */
  check?(): Promise<unknown>;
}

export interface StartHandler extends OutboxHandler {
  /** Returns those of the runs that a worker has started, or that have ended. */
  findStarted(runPks: readonly string[]): Promise<readonly string[]>;
}

export type OutboxHandlers = Readonly<Record<Exclude<OutboxKind, 'start'>, OutboxHandler>> & {
  readonly start: StartHandler;
};

/**
 * Lifetime of a claim, after which another process may deliver the entry. Longer than any delivery: an eager start has a
 * deadline of 5 s, and a schedule needs up to three calls of 2 s each (temporal/client/).
 */
const CLAIM_SECONDS = 10;
/** Maximum back-off: runs start within 5 s after Temporal is back (SPEC REL-R33). */
const MAX_BACKOFF_SECONDS = 5;

/** Adds an entry. Call in the transaction of the change. */
export async function insertEntry(sql: Sql, subject: OutboxSubject): Promise<void> {
  const { kind, organizationId, subjectId } = subject;
  await sql.query(
    'INSERT INTO outbox (kind, organization_id, subject_id, traceparent) VALUES ($1, $2, $3, $4)',
    [kind, organizationId, subjectId, activeTraceparent()],
  );
}

// Entries of one subject are delivered in order: a signal before the start would find no execution. A start is always the
// first entry of its subject. Organizations take turns, per kind of entry.
const CLAIM = `
  WITH waiting AS (
    SELECT id, organization_id, kind,
           row_number() OVER (PARTITION BY organization_id, kind ORDER BY due_at, id) AS turn
    FROM outbox o
    WHERE due_at <= now() - make_interval(secs => $5::float8 / 1000)
      AND (kind = 'start' OR NOT EXISTS (
        SELECT 1 FROM outbox e WHERE e.subject_id = o.subject_id AND e.id < o.id AND e.due_at < 'infinity'))
  ), next AS (
    SELECT w.id FROM waiting w
    LEFT JOIN unnest($3::uuid[], $4::int[]) AS c(organization_id, capacity) USING (organization_id)
    WHERE w.kind <> 'start' OR w.turn <= coalesce(c.capacity, $2::int)
    ORDER BY w.turn, w.id LIMIT $1
  ), due AS (
    SELECT id FROM outbox WHERE id IN (SELECT id FROM next) AND due_at <= now() FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE outbox SET due_at = now() + make_interval(secs => ${CLAIM_SECONDS}), tries = tries + 1
    FROM due WHERE outbox.id = due.id
    RETURNING outbox.*
  )
  SELECT id AS "outboxId", kind, organization_id AS "organizationId", subject_id AS "subjectId", tries,
         extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", traceparent
  FROM claimed ORDER BY id`;

/** Starts per organization in one claim; `capacities[i]` overrides `usual` for `organizationIds[i]`. */
export interface StartCapacity {
  readonly usual: number;
  readonly organizationIds: readonly string[];
  readonly capacities: readonly number[];
}

interface Claim {
  /** Maximum number of entries. */
  readonly limit: number;
  readonly starts: StartCapacity;
  /** Skips entries that became due less than this long ago, so that workers can claim them first. */
  readonly headStartMs?: number;
}

/** Claims due entries for 10 s; other processes skip them until then. */
export function claimOutbox(sql: Sql, { limit, starts, headStartMs = 0 }: Claim): Promise<OutboxEntry[]> {
  const { usual, organizationIds, capacities } = starts;
  return sql.query<OutboxEntry>(CLAIM, [limit, usual, organizationIds, capacities, headStartMs]);
}

/** Removes delivered entries. */
export async function removeOutbox(sql: Sql, outboxIds: readonly number[]): Promise<void> {
  await sql.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [outboxIds]);
}

/** Schedules a retry after 0.5 s, 1 s, 2 s, 4 s, then every 5 s. */
export async function retryOutbox(sql: Sql, outboxId: number, error: string): Promise<void> {
  await sql.query(
    `UPDATE outbox SET last_error = $2,
            due_at = now() + make_interval(secs => least(${MAX_BACKOFF_SECONDS}, 0.25 * power(2, least(tries, 10))))
     WHERE id = $1`,
    [outboxId, error.slice(0, 1_000)],
  );
}

/** Parks an entry: it is not delivered until an operator makes it due again. */
export async function parkOutbox(sql: Sql, outboxId: number, error: string): Promise<void> {
  await sql.query(`UPDATE outbox SET last_error = $2, due_at = 'infinity' WHERE id = $1`, [
    outboxId,
    error.slice(0, 1_000),
  ]);
}

/** Counts undelivered starts, up to `atMost`. */
export async function countStarts(sql: Sql, atMost: number): Promise<number> {
  const rows = await sql.query<{ waiting: number }>(
    `SELECT count(*) AS waiting
     FROM (SELECT 1 FROM outbox WHERE kind = 'start' AND due_at < 'infinity' LIMIT $1) AS o`,
    [atMost],
  );
  return rows[0]?.waiting ?? 0;
}
