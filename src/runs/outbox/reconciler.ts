/**
 * The reconciler of last resort: compares open runs that have gone quiet with Temporal and writes down the truth, so
 * that no run stays open whose execution is gone (SPEC REL-G4). Runs everywhere; compare-and-set makes that harmless.
 */
import pLimit from 'p-limit';
import type { ExecutionState, RunEngine } from '../engine.ts';
import { settleLeftBehind } from '../../billing/settlement.ts';
import type { Db } from '../../db/client.ts';
import { PollLoop } from '../../db/poll-loop.ts';
import { abandonWork, cancelTree } from '../ledger/cancel.ts';
import { closeRun } from '../ledger/events.ts';
import { currentSegment } from '../ledger/segments.ts';
import { quietRuns, waitingRuns, type OpenRun } from '../ledger/open-runs.ts';
import type { Logger } from '../../log.ts';

const SWEEP_MS = 10_000;
/** Questions wait for days; whether their execution is still there is checked less often. */
const SWEEPS_PER_WAITING = 6;
const BATCH = 100;
const CONCURRENCY = 8;
/** The interpreter cannot proceed: its workflow task fails again and again. */
const MAX_WORKFLOW_TASK_ATTEMPTS = 5;

interface Verdict {
  readonly status: 'failed' | 'cancelled';
  readonly code: string;
  readonly message: string;
}

const LOST: Verdict = {
  status: 'failed',
  code: 'lost_execution',
  message: 'The execution of the run was lost',
};
const VERDICTS: Readonly<Record<string, Verdict>> = {
  NOT_FOUND: LOST,
  COMPLETED: LOST,
  FAILED: LOST,
  TERMINATED: { status: 'failed', code: 'terminated', message: 'The run was terminated by an operator' },
  TIMED_OUT: { status: 'failed', code: 'timed_out', message: 'The execution of the run timed out' },
  CANCELLED: { status: 'cancelled', code: 'cancelled', message: 'The run was cancelled by an operator' },
};
const POISON: Verdict = {
  status: 'failed',
  code: 'poison',
  message: 'The run could not be continued by any worker',
};

/** The end that an execution's state means for a row that says running; null when they agree. */
function judgeExecution(run: OpenRun, state: ExecutionState): Verdict | null {
  // The caller's interpreter starts a sub-workflow, after its row: it may still be about to.
  if (state.status === 'NOT_FOUND' && run.isParentOpen) return null;
  if (state.status === 'RUNNING' && state.workflowTaskAttempt > MAX_WORKFLOW_TASK_ATTEMPTS) return POISON;
  return VERDICTS[state.status] ?? null;
}

export interface ReconcilerDeps {
  readonly db: Db;
  readonly engine: RunEngine;
  readonly log: Logger;
}

export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #loop: PollLoop;
  #sweeps = 0;
  // Each sweep goes on where the one before ended: many quiet runs that are well must not hide one that is not.
  #quietAfter: string | null = null;
  #waitingAfter: string | null = null;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: SWEEP_MS,
      round: async () => void (await this.sweep()),
      failed: (error) => deps.log.warn({ err: error }, 'open runs could not be reconciled'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** One round. @returns how many runs were ended by it */
  async sweep(): Promise<number> {
    const { db, log } = this.#deps;
    // "Release <= 60 s after a crash" (SPEC REL-G10).
    const settled = await settleLeftBehind(db);
    if (settled > 0) log.warn({ settled }, 'credits were settled that had been left behind');
    const quiet = await quietRuns(db, this.#quietAfter, BATCH);
    this.#quietAfter = quiet.length === BATCH ? (quiet.at(-1)?.runPk ?? null) : null;
    let ended = await this.#reconcile(quiet, (run, state) => this.#settle(run, state));
    if (this.#sweeps % SWEEPS_PER_WAITING === 0) {
      const waiting = await waitingRuns(db, this.#waitingAfter, BATCH);
      this.#waitingAfter = waiting.length === BATCH ? (waiting.at(-1)?.rootRunPk ?? null) : null;
      ended += await this.#reconcile(waiting, (run, state) => this.#release(run, state));
    }
    this.#sweeps += 1;
    return ended;
  }

  async #reconcile(
    runs: readonly OpenRun[],
    judge: (run: OpenRun, state: ExecutionState) => Promise<boolean>,
  ): Promise<number> {
    const limit = pLimit(CONCURRENCY);
    const ended = await Promise.all(
      runs.map((run) =>
        limit(async () => {
          try {
            return await judge(run, await this.#deps.engine.describe(run));
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

  async #settle(run: OpenRun, state: ExecutionState): Promise<boolean> {
    const { db, engine, log } = this.#deps;
    const verdict = judgeExecution(run, state);
    if (verdict === null) {
      // A signal may be lost with what Temporal has lost, and it only wakes: one too many does nothing.
      if (run.hasAnswer && state.status === 'RUNNING') await this.#wake(run);
      return false;
    }
    if (verdict === POISON) await engine.terminate(run, verdict.message);
    const { status, code, message } = verdict;
    const error = { code, message, node_id: null };
    const closed = await db.transaction(async (tx) => {
      const closing = { runPk: run.runPk, from: ['running'], status } as const;
      const done = await closeRun(
        tx,
        status === 'failed'
          ? { ...closing, payload: { error }, error }
          : { ...closing, payload: { reason: message }, reason: message },
      );
      if (done) await abandonWork(tx, [run.rootRunPk], 'cancelled');
      return done;
    });
    if (closed)
      log.error(
        { run_pk: run.runPk, execution: state.status, code },
        'an open run was ended, because its execution was not running',
      );
    return closed;
  }

  async #wake(run: OpenRun): Promise<void> {
    this.#deps.log.warn({ run_pk: run.runPk }, 'a run is told again that it was answered');
    await this.#deps.engine.resume(run);
  }

  /** A question whose execution is gone can be asked no longer. */
  async #release(run: OpenRun, state: ExecutionState): Promise<boolean> {
    const { db, log } = this.#deps;
    if (VERDICTS[state.status] === undefined) return false;
    const released = await db.transaction(async (tx) => {
      const current = await currentSegment(tx, run, true);
      if (current?.runPk !== run.runPk || current.status !== 'interrupted') return false;
      return cancelTree(tx, run, 'The execution that asked is no longer there');
    });
    if (released)
      log.error({ run_pk: run.runPk, execution: state.status }, 'an interrupted run was cancelled');
    return released;
  }
}
