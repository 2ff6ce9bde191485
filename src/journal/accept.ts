/**
 * Accepting a run: the row, its first event, its cursor and the outbox entry become durable together, in one
 * statement. From then on the run is promised (reliability G1), whatever happens to this process or to Temporal.
 */
import { randomUUID } from 'node:crypto';
import { admitParams, refusalOf, type Admission, type Verdict } from '../billing/admission.ts';
import { settle } from '../billing/settlement.ts';
import type { Db, Sql } from '../db/client.ts';
import type { JsonObject } from '../graph/value.ts';
import { noteRunAccepted } from '../observe/metrics.ts';
import { activeTraceparent } from '../observe/tracing.ts';
import { cancelUnsettled } from './cancel.ts';
import { lockCurrentSegment } from './current-segment.ts';
import {
  lockIdempotencyKey,
  readReply,
  storeReply,
  type IdempotencyKey,
  type StoredReply,
} from './idempotency.ts';
import { OWN_CLAIM_SECONDS, type OutboxEntry } from './outbox.ts';

export interface NewRun {
  readonly organizationId: string;
  readonly createdBy: string | null;
  readonly workflowId: string | null;
  readonly deploymentId: string | null;
  readonly deploymentVersion: string | null;
  readonly definitionHash: string;
  /** Null: the definition is stored already (journal/definitions.ts). Else it is stored with the run. */
  readonly definitionText: string | null;
  /** The billing gate that the run has to pass; null where nobody pays for it. */
  readonly admission: Admission | null;
  readonly workflowName: string;
  readonly workflowVersion: string;
  /** `database`, `request` or `system:<name>`. */
  readonly workflowSource: string;
  readonly triggerType: 'api' | 'chat' | 'schedule';
  readonly isAdHoc: boolean;
  readonly isPrivate: boolean;
  readonly ephemeral: boolean;
  readonly stream: boolean;
  /** The thread to continue; null opens a new one. */
  readonly threadId: string | null;
  readonly chatKind: 'workflow' | 'assistant' | 'composer';
  /** What the person said, for the list of chats. */
  readonly said: string;
  readonly recursionLimit: number;
  readonly batchIntervalMs: number;
  /** Default input of the workflow; the run's own input wins key by key. */
  readonly workflowInput: JsonObject;
  readonly runInput: JsonObject;
}

export interface AcceptedRun {
  readonly runPk: string;
  readonly runId: string;
  /** Null for an ephemeral run. */
  readonly threadId: string | null;
  readonly chatId: string;
  readonly createdAt: Date;
  /** The outbox entry of its start, claimed for the caller who asked for it; else null. */
  readonly claimed: OutboxEntry | null;
}

// The gate stands in the statement itself: it costs no round trip, and what it refuses leaves nothing.
const INSERT_RUN = `
  WITH verdict AS (
    SELECT * FROM admit($1::uuid, $3::uuid, $25::bigint, $26::bigint, $27::boolean, $28::integer, NULL)
  ), definition AS (
    INSERT INTO definitions (organization_id, hash, definition)
    SELECT $3, $12, $24::json FROM verdict WHERE refusal IS NULL AND $24::text IS NOT NULL
    ON CONFLICT DO NOTHING
  ), chat AS (
    INSERT INTO chats (id, organization_id, user_id, thread_id, kind, title, last_message_preview, message_count, workflow_id)
    SELECT $4, $3, $5, $6::text, $7, left($8::text, 80), left($8::text, 200), 1, $9
    FROM verdict WHERE refusal IS NULL AND $6::text IS NOT NULL
    ON CONFLICT (organization_id, thread_id) DO UPDATE
      SET updated_at = now(), last_message_preview = excluded.last_message_preview, message_count = chats.message_count + 1
    RETURNING id
  ), run AS (
    INSERT INTO runs (id, run_id, root_run_pk, organization_id, chat_id, created_by, thread_id, workflow_id,
                      deployment_id, deployment_version, definition_hash, workflow_name, workflow_version,
                      workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, stream, config, input, last_seq)
    SELECT $1, $2, $1, $3, coalesce((SELECT id FROM chat), $4), $5, $6, $9,
           $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21::json, $22::json, 1
    FROM verdict WHERE refusal IS NULL
    RETURNING id, chat_id, created_at
  ), event AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT id, 1, 'run_started', (left($23::text, -1) || ',"chat_id":"' || chat_id || '"}')::json FROM run
  ), cursor AS (
    INSERT INTO run_cursors (root_run_pk) SELECT id FROM run
  ), told AS (
    -- A scheduled run is started by its schedule's execution, as its child (interpreter/scheduled.ts).
    INSERT INTO outbox (kind, organization_id, run_pk, root_run_pk, traceparent, tries, due_at)
    SELECT 'start', $3, id, id, $29::text, $30::boolean::int,
           now() + make_interval(secs => CASE WHEN $30 THEN ${OWN_CLAIM_SECONDS} ELSE 0 END)
    FROM run WHERE $16::text <> 'schedule'
    RETURNING id
  )
  SELECT verdict.*, run.chat_id, run.created_at, (SELECT id FROM told) AS outbox_id FROM verdict LEFT JOIN run ON true`;

interface InsertedRow extends Verdict {
  readonly chat_id: string;
  readonly created_at: Date;
  readonly outbox_id: number | null;
}

/**
 * Inserts a run with all that belongs to it, if the gate lets it in.
 * @param claims claims the entry of its start for the caller
 * @throws ApiError shape D
 */
async function insertRun(sql: Sql, run: NewRun, claims: boolean): Promise<AcceptedRun> {
  const runPk = randomUUID();
  const runId = randomUUID();
  const threadId = run.ephemeral ? null : (run.threadId ?? randomUUID());
  const started: JsonObject = {
    workflow_id: run.workflowId,
    workflow_name: run.workflowName,
    workflow_version: run.workflowVersion,
    workflow_source: run.workflowSource,
    deployment_id: run.deploymentId,
    ephemeral: run.ephemeral,
    reason: 'initial',
    resumed_from_run_id: null,
  };
  const config: JsonObject = {
    recursion_limit: run.recursionLimit,
    batch_interval_ms: run.batchIntervalMs,
    workflow_input: run.workflowInput,
    run_input: run.runInput,
  };
  const traceparent = activeTraceparent();
  const rows = await sql.query<InsertedRow>(INSERT_RUN, [
    runPk,
    runId,
    run.organizationId,
    randomUUID(),
    run.createdBy,
    threadId,
    run.chatKind,
    run.said,
    run.workflowId,
    run.deploymentId,
    run.deploymentVersion,
    run.definitionHash,
    run.workflowName,
    run.workflowVersion,
    run.workflowSource,
    run.triggerType,
    run.isAdHoc,
    run.isPrivate,
    run.ephemeral,
    run.stream,
    JSON.stringify(config),
    JSON.stringify({ ...run.workflowInput, ...run.runInput }),
    JSON.stringify(started),
    run.definitionText,
    ...admitParams(run.admission),
    traceparent,
    claims,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('the run was not inserted');
  const refusal = refusalOf(row);
  if (refusal !== null) throw refusal;
  const accepted = { runPk, runId, threadId, chatId: row.chat_id, createdAt: row.created_at };
  const { outbox_id: outboxId } = row;
  if (!claims || outboxId === null) return { ...accepted, claimed: null };
  return { ...accepted, claimed: claimedStart(outboxId, run, { runPk, runId, threadId, traceparent }) };
}

/** The entry of a run's start as `claimOutbox` would return it. */
function claimedStart(
  outboxId: number,
  run: NewRun,
  made: Pick<AcceptedRun, 'runPk' | 'runId' | 'threadId'> & { readonly traceparent: string | null },
): OutboxEntry {
  const { runPk, runId, threadId, traceparent } = made;
  const { organizationId, workflowId, deploymentId, workflowName, workflowVersion, triggerType, isAdHoc } =
    run;
  return {
    outboxId,
    kind: 'start',
    tries: 1,
    ageSeconds: 0,
    runPk,
    runStatus: 'running',
    hasBegun: false,
    traceparent,
    run: {
      organizationId,
      rootRunPk: runPk,
      runId,
      workflowId,
      deploymentId,
      workflowName,
      workflowVersion,
      triggerType,
      threadId,
      isAdHoc,
    },
  };
}

/** A new run on a thread replaces one that still waits there: nobody may answer its questions any more (runs, 4.1). */
async function supersedeWaiting(tx: Sql, organizationId: string, threadId: string): Promise<void> {
  const waiting = await tx.query<{ run_pk: string; root_run_pk: string }>(
    `SELECT r.id AS run_pk, r.root_run_pk FROM runs r
     WHERE r.organization_id = $1 AND r.thread_id = $2 AND r.status = 'interrupted' AND r.parent_run_pk IS NULL
       AND NOT EXISTS (SELECT 1 FROM runs s WHERE s.root_run_pk = r.root_run_pk AND s.resumed_from_run_pk = r.id)
     ORDER BY r.root_run_pk`,
    [organizationId, threadId],
  );
  const ended: string[] = [];
  for (const row of waiting) {
    const run = { organizationId, runPk: row.run_pk, rootRunPk: row.root_run_pk };
    const current = await lockCurrentSegment(tx, run.rootRunPk);
    if (current?.runPk === run.runPk) {
      const reason = 'Superseded by a newer run on the thread';
      ended.push(...(await cancelUnsettled(tx, run, reason, 'superseded')));
    }
  }
  if (ended.length > 0) await settle(tx, ended);
}

/** Accepts a run with whatever else the caller's transaction writes. @throws ApiError shape D: roll back then */
export async function acceptIn(tx: Sql, run: NewRun, claims = false): Promise<AcceptedRun> {
  if (run.threadId !== null && !run.ephemeral) await supersedeWaiting(tx, run.organizationId, run.threadId);
  return insertRun(tx, run, claims);
}

/**
 * Accepts a run: when this returns it is durable, and the dispatcher may be kicked; or may deliver what it claims.
 * @param claims claims the entry of the start for the caller, for some seconds
 * @throws ApiError shape D when the gate refuses it; then nothing was written
 */
export async function acceptRun(db: Db, run: NewRun, claims = false): Promise<AcceptedRun> {
  // A thread of its own has nothing to supersede: one statement is the whole transaction.
  const isAlone = run.threadId === null || run.ephemeral;
  const accepted = await (isAlone
    ? insertRun(db, run, claims)
    : db.transaction((tx) => acceptIn(tx, run, claims)));
  noteRunAccepted(run.triggerType);
  return accepted;
}

/**
 * Accepts a run at most once per idempotency key.
 * @param respond makes the answer that later requests with the same key get, too
 * @returns the stored answer, or why there is none: `in_flight`, or `reused` with another body
 * @throws ApiError shape D when the gate refuses it; a stored answer passes no gate
 */
export async function acceptRunOnce(
  db: Db,
  run: NewRun,
  key: IdempotencyKey,
  respond: (accepted: AcceptedRun) => JsonObject,
): Promise<
  StoredReply | { readonly kind: 'in_flight' } | { readonly kind: 'accepted'; readonly response: JsonObject }
> {
  type Outcome = Awaited<ReturnType<typeof acceptRunOnce>>;
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    if (!(await lockIdempotencyKey(tx, key))) return { kind: 'in_flight' };
    const stored = await readReply(tx, key);
    if (stored !== null) return stored;
    const response = respond(await acceptIn(tx, run));
    await storeReply(tx, key, response);
    return { kind: 'accepted', response };
  });
  if (outcome.kind === 'accepted') noteRunAccepted(run.triggerType);
  return outcome;
}
