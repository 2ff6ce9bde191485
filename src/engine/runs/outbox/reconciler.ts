/**
 * The reconciler: compares silent open runs with Temporal and ends those whose execution is gone (SPEC REL-G4). It may run in
 * several processes, because every write is a compare-and-set.
 */
import type { ExecutionState, RunEngine, RunRef } from '../engine.ts';
import { releaseLostReservations } from '../../../platform/billing/budgets.ts';
import { settleLeftovers } from '../../../platform/billing/settlement.ts';
import type { Db } from '../../../base/db/client.ts';
import { PollLoop } from '../../../base/db/poll-loop.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { LOST, TERMINATED, cancelOpenWork, cancelTree } from '../ledger/write/cancel.ts';
import { closeRun } from '../ledger/write/events.ts';
import { readCurrentSegment } from '../ledger/write/segments.ts';
import { findQuietRuns, findRunningRun, findWaitingRuns, type OpenRun } from '../ledger/read/open-runs.ts';
import type { Logger } from '../../../base/log.ts';
import { noteStalledRuns } from '../../../base/observe/run-metrics.ts';
import { ForeignNamespace, type NamespaceGuard } from './namespace-guard.ts';
import { isStalled } from './stalled-runs.ts';

const SWEEP_MS = 10_000;
/** Interrupted runs are checked in every sixth sweep: they may wait for days. */
const SWEEPS_PER_WAITING = 6;
const BATCH = 100;
const CONCURRENCY = 8;
/** Failures of the code at one workflow task, after which no worker is expected to continue the run. */
const MAX_CODE_FAILURES = 5;
/** Attempts of a workflow task after which its failures are made visible, when none of the code is recorded yet. */
const HIDDEN_ATTEMPTS = 5;

interface Verdict {
  readonly status: 'failed' | 'cancelled';
  readonly code: string;
  readonly message: string;
}

const FAILED_AS_LOST: Verdict = { status: 'failed', ...LOST };
const VERDICTS: Readonly<Record<string, Verdict>> = {
  NOT_FOUND: FAILED_AS_LOST,
  COMPLETED: FAILED_AS_LOST,
  FAILED: FAILED_AS_LOST,
  TERMINATED: { status: 'failed', ...TERMINATED },
  TIMED_OUT: { status: 'failed', code: 'timed_out', message: 'The execution of the run timed out' },
  CANCELLED: { status: 'cancelled', code: 'cancelled', message: 'The run was cancelled by an operator' },
};
const POISON: Verdict = {
  status: 'failed',
  code: 'poison',
  message: 'The run could not be continued by any worker',
};

/** Returns how a running run must end, given the state of its execution; null when they agree. */
function judgeExecution(run: OpenRun, state: ExecutionState): Verdict | null {
  // The parent's interpreter starts a sub-workflow after its row is written, so it may not have started yet.
  if (state.status === 'NOT_FOUND' && run.isParentOpen) return null;
  return VERDICTS[state.status] ?? null;
}

interface ReconcilerDeps {
  readonly db: Db;
  readonly engine: RunEngine;
  readonly guard: NamespaceGuard;
  readonly log: Logger;
  /** For tests: Temporal waits seconds before each further attempt of a workflow task. */
  readonly maxCodeFailures?: number;
}

export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #loop: PollLoop;
  /** Root runs that `check` is looking at. */
  readonly #checked = new Set<string>();
  #sweeps = 0;
  // Each sweep continues where the last one ended: many healthy silent runs must not hide a lost one.
  #quietAfter: string | null = null;
  /** Stalled runs in the pages of quiet runs since the first one. */
  #stalled = 0;
  #waitingAfter: string | null = null;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: SWEEP_MS,
      round: async () => void (await this.sweep()),
      onError: (error) => deps.log.warn({ err: error }, 'open runs could not be reconciled'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Reconciles one batch. @returns the number of runs that it ended */
  async sweep(): Promise<number> {
    const { db, log } = this.#deps;
    // Reservations are released within 60 s of a crash (SPEC REL-G10).
    const settled = await settleLeftovers(db);
    if (settled > 0) log.warn({ settled }, 'leftover credit reservations were settled');
    await releaseLostReservations(db);
    if (!(await this.#mayJudge())) return 0;
    const quiet = await findQuietRuns(db, this.#quietAfter, BATCH);
    this.#quietAfter = quiet.length === BATCH ? (quiet.at(-1)?.runPk ?? null) : null;
    let ended = await this.#reconcile(quiet, (run, state) => {
      if (isStalled(state)) this.#stalled += 1;
      return this.#settle(run, state);
    });
    if (this.#quietAfter === null) this.#tellStalled();
    if (this.#sweeps % SWEEPS_PER_WAITING === 0) {
      const waiting = await findWaitingRuns(db, this.#waitingAfter, BATCH);
      this.#waitingAfter = waiting.length === BATCH ? (waiting.at(-1)?.rootRunPk ?? null) : null;
      ended += await this.#reconcile(waiting, (run, state) => this.#release(run, state));
    }
    this.#sweeps += 1;
    return ended;
  }

  /** Reconciles one run without delay: no activity of Temporal waits for an attempt of it. Never throws; the sweeps come to it otherwise. */
  async check(run: RunRef): Promise<void> {
    // All activities of a terminated run hear of it together.
    if (this.#checked.has(run.rootRunPk)) return;
    this.#checked.add(run.rootRunPk);
    try {
      const open = await findRunningRun(this.#deps.db, run);
      if (open === null || !(await this.#mayJudge())) return;
      await this.#reconcile([open], (found, state) => this.#settle(found, state));
    } catch (error) {
      this.#deps.log.debug(
        { err: error, run_pk: run.rootRunPk },
        'a run could not be compared with Temporal',
      );
    } finally {
      this.#checked.delete(run.rootRunPk);
    }
  }

  /** A foreign namespace has none of the executions, and one that does not answer tells nothing. */
  async #mayJudge(): Promise<boolean> {
    try {
      await this.#deps.guard.require();
      return true;
    } catch (error) {
      if (error instanceof ForeignNamespace) this.#deps.log.error(error.message);
      else this.#deps.log.debug({ err: error }, 'open runs could not be compared with Temporal');
      return false;
    }
  }

  async #reconcile(
    runs: readonly OpenRun[],
    judge: (run: OpenRun, state: ExecutionState) => Promise<boolean>,
  ): Promise<number> {
    const queries = new FairSemaphore({ capacity: CONCURRENCY, perOrganization: CONCURRENCY });
    const ended = await Promise.all(
      runs.map((run) =>
        queries.run(run.organizationId, async () => {
          try {
            const state = await this.#deps.engine.describe(run);
            if (state.status === 'NOT_FOUND') await this.#deps.guard.requireNow();
            return await judge(run, state);
          } catch (error) {
            const fields = { err: error, run_pk: run.runPk };
            this.#deps.log.debug(fields, 'an open run could not be compared with Temporal');
            return false;
          }
        }),
      ),
    );
    return ended.filter(Boolean).length;
  }

  #tellStalled(): void {
    noteStalledRuns(this.#stalled);
    if (this.#stalled > 0)
      this.#deps.log.warn(
        { stalled: this.#stalled },
        'runs do not come forward: their workflow tasks time out or fail; they go on when the workers do',
      );
    this.#stalled = 0;
  }

  async #settle(run: OpenRun, state: ExecutionState): Promise<boolean> {
    const { db, engine, log } = this.#deps;
    const verdict = isStalled(state) ? await this.#judgeStalled(run, state) : judgeExecution(run, state);
    if (verdict === null) {
      // The signal may have been lost in Temporal. A second one is harmless, since a signal only wakes the interpreter.
      if (run.hasAnswer && state.status === 'RUNNING') await this.#wake(run);
      return false;
    }
    const { status, code, message } = verdict;
    const error = { code, message, node_id: null };
    const closed = await db.transaction(async (tx) => {
      // Locked first: a parent that hears of the end of its child waits for the row, and reads why.
      const current = await readCurrentSegment(tx, run, true);
      if (current?.runPk !== run.runPk || current.status !== 'running') return false;
      if (verdict === POISON) await engine.terminate(run, message);
      const closing = { runPk: run.runPk, from: ['running'], status } as const;
      const done = await closeRun(
        tx,
        status === 'failed'
          ? { ...closing, payload: { error }, error }
          : { ...closing, payload: { reason: message }, reason: message },
      );
      if (done) await cancelOpenWork(tx, [run.rootRunPk], 'cancelled');
      return done;
    });
    if (closed)
      log.error(
        { run_pk: run.runPk, execution: state.status, code },
        'an open run was closed because its execution was not running',
      );
    return closed;
  }

  /** Only recorded failures of the code end a run: an attempt that times out tells of the machine, however often it does. */
  async #judgeStalled(run: OpenRun, state: ExecutionState): Promise<Verdict | null> {
    const { engine, log, maxCodeFailures = MAX_CODE_FAILURES } = this.#deps;
    const { byCode, isMissingKey, isUnrecorded } = await engine.readTaskFailures(run);
    if (isMissingKey) {
      log.error(
        { run_pk: run.runPk },
        'a run waits for a worker with its key: add the key to ENCRYPTION_KEYS',
      );
      return null;
    }
    if (byCode >= maxCodeFailures) return POISON;
    // An event makes Temporal record the next attempt, and a signal only wakes the interpreter.
    const isHidden = byCode > 0 || state.workflowTaskAttempt > HIDDEN_ATTEMPTS;
    if (isHidden && isUnrecorded) await engine.resume(run);
    return null;
  }

  async #wake(run: OpenRun): Promise<void> {
    this.#deps.log.warn({ run_pk: run.runPk }, 'the signal of an answer is sent again');
    await this.#deps.engine.resume(run);
  }

  /** Cancels an interrupted run whose execution is gone: an answer could not resume it. */
  async #release(run: OpenRun, state: ExecutionState): Promise<boolean> {
    const { db, log } = this.#deps;
    if (VERDICTS[state.status] === undefined) return false;
    const released = await db.transaction(async (tx) => {
      const current = await readCurrentSegment(tx, run, true);
      if (current?.runPk !== run.runPk || current.status !== 'interrupted') return false;
      return cancelTree(tx, run, 'The execution that waited for the answer no longer exists');
    });
    if (released)
      log.error(
        { run_pk: run.runPk, execution: state.status },
        'an interrupted run was cancelled because its execution was not running',
      );
    return released;
  }
}
