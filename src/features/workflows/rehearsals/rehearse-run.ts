/** Rehearses one run: what would this definition have done with it? Nothing is sent, and nothing is written. */
import type { Clock } from '../../../base/clock.ts';
import { isTransientDatabaseError } from '../../../base/db/transient-error.ts';
import type { Logger } from '../../../base/log.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import { Secrets } from '../../../platform/credentials/vault/secrets.ts';
import type { ExecuteDeps } from '../../../engine/runs/execute/deps.ts';
import type { RecordedRun } from '../../../engine/runs/rehearse/record.ts';
import type { Walk } from '../../../engine/runs/rehearse/walked.ts';
import type { ReadyPlan } from '../../../engine/runs/walk/ready-plan.ts';
import { ShareFull } from '../../../engine/runs/walk/values.ts';
import { withValueShare } from '../../../engine/runs/ledger/read/value-share.ts';
import { doubtful, type RehearsedRun } from '../../../engine/runs/rehearse/compare-walks.ts';
import { rehearseRecord } from '../../../engine/runs/rehearse/rehearse-record.ts';
import {
  MAX_RECORD_BYTES,
  countRecordedBytes,
  readRecordedRun,
} from '../../../engine/runs/ledger/read/recorded-run.ts';

export type RehearseDeps = Pick<
  ExecuteDeps,
  'db' | 'tools' | 'plans' | 'rules' | 'bytes' | 'maxStateBytes'
> & {
  readonly clock: Clock;
  readonly log: Logger;
};

/** The time that the walks of one run may take, in ms: less than the claim of an outbox entry, with room for the rest of a step. */
const WALK_MS = 5_000;

/** Both walks, their steps and their requests in memory, in sizes of the record. A guess. */
const COPIES = 3;

/** A rehearsed run, with the walks that tell; null: the record does not. */
interface ComputedWalk {
  readonly found: RehearsedRun;
  readonly walked: { readonly record: RecordedRun; readonly before: Walk; readonly walk: Walk } | null;
}

const untold = (doubt: Parameters<typeof doubtful>[0]): ComputedWalk => ({
  found: doubtful(doubt),
  walked: null,
});

/**
 * Walks a run in its own definition and in another one, and compares the walks.
 * @returns null when the organization has no such run
 * @throws errors of the database
 */
export async function computeWalk(
  deps: RehearseDeps,
  run: { readonly organizationId: string; readonly rootRunPk: string },
  after: ReadyPlan,
): Promise<ComputedWalk | null> {
  const { db, tools, plans, clock, log } = deps;
  const { organizationId, rootRunPk } = run;
  const bytes = await countRecordedBytes(db, rootRunPk);
  if (bytes > MAX_RECORD_BYTES) return untold('too_large');
  return withValueShare(deps, organizationId, async (share) => {
    share.hold(bytes * COPIES);
    const record = await readRecordedRun(db, run);
    if (record === null) return null;
    if (!record.hasValues) return untold('values_deleted');
    const { effectRules } = await deps.rules.get(db, organizationId);
    const user = {
      organizationId,
      runDepth: record.segment.childDepth,
      pauseTimeout: () => () => undefined,
      lease: share.lease,
    };
    const walk = {
      clock,
      redaction: plans.getRedaction(record.segment),
      effectRules,
      callbackUrl: tools.callbackUrl,
      tools: tools.attempt(new Secrets(), user),
    };
    const signal = AbortSignal.timeout(WALK_MS);
    try {
      const before = await plans.get(db, record.segment);
      const { found, ...walks } = await rehearseRecord(walk, record, { before, after, signal });
      return { found, walked: { record, ...walks } };
    } catch (error) {
      if (error instanceof ShareFull || isTransientDatabaseError(error)) throw error;
      if (error instanceof NodeError && error.code === 'definition_missing')
        return untold('definition_not_kept');
      if (signal.aborted) return untold('too_long');
      log.error({ err: error, run_pk: rootRunPk }, 'a run could not be rehearsed');
      return untold('not_walked');
    }
  });
}

/** Rehearses a run, as computeWalk. @returns null when the organization has no such run */
export const rehearseRun = async (...given: Parameters<typeof computeWalk>): Promise<RehearsedRun | null> =>
  (await computeWalk(...given))?.found ?? null;
