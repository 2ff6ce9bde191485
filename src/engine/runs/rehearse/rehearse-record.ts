/** Rehearses a record: walks it in the definition of its run and in another one, and compares the walks. */
import type { ReadyPlan } from '../walk/ready-plan.ts';
import { compareWalks, type RehearsedRun } from './compare-walks.ts';
import type { RecordedRun } from './record.ts';
import { walkRecord, type WalkDeps } from './record-walk.ts';

/** @throws as `walkRecord` */
export async function rehearseRecord(
  deps: WalkDeps,
  record: RecordedRun,
  given: { readonly before: ReadyPlan; readonly after: ReadyPlan; readonly signal: AbortSignal },
): Promise<RehearsedRun> {
  const { before: own, after: other, signal } = given;
  // The rules of today are not those of its time.
  const before = await walkRecord({ ...deps, effectRules: [] }, { ready: own, record, before: null, signal });
  const after = await walkRecord(deps, { ready: other, record, before, signal });
  return compareWalks(record, [before, after], [own.plan, other.plan]);
}
