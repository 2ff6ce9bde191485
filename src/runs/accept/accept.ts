/**
 * Accepting a run: the row, its first event, its cursor and the outbox entry become durable together, in one
 * statement. From then on the run is promised (SPEC REL-G1), whatever happens to this process or to Temporal.
 */
import { randomUUID } from 'node:crypto';
import { refusalOf, type Admission } from '../../billing/admission.ts';
import { settle } from '../../billing/settlement.ts';
import type { Db, Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { noteRunAccepted } from '../../observe/metrics.ts';
import { activeTraceparent } from '../../observe/tracing.ts';
import { cancelUnsettled } from '../ledger/cancel.ts';
import { lockCurrentSegment } from '../ledger/current-segment.ts';
import {
  lockIdempotencyKey,
  readReply,
  storeReply,
  type IdempotencyKey,
  type StoredReply,
} from './idempotency.ts';
import { insertRuns, type InsertedRow, type RunToInsert } from './insert-runs.ts';
import { insertTogether } from './insert-together.ts';

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
}

type Insert = (run: RunToInsert) => Promise<InsertedRow>;

const insertAlone =
  (sql: Sql): Insert =>
  async (run) => {
    const [row] = await insertRuns(sql, [run]);
    if (row === undefined) throw new Error('the run was not inserted');
    return row;
  };

/**
 * Inserts a run with all that belongs to it, if the gate lets it in.
 * @returns null when its deployment is not the live one, and it had to be
 * @throws ApiError shape D
 */
async function insertIf(insert: Insert, run: NewRun, ifLive: boolean): Promise<AcceptedRun | null> {
  const runPk = randomUUID();
  const runId = randomUUID();
  const threadId = run.ephemeral ? null : (run.threadId ?? randomUUID());
  const traceparent = activeTraceparent();
  const row = await insert({
    ...rowOf(run),
    run_pk: runPk,
    run_id: runId,
    chat_id: randomUUID(),
    thread_id: threadId,
    traceparent,
    if_live: ifLive,
  });
  if (row.has_moved) return null;
  const refusal = refusalOf(row);
  if (refusal !== null) throw refusal;
  return { runPk, runId, threadId, chatId: row.chat_id, createdAt: row.created_at };
}

/** Inserts a run as insertIf does, whichever deployment is live. */
async function insertRun(insert: Insert, run: NewRun): Promise<AcceptedRun> {
  const accepted = await insertIf(insert, run, false);
  if (accepted === null) throw new Error('a run that may be of any deployment was refused for its own');
  return accepted;
}

/** What is inserted of a run, but for what is made up on the spot. */
function rowOf(
  run: NewRun,
): Omit<RunToInsert, 'run_pk' | 'run_id' | 'chat_id' | 'thread_id' | 'traceparent' | 'if_live'> {
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
  return {
    organization_id: run.organizationId,
    created_by: run.createdBy,
    chat_kind: run.chatKind,
    said: run.said,
    workflow_id: run.workflowId,
    deployment_id: run.deploymentId,
    deployment_version: run.deploymentVersion,
    definition_hash: run.definitionHash,
    workflow_name: run.workflowName,
    workflow_version: run.workflowVersion,
    workflow_source: run.workflowSource,
    trigger_type: run.triggerType,
    is_ad_hoc: run.isAdHoc,
    is_private: run.isPrivate,
    ephemeral: run.ephemeral,
    stream: run.stream,
    config_text: JSON.stringify(config),
    input_text: JSON.stringify({ ...run.workflowInput, ...run.runInput }),
    started_text: JSON.stringify(started),
    definition_text: run.definitionText,
    amount_mc: run.admission?.amountMc ?? 0,
    monthly_mc: run.admission?.monthlyMc ?? null,
    is_paid: run.admission?.isPaid ?? false,
    run_rate: run.admission?.runRate ?? null,
  };
}

/** A new run on a thread replaces one that still waits there: nobody may answer its questions any more (SPEC RUN-4.1). */
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
export async function acceptIn(tx: Sql, run: NewRun): Promise<AcceptedRun> {
  if (run.threadId !== null && !run.ephemeral) await supersedeWaiting(tx, run.organizationId, run.threadId);
  return insertRun(insertAlone(tx), run);
}

/** On a thread of its own, a run has nothing to supersede: one statement is the whole transaction, and may hold more runs. */
export const isAlone = (run: Pick<NewRun, 'threadId' | 'ephemeral'>): boolean =>
  run.threadId === null || run.ephemeral;

/**
 * Accepts a run: when this returns it is durable, and the dispatcher may be kicked.
 * @throws ApiError shape D when the gate refuses it; then nothing was written
 */
export async function acceptRun(db: Db, run: NewRun): Promise<AcceptedRun> {
  const accepted = await (isAlone(run)
    ? insertRun((row) => insertTogether(db, row), run)
    : db.transaction((tx) => acceptIn(tx, run)));
  noteRunAccepted(run.triggerType);
  return accepted;
}

/**
 * Accepts a run on a thread of its own, if its deployment is the live one at this moment.
 * @returns null when it is not; then nothing was written, and the gate was not asked
 * @throws ApiError shape D, as acceptRun
 */
export async function acceptIfLive(db: Db, run: NewRun): Promise<AcceptedRun | null> {
  const accepted = await insertIf((row) => insertTogether(db, row), run, true);
  if (accepted !== null) noteRunAccepted(run.triggerType);
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
