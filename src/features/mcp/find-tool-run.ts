/** Runs by the id that a client gives back: the state of a call, or a task. */
import type { Scope } from '../../platform/access/caller.ts';
import type { Json } from '../../language/graph/values/value.ts';
import type { AnswerDeps } from '../../engine/runs/accept/resume.ts';
import { findRun, toReader, type FoundRun } from '../../engine/runs/ledger/read/run-reads.ts';
import { isUuid } from '../../base/uuid.ts';

/** Finds the run of a `run_id` as the caller sees it; null for any other text. */
export const findToolRun = (
  { db }: Pick<AnswerDeps, 'db'>,
  scope: Scope,
  runId: Json | undefined,
): Promise<FoundRun | null> =>
  typeof runId === 'string' && isUuid(runId) ? findRun(db, toReader(scope), runId) : Promise.resolve(null);
