/**
 * Decisions of PostgreSQL that Temporal must still hear of. A row is written in the transaction of its decision and
 * removed after delivery; delivering twice is harmless (one workflow id, REJECT_DUPLICATE; signals only wake).
 */
import type { Sql } from '../../db/client.ts';
import type { OutboxKind } from '../ledger/outbox-entry.ts';
import type { StartDescription } from '../engine.ts';
import type { RunStatus } from '../ledger/events.ts';
import { RUN_INPUTS, SEGMENT_COLUMNS } from '../ledger/segments.ts';
import type { RunInputs, Segment } from '../ledger/segments.ts';

export interface OutboxEntry {
  readonly outboxId: number;
  readonly kind: OutboxKind;
  readonly tries: number;
  readonly ageSeconds: number;
  /** The entries that the organization had due, this one among them: starts for a start, else the others. */
  readonly due: number;
  readonly runPk: string;
  /** Null when the run was deleted meanwhile (an ephemeral one). */
  readonly runStatus: RunStatus | null;
  /** The run has been advanced: by a delivery before this one, by its execution, or both. */
  readonly hasBegun: boolean;
  /** For a start whose run has not begun, and whose claimer begins runs: the run as it was claimed. Nothing of it is locked. */
  readonly toBegin: unknown;
  /** The trace of the decision; null when it was not traced. */
  readonly traceparent: string | null;
  /** The trace that the run was started in, for what is decided later; null for a start, or when it was not traced. */
  readonly begunIn: string | null;
  readonly run: StartDescription;
}

/**
 * How soon another process may take what a lost one has claimed. Longer than most deliveries take: an engine call has a
 * deadline of 2 s, an eager start one of 5 s, and before it come up to 3 s of calls. What takes longer is claimed again.
 */
const CLAIM_SECONDS = 10;
/** The ceiling of the backoff keeps SPEC REL-R33: runs start within 5 s after Temporal is back. */
const MAX_BACKOFF_SECONDS = 5;

// Only a start may overtake: a signal that reaches Temporal before its start would find nothing to signal.
// Organizations take turns, each in its own order, and none has more starts claimed than it has room for.
const CLAIM = `
  WITH removed AS (
    DELETE FROM outbox WHERE id = ANY($6::bigint[])
  ), waiting AS (
    SELECT id, organization_id, kind,
           row_number() OVER (PARTITION BY organization_id, kind = 'start' ORDER BY due_at, id) AS turn,
           count(*) OVER (PARTITION BY organization_id, kind = 'start') AS beside
    FROM outbox o
    WHERE due_at <= now() - make_interval(secs => $5::float8 / 1000)
      AND (kind = 'start' OR NOT EXISTS (
        SELECT 1 FROM outbox e
        WHERE e.root_run_pk = o.root_run_pk AND e.id < o.id AND e.due_at < 'infinity' AND e.id <> ALL ($6)))
  ), next AS (
    SELECT w.id, w.beside FROM waiting w
    LEFT JOIN unnest($3::uuid[], $4::int[]) AS n(organization_id, room) USING (organization_id)
    WHERE w.kind <> 'start' OR w.turn <= coalesce(n.room, $2::int)
    ORDER BY w.turn, w.id LIMIT $1
  ), due AS (
    SELECT id FROM outbox WHERE id IN (SELECT id FROM next) AND due_at <= now() FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE outbox SET due_at = now() + make_interval(secs => ${CLAIM_SECONDS}), tries = tries + 1
    FROM due WHERE outbox.id = due.id
    RETURNING outbox.*
  )
  SELECT c.id, c.kind, c.tries, c.organization_id, c.run_pk, c.root_run_pk, c.traceparent,
         CASE WHEN c.kind <> 'start' THEN (SELECT b.traceparent FROM runs b WHERE b.id = c.root_run_pk) END AS begun_in,
         extract(epoch FROM now() - c.created_at)::float8 AS age_seconds, n.beside::int AS due,
         u.advance > 0 AS has_begun, u.progress, r.*
  FROM claimed c JOIN next n ON n.id = c.id
  LEFT JOIN run_cursors u ON u.root_run_pk = c.root_run_pk AND c.kind = 'start'
  LEFT JOIN LATERAL (
    SELECT ${SEGMENT_COLUMNS}, deployment_id AS "deploymentId", workflow_version AS "workflowVersion",
           is_ad_hoc AS "isAdHoc", CASE WHEN $7 AND u.advance = 0 THEN ${RUN_INPUTS} END AS inputs
    FROM runs WHERE id = c.run_pk
  ) AS r ON true
  ORDER BY c.id`;

interface Claimed {
  id: number;
  kind: OutboxKind;
  tries: number;
  organization_id: string;
  run_pk: string;
  root_run_pk: string;
  traceparent: string | null;
  begun_in: string | null;
  age_seconds: number;
  due: number;
  has_begun: boolean | null;
  progress: string | null;
}

/** All null when the run is not there any more. */
interface ClaimedRun extends Segment {
  readonly deploymentId: string | null;
  readonly workflowVersion: string;
  readonly isAdHoc: boolean;
  readonly inputs: RunInputs | null;
}

/** Starts that one claim may take of an organization: `usual`, but for the organizations that are listed. */
export interface ClaimRoom {
  readonly usual: number;
  readonly organizationIds: readonly string[];
  readonly rooms: readonly number[];
}

export interface Claim {
  /** Entries at most. */
  readonly limit: number;
  readonly room: ClaimRoom;
  /** Leaves to others what has not been due for so long. */
  readonly patienceMs?: number;
  /** Entries to remove with it: they were delivered. */
  readonly delivered?: readonly number[];
  /** The claimer begins runs: what they begin with is read, which may be megabytes. */
  readonly begins?: boolean;
}

/** Takes due entries for 10 seconds; another process sees them only after that. */
export async function claimOutbox(
  sql: Sql,
  { limit, room, patienceMs = 0, delivered = [], begins = false }: Claim,
): Promise<OutboxEntry[]> {
  const { usual, organizationIds, rooms } = room;
  const params = [limit, usual, organizationIds, rooms, patienceMs, delivered, begins];
  const rows = await sql.query<Claimed & ClaimedRun>(CLAIM, params);
  return rows.map((row) => entryOf(row));
}

function entryOf(row: Claimed & ClaimedRun): OutboxEntry {
  const { id, kind, tries, organization_id, run_pk, root_run_pk, traceparent, begun_in, ...others } = row;
  const {
    age_seconds,
    due,
    has_begun,
    progress,
    inputs,
    deploymentId,
    workflowVersion,
    isAdHoc,
    ...segment
  } = others;
  const isThere = (segment.runPk as string | null) !== null;
  return {
    outboxId: id,
    kind,
    tries,
    ageSeconds: age_seconds,
    due,
    runPk: run_pk,
    runStatus: isThere ? segment.status : null,
    hasBegun: has_begun ?? false,
    toBegin: inputs === null ? null : { advance: 0, segment, inputs, progress },
    traceparent,
    begunIn: begun_in,
    run: {
      organizationId: organization_id,
      rootRunPk: root_run_pk,
      runId: isThere ? segment.runId : '',
      workflowId: segment.workflowId,
      deploymentId,
      workflowName: isThere ? segment.workflowName : '',
      workflowVersion: isThere ? workflowVersion : '',
      triggerType: isThere ? segment.triggerType : '',
      threadId: segment.threadId,
      isAdHoc: isThere && isAdHoc,
      rerunOf: segment.rerunOf,
    },
  };
}

/** Claims entries for another 10 seconds that the caller has claimed. */
export async function claimOn(sql: Sql, outboxIds: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE outbox SET due_at = now() + make_interval(secs => ${CLAIM_SECONDS})
     WHERE id = ANY($1::bigint[]) AND due_at < 'infinity'`,
    [outboxIds],
  );
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

/** The number of entries that wait for delivery; counts no further than `atMost`. */
export async function countOutbox(sql: Sql, atMost: number): Promise<number> {
  const rows = await sql.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM (SELECT 1 FROM outbox WHERE due_at < 'infinity' LIMIT $1) AS o`,
    [atMost],
  );
  return rows[0]?.waiting ?? 0;
}
