/**
 * The outbox: decisions of PostgreSQL that Temporal must still hear of, and news of runs for those that wait for them. A row is written in the transaction of its decision
 * and removed after delivery. Delivering twice is harmless: the handlers read the row that an entry speaks of as it is now.
 */
import type { Sql } from '../db/client.ts';
import { activeTraceparent } from '../observe/tracing.ts';

export type OutboxKind = 'start' | 'resume' | 'cancel' | 'waits' | 'schedule' | 'ingest';

/** The row that an entry speaks of. */
export interface OutboxSubject {
  readonly kind: OutboxKind;
  readonly organizationId: string;
  /** The root_run_pk of a run, or the id of a schedule or document. */
  readonly subjectId: string;
}

/** An entry as it was claimed. */
export interface OutboxEntry extends OutboxSubject {
  readonly outboxId: number;
  /** Claims, this one among them. */
  readonly tries: number;
  readonly ageSeconds: number;
  /** The trace of the decision; null when it was not traced. */
  readonly traceparent: string | null;
}

/**
 * How soon another process may take what a lost one has claimed. Longer than any delivery takes: an eager start has a
 * deadline of 5 s, and a schedule needs up to three calls of 2 s each (temporal/client/).
 */
const CLAIM_SECONDS = 10;
/** The ceiling of the backoff keeps SPEC REL-R33: runs start within 5 s after Temporal is back. */
const MAX_BACKOFF_SECONDS = 5;

/** Adds an entry. Call inside the transaction that decides what it tells. */
export async function insertEntry(sql: Sql, subject: OutboxSubject): Promise<void> {
  const { kind, organizationId, subjectId } = subject;
  await sql.query(
    'INSERT INTO outbox (kind, organization_id, subject_id, traceparent) VALUES ($1, $2, $3, $4)',
    [kind, organizationId, subjectId, activeTraceparent()],
  );
}

// Entries of one subject go one after the other: a signal that reached Temporal before its start would find nothing to
// signal. A start is always the first of its subject. Organizations take turns, with each kind of entry in its own order.
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

export interface Claim {
  /** Entries at most. */
  readonly limit: number;
  readonly starts: StartCapacity;
  /** Leaves entries to others that became due less than this long ago. */
  readonly headStartMs?: number;
}

/** Takes due entries for 10 seconds; another process sees them only after that. */
export function claimOutbox(sql: Sql, { limit, starts, headStartMs = 0 }: Claim): Promise<OutboxEntry[]> {
  const { usual, organizationIds, capacities } = starts;
  return sql.query<OutboxEntry>(CLAIM, [limit, usual, organizationIds, capacities, headStartMs]);
}

/** Removes delivered entries. */
export async function removeOutbox(sql: Sql, outboxIds: readonly number[]): Promise<void> {
  await sql.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [outboxIds]);
}

/** Puts an entry back: due again after 0.5 s, 1 s, 2 s, 4 s, then every 5 s. */
export async function retryOutbox(sql: Sql, outboxId: number, error: string): Promise<void> {
  await sql.query(
    `UPDATE outbox SET last_error = $2,
            due_at = now() + make_interval(secs => least(${MAX_BACKOFF_SECONDS}, 0.25 * power(2, least(tries, 10))))
     WHERE id = $1`,
    [outboxId, error.slice(0, 1_000)],
  );
}

/** Takes an entry out of circulation and leaves it for the operator to see. */
export async function parkOutbox(sql: Sql, outboxId: number, error: string): Promise<void> {
  await sql.query(`UPDATE outbox SET last_error = $2, due_at = 'infinity' WHERE id = $1`, [
    outboxId,
    error.slice(0, 1_000),
  ]);
}

/** The number of runs that wait for their start to be delivered; counts no further than `atMost`. */
export async function countStarts(sql: Sql, atMost: number): Promise<number> {
  const rows = await sql.query<{ waiting: number }>(
    `SELECT count(*) AS waiting
     FROM (SELECT 1 FROM outbox WHERE kind = 'start' AND due_at < 'infinity' LIMIT $1) AS o`,
    [atMost],
  );
  return rows[0]?.waiting ?? 0;
}
