/** Walks rehearsals in a worker: a slice at a time, with rests, so that the runs of this process do not wait for it. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PollLoop } from '../../../base/db/poll-loop.ts';
import { canonicalJson } from '../../../language/graph/values/canonical-json.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { prepareDefinition, type ReadyPlan } from '../../../engine/runs/walk/ready-plan.ts';
import type { RehearsedRun } from '../../../engine/runs/rehearse/compare-walks.ts';
import { rehearseRun, type RehearseDeps } from './rehearse-run.ts';
import { isTransientDatabaseError } from '../../../base/db/transient-error.ts';
import {
  cancelRehearsal,
  claimRehearsal,
  releaseRehearsal,
  saveRehearsed,
  type ClaimedRehearsal,
} from './store.ts';

const POLL_MS = 1_000;
/** After it another rehearsal has its turn. With the walk of one run it stays below the claim (store.ts). */
const SLICE_MS = 5_000;
/** A rest of this share of the work before it: half of a core at most. */
const REST = 1;
const MAX_REST_MS = 1_000;

export class RehearsalRunner {
  readonly #deps: RehearseDeps;
  readonly #loop: PollLoop;
  #isStopping = false;

  constructor(deps: RehearseDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: () => this.#round(),
      onError: (error) => deps.log.warn({ err: error }, 'rehearsals could not be walked'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#loop.stop();
  }

  /** Walks slices until no rehearsal waits. */
  async #round(): Promise<void> {
    while (!this.#isStopping) {
      const claimed = await claimRehearsal(this.#deps.db);
      if (claimed === null) return;
      await this.#walkOrCancel(claimed);
    }
  }

  /** A rehearsal that cannot be walked is cancelled: it would be claimed again without end. @throws transient errors of the database */
  async #walkOrCancel(claimed: ClaimedRehearsal): Promise<void> {
    const { db, log } = this.#deps;
    try {
      await this.#walkSlice(claimed);
      await releaseRehearsal(db, claimed);
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      log.error(
        { err: error, rehearsal_id: claimed.id },
        'a rehearsal could not be walked, and is cancelled',
      );
      await cancelRehearsal(db, claimed.organizationId, claimed.id);
    }
  }

  async #walkSlice(claimed: ClaimedRehearsal): Promise<void> {
    const { clock, db } = this.#deps;
    const beganMs = clock.monotonic();
    const after = prepareDefinition(claimed.definition);
    for (let place = claimed.walked; place < claimed.rootRunPks.length; place += 1) {
      const runBeganMs = clock.monotonic();
      const found = await this.#rehearse(claimed, place, after);
      const groupKey = found === null ? '' : toGroupKey(found);
      const hasMore = await db.transaction((tx) => saveRehearsed(tx, claimed, { place, found, groupKey }));
      const now = clock.monotonic();
      if (!hasMore || this.#isStopping || now - beganMs > SLICE_MS) return;
      await sleep(Math.min(MAX_REST_MS, (now - runBeganMs) * REST));
    }
  }

  #rehearse(
    { organizationId, rootRunPks }: ClaimedRehearsal,
    place: number,
    after: ReadyPlan,
  ): Promise<RehearsedRun | null> {
    const rootRunPk = rootRunPks[place];
    if (rootRunPk === undefined) throw new Error('A rehearsal has no such run');
    return rehearseRun(this.#deps, { organizationId, rootRunPk }, after);
  }
}

/** Runs whose differences are of the same kind, at the same nodes and places, are one group. */
function toGroupKey({ verdict, doubt, differences }: RehearsedRun): string {
  const shapes = differences.map(({ kind, nodeId, places }) => canonicalJson([kind, nodeId, places as Json]));
  const shape: Json = [verdict, doubt, [...new Set(shapes)].toSorted()];
  return createHash('sha256').update(canonicalJson(shape)).digest('hex').slice(0, 16);
}
