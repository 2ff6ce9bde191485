/** Runs by the id that a client gives back: the state of a call, or a task. */
import type { Scope } from '../access/caller.ts';
import type { Json } from '../graph/value.ts';
import type { AnswerDeps } from '../runs/accept/resume.ts';
import { findRun, toReader, type FoundRun } from '../runs/ledger/run-reads.ts';
import { isUuid } from '../uuid.ts';

/** Finds the run of a `run_id` as the caller sees it; null for any other text. */
export const findToolRun = (
  { db }: Pick<AnswerDeps, 'db'>,
  scope: Scope,
  runId: Json | undefined,
): Promise<FoundRun | null> =>
  typeof runId === 'string' && isUuid(runId) ? findRun(db, toReader(scope), runId) : Promise.resolve(null);
