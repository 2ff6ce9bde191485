/**
 * Accepts the run of an error workflow for a failed run, once: its id is derived from the failed run's. A run that cannot be
 * accepted leaves a failed record with the reason.
 */
import { readAdmissionWithinRun } from '../../../platform/billing/admission.ts';
import type { Db, Tx } from '../../../base/db/client.ts';
import { ApiError } from '../../../base/errors.ts';
import { noteRunAccepted } from '../../../base/observe/metrics.ts';
import { lockErrorRun, readFailedRun, type FailedRun } from '../ledger/read/failed-run.ts';
import { UNATTENDED } from '../ledger/write/insert-runs.ts';
import { readDefinitionSettings } from '../ledger/write/definitions.ts';
import { findRunnable } from '../ledger/read/workflows.ts';
import { acceptIn } from './accept.ts';
import { deriveUuid } from './derive-uuid.ts';
import { insertFailedRecord, StartRefused } from './failed-record.ts';
import { chooseLimits, findReachedRunLimit } from './limits.ts';
import { fillInput } from '../../../language/graph/definition/input-parameters.ts';

interface RunKey {
  readonly organizationId: string;
  readonly runPk: string;
}

const deriveErrorRun = ({ organizationId, runPk }: RunKey): RunKey => ({
  organizationId,
  runPk: deriveUuid(`error-run:${runPk}`),
});

/** Accepts the live deployment of the error workflow. @throws StartRefused; ApiError shape D from the gate */
async function acceptRun(tx: Tx, { organizationId, runPk }: RunKey, run: FailedRun): Promise<void> {
  const workflow = { organizationId, workflowId: run.errorWorkflowId };
  const deployment = await findRunnable(tx, workflow, 'live');
  if (deployment === null || deployment === 'none')
    throw new StartRefused(
      'workflow_not_deployed',
      'The error workflow has no active deployment. Deploy it first',
    );
  if ((await findReachedRunLimit(tx, organizationId)) !== null)
    throw new StartRefused('too_many_runs', 'The organization has reached its limit of concurrent runs');
  const { config, parameters } = await readDefinitionSettings(tx, organizationId, deployment.definitionHash);
  // Required values may be missing: an error that nobody hears of is worse.
  const { input } = fillInput(parameters, { workflowInput: deployment.input, runInput: run.facts });
  await acceptIn(tx, {
    ...deployment,
    runPk,
    organizationId,
    createdBy: run.createdBy,
    admission: await readAdmissionWithinRun(tx, organizationId),
    triggerType: 'error',
    ...UNATTENDED,
    ...chooseLimits(deployment.config, config),
    workflowInput: deployment.input,
    runInput: input,
    childDepth: run.childDepth + 1,
    // The input quotes the failed run: an erasure finds both by the metadata.
    metadata: run.metadata,
  });
}

async function recordRefusal(
  tx: Tx,
  errorRun: RunKey,
  { run, error }: { readonly run: FailedRun; readonly error: { code: string; message: string } },
): Promise<void> {
  if (!(await lockErrorRun(tx, errorRun))) return;
  await insertFailedRecord(tx, {
    ...errorRun,
    createdBy: run.createdBy,
    workflowId: run.errorWorkflowId,
    workflowName: run.errorWorkflowName,
    workflowVersion: run.errorWorkflowVersion,
    triggerType: 'error',
    input: run.facts,
    metadata: run.metadata,
    error,
  });
}

function describeRefusal(error: unknown): { code: string; message: string } | null {
  if (error instanceof StartRefused) return { code: error.code, message: error.message };
  if (!(error instanceof ApiError) || error.failure.shape !== 'D') return null;
  return { code: error.failure.denial.code, message: 'A limit of the plan was reached' };
}

/** Accepts the error run of a failed run, unless it was accepted before. A repeated call does nothing. */
export async function acceptErrorRun(db: Db, failed: RunKey): Promise<void> {
  const run = await readFailedRun(db, failed);
  if (run === null) return;
  const errorRun = deriveErrorRun(failed);
  try {
    const isNew = await db.transaction(async (tx) => {
      if (!(await lockErrorRun(tx, errorRun))) return false;
      await acceptRun(tx, errorRun, run);
      return true;
    });
    if (isNew) noteRunAccepted('error');
  } catch (error) {
    const refusal = describeRefusal(error);
    if (refusal === null) throw error;
    // The transaction of the refused run was rolled back.
    await db.transaction((tx) => recordRefusal(tx, errorRun, { run, error: refusal }));
  }
}
