/**
 * Accepts runs: the row, its first event, its cursor and the outbox entry become durable in one statement. From then on the
 * run is guaranteed to end or to wait for an answer (SPEC REL-G1), whatever happens to this process or to Temporal.
 */
import { toRefusal } from '../../../platform/billing/admission.ts';
import { settle } from '../../../platform/billing/settlement.ts';
import { Batcher } from '../../../base/db/batcher.ts';
import type { Db, Tx } from '../../../base/db/client.ts';
import { ApiError, conflict, notFound } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { noteRunAccepted } from '../../../base/observe/metrics.ts';
import { claimRequests } from '../ledger/questions/settled-outcomes.ts';
import { lockReusedRun, writeRerunStart } from '../ledger/write/rerun-start.ts';
import { cancelUnsettled } from '../ledger/write/cancel.ts';
import {
  lockIdempotencyKey,
  readReply,
  storeReply,
  type IdempotencyKey,
  type StoredReply,
} from '../ledger/write/idempotency-keys.ts';
import {
  buildRow,
  insertRuns,
  redactRun,
  type InsertedRun,
  type NewRun,
  type RunRow,
} from '../ledger/write/insert-runs.ts';
import { readCurrentSegment } from '../ledger/write/segments.ts';
import { findWaiting, type ThreadKey } from '../ledger/read/threads.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';

/** Concurrent insert statements of one organization; each inserts the runs requested in the meantime. */
const CONCURRENT_BATCHES = 2;
/**
 * Concurrent transactions of one organization: fewer than half of the pool's connections (db/client.ts), and more than the
 * event loop keeps busy.
 */
const CONCURRENT_TRANSACTIONS = 8;

export interface AcceptedRun {
  readonly runPk: string;
  readonly runId: string;
  /** Null for an ephemeral run. */
  readonly threadId: string | null;
  readonly chatId: string | null;
  readonly createdAt: Date;
  /** Redacted, unlike that of the request. */
  readonly messagePreview: string;
}

/** Cancels the runs that wait on a thread, because a new run replaces them and closes their questions (SPEC RUN-4.1). */
async function supersedeWaiting(tx: Tx, thread: ThreadKey): Promise<void> {
  const ended: string[] = [];
  for (const run of await findWaiting(tx, thread)) {
    const current = await readCurrentSegment(tx, run, true);
    if (current?.runPk !== run.runPk) continue;
    const reason = 'Superseded by a newer run on the thread';
    ended.push(...(await cancelUnsettled(tx, run, { reason, questions: 'superseded' })));
  }
  if (ended.length > 0) await settle(tx, ended);
}

/** An accepted run, or why the gate refused it (shape D). */
export type Receipt = AcceptedRun | ApiError;

function toReceipt(row: RunRow, inserted: InsertedRun | undefined): Receipt {
  const refusal = inserted === undefined ? null : toRefusal(inserted);
  if (refusal !== null) return refusal;
  if (!inserted?.created_at) throw new Error('the run was not inserted');
  const { runPk, runId, threadId, messagePreview } = row;
  return {
    runPk,
    runId,
    threadId,
    chatId: inserted.chat_id,
    createdAt: inserted.created_at,
    messagePreview,
  };
}

/** @throws ApiError shape D when the gate refused the run; nothing was written then */
function requireAdmitted(row: RunRow, inserted: InsertedRun | undefined): AcceptedRun {
  const receipt = toReceipt(row, inserted);
  if (receipt instanceof ApiError) throw receipt;
  return receipt;
}

/** @throws ApiError 404 and 409 when the run whose steps are reused, or its values, were deleted since they were chosen */
async function requireReused(tx: Tx, { organizationId, rerunOf, rerunStart }: NewRun): Promise<void> {
  if (!rerunOf || !rerunStart || rerunStart.steps.length + rerunStart.items.length === 0) return;
  const state = await lockReusedRun(tx, { organizationId, runId: rerunOf });
  if (state === 'deleted') throw notFound('Workflow run', 'run');
  if (state === 'empty') throw valuesDeleted();
}

/** @throws ApiError 409 when another rerun has begun meanwhile that sends the same request */
async function requireUnsent(tx: Tx, runPk: string, { sentSteps = [] }: NewRun): Promise<void> {
  if (sentSteps.length > 0 && !(await claimRequests(tx, runPk, sentSteps)))
    throw conflict('run_not_reusable', 'Another rerun sends the request whose outcome was unknown');
}

/** The error for a rerun of a run whose values were deleted. */
export const valuesDeleted = (): ApiError =>
  conflict('values_deleted', 'The inputs and outputs of the run were deleted. Start a new run');

/**
 * Accepts a run in the caller's transaction.
 * @throws ApiError shape D when the gate refuses it, and as requireReused; the caller must roll back
 */
export async function acceptIn(tx: Tx, given: NewRun): Promise<AcceptedRun> {
  const run = redactRun(given);
  const { organizationId, threadId } = run;
  if (threadId !== null && !run.ephemeral) await supersedeWaiting(tx, { organizationId, threadId });
  const row = buildRow(run);
  const [inserted] = await insertRuns(tx, [row]);
  const accepted = requireAdmitted(row, inserted);
  // After the account: deletions of runs take their locks in this order, too.
  await requireReused(tx, run);
  await requireUnsent(tx, row.runPk, run);
  if (run.rerunStart) await writeRerunStart(tx, row.runPk, run.rerunStart);
  return accepted;
}

/** The outcome of a request with a key: the stored answer, a new one, or `in_flight` while another request holds the key. */
export type AcceptedOnce =
  | StoredReply
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'accepted'; readonly response: JsonObject };

/**
 * Accepts the runs of this process. Each run locks the account of its organization, so runs of one organization
 * wait for each other: they share a statement where possible, and otherwise wait outside of the connection pool.
 */
export class RunAcceptor {
  readonly #db: Db;
  readonly #batches: Batcher<RunRow, InsertedRun>;
  readonly #transactions = new FairSemaphore({
    capacity: Infinity,
    perOrganization: CONCURRENT_TRANSACTIONS,
  });

  constructor(db: Db) {
    this.#db = db;
    this.#batches = new Batcher<RunRow, InsertedRun>({
      run: (rows) => insertRuns(db, rows),
      maxConcurrent: CONCURRENT_BATCHES,
      getKey: (row) => row.organizationId,
    });
  }

  /**
   * Accepts a run: when this resolves it is durable, and the dispatcher may be kicked.
   * @throws ApiError shape D when the gate refuses it; then nothing was written
   */
  async accept(run: NewRun): Promise<AcceptedRun> {
    const { organizationId } = run;
    const continuesThread = run.threadId !== null && !run.ephemeral;
    const claims = (run.sentSteps ?? []).length > 0;
    const accepted =
      continuesThread || run.rerunStart || claims
        ? await this.#transact(organizationId, (tx) => acceptIn(tx, run))
        : await this.#insert(buildRow(run));
    noteRunAccepted(run.triggerType);
    return accepted;
  }

  /**
   * Accepts a run at most once per idempotency key; without a key every time.
   * @param respond builds the answer, which later requests with the same key get as well
   * @throws ApiError shape D when the gate refuses it; a stored answer is returned without the gate
   */
  async acceptOnce(
    run: NewRun,
    key: IdempotencyKey | null,
    respond: (accepted: AcceptedRun) => JsonObject,
  ): Promise<AcceptedOnce> {
    if (key === null) return { kind: 'accepted', response: respond(await this.accept(run)) };
    const outcome = await this.#answerOnce(run.organizationId, key, async (tx) =>
      respond(await acceptIn(tx, run)),
    );
    if (outcome.kind === 'accepted') noteRunAccepted(run.triggerType);
    return outcome;
  }

  /**
   * Accepts the runs that the gate admits, all in one transaction. Each opens a thread of its own.
   * @param respond builds the answer from a receipt for each run, in their order
   * @throws ApiError shape D when the gate refuses every run; nothing was written then, and the key is free
   */
  async acceptBatch(
    runs: readonly NewRun[],
    key: IdempotencyKey | null,
    respond: (receipts: readonly Receipt[]) => JsonObject,
  ): Promise<AcceptedOnce> {
    const rows = runs.map(buildRow);
    const [first] = rows;
    if (first === undefined) throw new Error('a batch has at least one run');
    let admitted = 0;
    const outcome = await this.#answerOnce(first.organizationId, key, async (tx) => {
      const inserted = await insertRuns(tx, rows);
      const receipts = rows.map((row, index) => toReceipt(row, inserted[index]));
      const refusal = receipts.find((receipt) => receipt instanceof ApiError);
      admitted = receipts.filter((receipt) => !(receipt instanceof ApiError)).length;
      if (admitted === 0 && refusal instanceof ApiError) throw refusal;
      return respond(receipts);
    });
    if (outcome.kind === 'accepted')
      for (let count = 0; count < admitted; count += 1) noteRunAccepted(first.triggerType);
    return outcome;
  }

  /** Accepts a run together with other writes, in the transaction of `work`, which calls `acceptIn`. */
  acceptWithin<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact(organizationId, work);
  }

  /** Inserts a run on a new thread: it supersedes nothing, so one statement is enough, and runs can share it. */
  async #insert(row: RunRow): Promise<AcceptedRun> {
    return requireAdmitted(row, await this.#batches.add(row));
  }

  /**
   * Runs a transaction that locks a run or the account of an organization, when it is its turn: those that wait for the lock would hold the
   * connections of all organizations.
   */
  inTurn<T>(organizationId: string, transact: () => Promise<T>): Promise<T> {
    return this.#transactions.run(organizationId, transact);
  }

  /** Answers a request once per key: the stored answer of an earlier request, or that of `accept`, which is stored. */
  #answerOnce(
    organizationId: string,
    key: IdempotencyKey | null,
    accept: (tx: Tx) => Promise<JsonObject>,
  ): Promise<AcceptedOnce> {
    return this.#transact(organizationId, async (tx) => {
      if (key !== null && !(await lockIdempotencyKey(tx, key))) return { kind: 'in_flight' };
      const stored = key === null ? null : await readReply(tx, key);
      if (stored !== null) return stored;
      const response = await accept(tx);
      if (key !== null) await storeReply(tx, key, response);
      return { kind: 'accepted', response };
    });
  }

  #transact<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const db = this.#db.within({ request: '', organizationId });
    return this.inTurn(organizationId, () => db.transaction(work));
  }
}
