/** Records a run that a schedule or an error workflow could not start, so that the history shows the reason. */
import type { Tx } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { closeUnsettled } from '../ledger/write/events.ts';
import { readRedactedPaths } from '../ledger/read/redacted-paths.ts';
import { buildRow, insertRuns, UNATTENDED, type NewRun } from '../ledger/write/insert-runs.ts';
import { chooseLimits } from './limits.ts';

interface FailedRecord extends Pick<
  NewRun,
  'organizationId' | 'createdBy' | 'workflowId' | 'workflowName' | 'workflowVersion' | 'metadata'
> {
  /** Default: a new id. */
  readonly runPk?: string;
  readonly triggerType: 'schedule' | 'error';
  readonly input: JsonObject;
  readonly error: { readonly code: string; readonly message: string };
}

/** The run cannot start, and leaves a failed record with the error `code`. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Writes the record with its first and last frame, in the caller's transaction. */
export async function insertFailedRecord(
  tx: Tx,
  { input, error: { code, message }, ...run }: FailedRecord,
): Promise<{ readonly runPk: string; readonly runId: string }> {
  const row = buildRow({
    ...run,
    // The start failed before a definition was chosen.
    definitionHash: '',
    definitionText: null,
    deploymentId: null,
    deploymentVersion: null,
    workflowSource: 'database',
    isAdHoc: false,
    redactedPaths: await readRedactedPaths(tx, run),
    ...UNATTENDED,
    admission: null,
    ...chooseLimits(),
    workflowInput: {},
    runInput: input,
  });
  await insertRuns(tx, [{ ...row, threadId: null, chatId: null }]);
  const error = { code, message, node_id: null };
  await closeUnsettled(tx, {
    runPk: row.runPk,
    from: ['running'],
    status: 'failed',
    payload: { error },
    error,
  });
  return row;
}
