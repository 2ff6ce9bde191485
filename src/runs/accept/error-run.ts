/**
 * Accepts the run of an error workflow for a failed run, once: its id is derived from the failed run's. A run that cannot be
 * accepted leaves a failed record with the reason.
 */
import { readAdmissionWithinRun } from '../../billing/admission.ts';
import type { Db, Tx } from '../../db/client.ts';
import { ApiError } from '../../errors.ts';
import { noteRunAccepted } from '../../observe/metrics.ts';
import { readFailedRun, type FailedRun } from '../ledger/failed-run.ts';
import { readDefinitionConfig } from '../ledger/definitions.ts';
import { findRunnable } from '../ledger/workflows.ts';
import { acceptIn } from './accept.ts';
import { deriveUuid } from './derive-uuid.ts';
import { insertFailedRecord } from './failed-record.ts';
import { chooseLimits, findReachedRunLimit } from './limits.ts';

interface FailedRunRef {
  readonly organizationId: string;
  readonly runPk: string;
}

/** The error run cannot be accepted and leaves a failed record. */
class ErrorRunRefused extends Error {
  override readonly name = 'ErrorRunRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const deriveErrorRunPk = ({ runPk }: FailedRunRef): string => deriveUuid(`error-run:${runPk}`);

/** Holds the failed run until the transaction ends. @returns false when its error run was accepted before */
async function lockErrorRun(tx: Tx, failed: FailedRunRef): Promise<boolean> {
  const errorRunPk = deriveErrorRunPk(failed);
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`error-run:${errorRunPk}`]);
  const rows = await tx.query('SELECT 1 FROM runs WHERE id = $1 AND organization_id = $2', [
    errorRunPk,
    failed.organizationId,
  ]);
  return rows.length === 0;
}

/** Accepts the live deployment of the error workflow. @throws ErrorRunRefused; ApiError shape D from the gate */
async function acceptRun(tx: Tx, failed: FailedRunRef, run: FailedRun): Promise<void> {
  const { organizationId } = failed;
  const workflow = { organizationId, workflowId: run.errorWorkflowId };
  const deployment = await findRunnable(tx, workflow, 'live');
  if (deployment === null || deployment === 'none')
    throw new ErrorRunRefused(
      'workflow_not_deployed',
      'The error workflow has no active deployment; deploy it first',
    );
  if ((await findReachedRunLimit(tx, organizationId)) !== null)
    throw new ErrorRunRefused('too_many_runs', 'The organization has reached its limit of concurrent runs');
  const config = await readDefinitionConfig(tx, organizationId, deployment.definitionHash);
  await acceptIn(tx, {
    ...deployment,
    runPk: deriveErrorRunPk(failed),
    organizationId,
    createdBy: run.createdBy,
    admission: await readAdmissionWithinRun(tx, organizationId),
    triggerType: 'error',
    isPrivate: false,
    ephemeral: false,
    stream: true,
    threadId: null,
    chatKind: null,
    messagePreview: '',
    ...chooseLimits(deployment.config, config),
    workflowInput: deployment.input,
    runInput: run.facts,
    childDepth: run.childDepth + 1,
  });
}

async function recordRefusal(
  tx: Tx,
  failed: FailedRunRef,
  { run, error }: { readonly run: FailedRun; readonly error: { code: string; message: string } },
): Promise<void> {
  if (!(await lockErrorRun(tx, failed))) return;
  await insertFailedRecord(tx, {
    runPk: deriveErrorRunPk(failed),
    organizationId: failed.organizationId,
    createdBy: run.createdBy,
    workflowId: run.errorWorkflowId,
    workflowName: run.errorWorkflowName,
    workflowVersion: run.errorWorkflowVersion,
    triggerType: 'error',
    input: run.facts,
    error,
  });
}

function describeRefusal(error: unknown): { code: string; message: string } | null {
  if (error instanceof ErrorRunRefused) return { code: error.code, message: error.message };
  if (!(error instanceof ApiError) || error.failure.shape !== 'D') return null;
  return { code: error.failure.denial.code, message: 'The plan refused the run' };
}

/** Accepts the error run of a failed run, unless it was accepted before. A repeated call does nothing. */
export async function acceptErrorRun(db: Db, failed: FailedRunRef): Promise<void> {
  const run = await readFailedRun(db, failed);
  if (run === null) return;
  try {
    const isNew = await db.transaction(async (tx) => {
      if (!(await lockErrorRun(tx, failed))) return false;
      await acceptRun(tx, failed, run);
      return true;
    });
    if (isNew) noteRunAccepted('error');
  } catch (error) {
    const refusal = describeRefusal(error);
    if (refusal === null) throw error;
    // The transaction of the refused run was rolled back.
    await db.transaction((tx) => recordRefusal(tx, failed, { run, error: refusal }));
  }
}
