/**
 * Works on evaluations in a worker. Recorded cases are rehearsed here; others run for real, a few at a time, and this looks for their ends.
 * All that it knows stands in the rows: a killed worker has started a run with the note of it, or has not.
 */
import { PollLoop } from '../../../base/db/poll-loop.ts';
import { isTransientDatabaseError } from '../../../base/db/transient-error.ts';
import type { RehearseDeps } from '../rehearsals/rehearse-run.ts';
import { cancelEvaluationRow, claimEvaluation, releaseEvaluation, type ClaimedEvaluation } from './store.ts';
import { TrialWork } from './trial-work.ts';
import { OPEN_RUNS, type TrialRunDeps } from './trial-runs.ts';
import { findPendingTrial, listRunningTrials } from './trial-store.ts';

const POLL_MS = 1_000;
/** After it another evaluation has its turn. With the walk of one case it stays below the claim (store.ts). */
const SLICE_MS = 5_000;
/** Between two looks at open runs. */
const LOOK_MS = 500;

export type EvaluationDeps = RehearseDeps & TrialRunDeps;

export class EvaluationRunner {
  readonly #deps: EvaluationDeps;
  readonly #loop: PollLoop;
  #isStopping = false;

  constructor(deps: EvaluationDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: () => this.#round(),
      onError: (error) => deps.log.warn({ err: error }, 'evaluations could not be worked on'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#loop.stop();
  }

  /** Works until no evaluation is due. */
  async #round(): Promise<void> {
    while (!this.#isStopping) {
      const claimed = await claimEvaluation(this.#deps.db);
      if (claimed === null) return;
      await this.#workOrCancel(claimed);
    }
  }

  /** An evaluation that cannot be worked on is cancelled: it would be claimed again without end. @throws transient errors of the database */
  async #workOrCancel(claimed: ClaimedEvaluation): Promise<void> {
    const { db, log } = this.#deps;
    try {
      const hasOpenRuns = await this.#workSlice(claimed);
      await releaseEvaluation(db, claimed, hasOpenRuns ? LOOK_MS : 0);
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      log.error(
        { err: error, evaluation_id: claimed.id },
        'an evaluation could not be worked on, and is cancelled',
      );
      const { organizationId, id: evaluationId } = claimed;
      await cancelEvaluationRow(db, { organizationId, evaluationId });
    }
  }

  /** @returns whether runs are open, whose ends are to be awaited */
  async #workSlice(claimed: ClaimedEvaluation): Promise<boolean> {
    const { clock, db } = this.#deps;
    const untilMs = clock.monotonic() + SLICE_MS;
    const work = new TrialWork(this.#deps, claimed);
    const running = await listRunningTrials(db, claimed);
    let open = running.length;
    for (const trial of running) if (await work.look(trial, OPEN_RUNS - open + 1)) open -= 1;
    while (open < OPEN_RUNS && !this.#isStopping && clock.monotonic() < untilMs) {
      const trial = await findPendingTrial(db, claimed);
      if (trial === null) break;
      const begun = await work.begin(trial, OPEN_RUNS - open);
      if (begun === 'busy') return true;
      if (begun === 'open') open += 1;
    }
    return open > 0;
  }
}
