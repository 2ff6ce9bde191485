/** Writes a run as a case, which the command line walks without the service (`runs/rehearse`). */
import type { Scope } from '../../../platform/access/caller.ts';
import { conflict, notFound } from '../../../base/errors.ts';
import { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { bindShares, writeShared } from '../ledger/questions/answer-pages.ts';
import { countRecordedBytes, readRecordedRun } from '../ledger/read/recorded-run.ts';
import { requirePastRun } from '../ledger/read/require-objects.ts';
import { toCase } from '../rehearse/case.ts';
import type { RecordedRun } from '../rehearse/record.ts';
import type { RecordDeps } from './record.ts';

/** The most bytes of the values of a case. */
export const MAX_CASE_BYTES = 16 * 1024 * 1024;

/** Redacts a record by the paths of today, too: it may have been written before they were named. */
function redactRecord<Record extends RecordedRun>(record: Record, redaction: Redaction): Record {
  const steps = record.steps.map((step) => ({
    ...step,
    output: redaction.json(step.output),
    error: redaction.json(step.error),
  }));
  const { workflowInput, runInput, merged } = record.inputs;
  // Each is a value of its own, at which paths start.
  const inputs = {
    workflowInput: redaction.json(workflowInput),
    runInput: redaction.json(runInput),
    merged: redaction.json(merged),
  };
  return { ...record, inputs, steps };
}

/**
 * Writes the case of an ended run.
 * @throws ApiError 404 for a run that the caller may not see, or whose definition is no longer stored; 409 before its end, without its
 *   values, and when they are too large
 */
export async function* writeCase(
  { db, answers }: RecordDeps,
  scope: Scope,
  { runPk, signal }: { readonly runPk: string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const run = await requirePastRun(db, scope, runPk);
  const { definition, rootRunPk, subject } = run;
  if (definition === null) throw notFound('Definition');
  if (run.hasNoValues) throw conflict('values_deleted', 'The inputs and outputs of the run were deleted');
  if (run.status === 'running' || run.status === 'interrupted')
    throw conflict('run_under_way', 'The run has not ended');
  const bytes = await countRecordedBytes(db, rootRunPk);
  if (bytes > MAX_CASE_BYTES)
    throw conflict('record_too_large', `The run has more than ${MAX_CASE_BYTES} bytes of values`);
  const take = bindShares(answers, scope.organizationId, signal);
  yield* writeShared(bytes, take, async () => {
    const record = await readRecordedRun(db, { organizationId: scope.organizationId, rootRunPk });
    // It was deleted meanwhile.
    if (record === null) throw notFound('Workflow run', 'run');
    const paths = subject.redactedPaths ?? [];
    return JSON.stringify(toCase(redactRecord(record, new Redaction(paths)), definition, paths));
  });
}
