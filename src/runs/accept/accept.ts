/**
 * Accepting a run: the row, its first event, its cursor and the outbox entry become durable together, in one
 * statement. From then on the run is promised (SPEC REL-G1), whatever happens to this process or to Temporal.
 */
import { randomUUID } from 'node:crypto';
import { refusalOf, type Admission } from '../../billing/admission.ts';
import { settle } from '../../billing/settlement.ts';
import { Batcher } from '../../db/batcher.ts';
import type { Db, Tx } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { noteRunAccepted } from '../../observe/metrics.ts';
import { activeTraceparent } from '../../observe/tracing.ts';
import { cancelUnsettled } from '../ledger/cancel.ts';
import { writeBeginning, type Beginning } from '../ledger/beginning.ts';
import { lockCurrentSegment } from '../ledger/current-segment.ts';
import {
  lockIdempotencyKey,
  readReply,
  storeReply,
  type IdempotencyKey,
  type StoredReply,
} from './idempotency.ts';
import { insertRuns, type InsertedRow, type RunToInsert } from './insert-runs.ts';
import { KeyedLimit } from './keyed-limit.ts';

/** Statements of one organization under way that insert what was requested at the same moment. */
const CONCURRENT_BATCHES = 2;
/**
 * Transactions of one organization under way: fewer than half of the pool's connections (db/client.ts), and more than
 * the event loop keeps busy.
 */
export const CONCURRENT_TRANSACTIONS = 8;

export interface NewRun {
  readonly organizationId: string;
  readonly createdBy: string | null;
  readonly workflowId: string | null;
  readonly deploymentId: string | null;
  readonly deploymentVersion: string | null;
  readonly definitionHash: string;
  /** Null: the definition is stored already (definitions.ts). Else it is stored with the run. */
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
  /** The person's words, for the list of chats. */
  readonly messagePreview: string;
  readonly recursionLimit: number;
  readonly batchIntervalMs: number;
  /** Default input of the workflow; the run's own input wins key by key. */
  readonly workflowInput: JsonObject;
  readonly runInput: JsonObject;
  /** The run that this one runs again; undefined for a first one. */
  readonly again?: {
    readonly runId: string;
    readonly childDepth: number;
  };
  /** Where it begins, when that is not at the start of its graph. */
  readonly beginning?: Beginning | null;
}

export interface AcceptedRun {
  readonly runPk: string;
  readonly runId: string;
  /** Null for an ephemeral run. */
  readonly threadId: string | null;
  readonly chatId: string;
  readonly createdAt: Date;
}

/** The row of a new run, with ids of its own. */
function rowOf(run: NewRun): RunToInsert {
  const started: JsonObject = {
    workflow_id: run.workflowId,
    workflow_name: run.workflowName,
    workflow_version: run.workflowVersion,
    workflow_source: run.workflowSource,
    deployment_id: run.deploymentId,
    ephemeral: run.ephemeral,
    reason: run.again === undefined ? 'initial' : 'rerun',
    resumed_from_run_id: null,
    rerun_of: run.again?.runId ?? null,
  };
  const config: JsonObject = {
    recursion_limit: run.recursionLimit,
    batch_interval_ms: run.batchIntervalMs,
    workflow_input: run.workflowInput,
    run_input: run.runInput,
  };
  return {
    run_pk: randomUUID(),
    run_id: randomUUID(),
    chat_id: randomUUID(),
    thread_id: run.ephemeral ? null : (run.threadId ?? randomUUID()),
    traceparent: activeTraceparent(),
    organization_id: run.organizationId,
    created_by: run.createdBy,
    chat_kind: run.chatKind,
    message_preview: run.messagePreview,
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
    rerun_of: run.again?.runId ?? null,
    child_depth: run.again?.childDepth ?? 0,
  };
}

/** A new run on a thread replaces one that still waits there: nobody may answer its questions any more (SPEC RUN-4.1). */
async function supersedeWaiting(tx: Tx, organizationId: string, threadId: string): Promise<void> {
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
      ended.push(...(await cancelUnsettled(tx, run, { reason, questions: 'superseded' })));
    }
  }
  if (ended.length > 0) await settle(tx, ended);
}

/** @throws ApiError shape D when the gate refused the run; then nothing of it was written */
function acceptedOf(row: RunToInsert, inserted: InsertedRow | undefined): AcceptedRun {
  if (inserted === undefined) throw new Error('the run was not inserted');
  const refusal = refusalOf(inserted);
  if (refusal !== null) throw refusal;
  return {
    runPk: row.run_pk,
    runId: row.run_id,
    threadId: row.thread_id,
    chatId: inserted.chat_id,
    createdAt: inserted.created_at,
  };
}

/**
 * Accepts a run with whatever else the caller's transaction writes.
 * @throws ApiError shape D when the gate refuses it: roll back then
 */
export async function acceptIn(tx: Tx, run: NewRun): Promise<AcceptedRun> {
  if (run.threadId !== null && !run.ephemeral) await supersedeWaiting(tx, run.organizationId, run.threadId);
  const row = rowOf(run);
  const [inserted] = await insertRuns(tx, [row]);
  const accepted = acceptedOf(row, inserted);
  if (run.beginning) await writeBeginning(tx, row.run_pk, run.beginning);
  return accepted;
}

/** The stored answer of a key, or why there is none: `in_flight`, or `reused` with another body. */
export type AcceptedOnce =
  | StoredReply
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'accepted'; readonly response: JsonObject };

/**
 * Accepts the runs that are requested of this process. Each locks the account of its organization, so that runs of one
 * organization wait for each other: in one statement where they can share it, else outside of the connection pool.
 */
export class RunAcceptor {
  readonly #db: Db;
  readonly #batches: Batcher<RunToInsert, InsertedRow>;
  readonly #transactions = new KeyedLimit(CONCURRENT_TRANSACTIONS);

  constructor(db: Db) {
    this.#db = db;
    this.#batches = new Batcher<RunToInsert, InsertedRow>({
      run: async (rows) => (await insertRuns(db, rows)).toSorted((a, b) => a.place - b.place),
      maxConcurrent: CONCURRENT_BATCHES,
      keyOf: (row) => row.organization_id,
    });
  }

  /**
   * Accepts a run: when this resolves it is durable, and the dispatcher may be kicked.
   * @throws ApiError shape D when the gate refuses it; then nothing was written
   */
  async accept(run: NewRun): Promise<AcceptedRun> {
    const { organizationId } = run;
    const continuesThread = run.threadId !== null && !run.ephemeral;
    const accepted =
      continuesThread || run.beginning
        ? await this.#transact(organizationId, (tx) => acceptIn(tx, run))
        : await this.#insert(rowOf(run));
    noteRunAccepted(run.triggerType);
    return accepted;
  }

  /**
   * Accepts a run at most once per idempotency key.
   * @param respond makes the answer that later requests with the same key get, too
   * @throws ApiError shape D when the gate refuses it; a stored answer passes no gate
   */
  async acceptOnce(
    run: NewRun,
    key: IdempotencyKey,
    respond: (accepted: AcceptedRun) => JsonObject,
  ): Promise<AcceptedOnce> {
    const outcome = await this.#transact(run.organizationId, async (tx): Promise<AcceptedOnce> => {
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

  /** A run on a thread of its own supersedes nothing: one statement is its transaction, which others may share. */
  async #insert(row: RunToInsert): Promise<AcceptedRun> {
    return acceptedOf(row, await this.#batches.add(row));
  }

  #transact<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transactions.run(organizationId, () => this.#db.transaction(work));
  }
}
