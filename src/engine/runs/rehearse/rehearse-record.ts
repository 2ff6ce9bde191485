/** Rehearses a record: walks it in the definition of its run and in another one, and compares the walks. */
import type { ExecutionScope } from '../walk/context.ts';
import type { ReadyPlan } from '../walk/ready-plan.ts';
import { compareWalks, type RehearsedRun } from './compare-walks.ts';
import type { RecordedRun } from './record.ts';
import { walkRecord, type WalkDeps } from './record-walk.ts';
import type { Walk } from './walked.ts';

interface Rehearsed {
  readonly found: RehearsedRun;
  /** In its own definition. */
  readonly before: Walk;
  /** In the other definition. */
  readonly walk: Walk;
}

/**
 * @param given `observe` gets each execution of the other definition that is folded, by the state before it
 * @throws as `walkRecord`
 */
export async function rehearseRecord(
  deps: WalkDeps,
  record: RecordedRun,
  given: {
    readonly before: ReadyPlan;
    readonly after: ReadyPlan;
    readonly signal: AbortSignal;
    readonly observe?: (scope: ExecutionScope) => void;
  },
): Promise<Rehearsed> {
  const { before: own, after: other, ...more } = given;
  const { signal } = more;
  // The rules of today are not those of its time.
  const before = await walkRecord({ ...deps, effectRules: [] }, { ready: own, record, before: null, signal });
  const walk = await walkRecord(deps, { ready: other, record, before, ...more });
  return { found: compareWalks(record, [before, walk], [own.plan, other.plan]), before, walk };
}
