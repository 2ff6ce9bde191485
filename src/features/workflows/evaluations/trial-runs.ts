/** Starts the runs of trials: ephemeral, withheld from changing anything outside, and each within its share of the credits. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../../base/db/client.ts';
import { ApiError } from '../../../base/errors.ts';
import type { RunAcceptor } from '../../../engine/runs/accept/accept.ts';
import { acceptIn } from '../../../engine/runs/accept/accept.ts';
import { checkDefinition } from '../../../engine/runs/accept/definition-facts.ts';
import { chooseLimits, findReachedRunLimit } from '../../../engine/runs/accept/limits.ts';
import { describeMissing } from '../../../engine/runs/accept/run-input.ts';
import { readRedactedPaths } from '../../../engine/runs/ledger/read/redacted-paths.ts';
import { cancelRun } from '../../../engine/runs/ledger/write/cancel.ts';
import { writeDefinition } from '../../../engine/runs/ledger/write/definitions.ts';
import { EVALUATION_TRIGGER } from '../../../engine/runs/walk/withheld.ts';
import { fillInput, readInputParameters } from '../../../language/graph/definition/input-parameters.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { readAdmissionWithinRun } from '../../../platform/billing/admission.ts';
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import { readExecutionCredits } from '../../../platform/billing/usage.ts';
import { lockOpenEvaluation, sumOtherCredits } from './trial-store.ts';
import type { ClaimedEvaluation } from './store.ts';

export interface TrialRunDeps {
  readonly db: Db;
  readonly acceptor: RunAcceptor;
  /** Called with the organization of a run that was accepted. */
  readonly onAccepted: (organizationId: string) => void;
}

/** Open runs of one evaluation: others of the organization are not kept waiting. A guess. */
export const OPEN_RUNS = 4;

interface WantedRun {
  /** Of the trial that it works for. */
  readonly place: number;
  /** Millicredits that earlier runs of the trial have used. */
  readonly usedMc: number;
  readonly definition: JsonObject;
  /** Default input of the definition. */
  readonly workflowInput: JsonObject;
  readonly input: JsonObject;
  /** Places for runs that are free, this one included: they share what is left of the credits. */
  readonly freePlaces: number;
  /** Notes the run in its transaction. @returns false: another worker has begun it */
  readonly note: (tx: Tx, run: { readonly runPk: string; readonly reservedMc: number }) => Promise<boolean>;
}

/** Why no run was started. `busy`: try again later; `gone`: somebody else has, or the evaluation is not open. */
type StartEnd = 'started' | 'busy' | 'gone' | { readonly doubt: string; readonly message: string };

/** Another worker was faster: nothing of the transaction stays. */
class Overtaken extends Error {}

/**
 * Starts a run for a trial, once: the run and the note of it are one transaction, so that a killed worker has started both or neither.
 * @throws errors of the database
 */
export async function startTrialRun(
  deps: TrialRunDeps,
  evaluation: ClaimedEvaluation,
  { place, usedMc, definition, workflowInput, input, freePlaces, note }: WantedRun,
): Promise<StartEnd> {
  const { db, acceptor, onAccepted } = deps;
  const { organizationId, workflowId, createdBy } = evaluation;
  if (checkDefinition(definition, kindRules).hasPeopleQuestion)
    return { doubt: 'asks_people', message: 'Nobody is asked in an evaluation' };
  const parameters = readInputParameters(ownValue(definition, 'input_parameters'));
  const { input: runInput, missing } = fillInput(parameters, { workflowInput, runInput: input });
  const problem = describeMissing(missing);
  if (problem !== null) return { doubt: 'invalid_input', message: problem };
  if ((await findReachedRunLimit(db, organizationId)) !== null) return 'busy';
  const runPk = randomUUID();
  const redactedPaths = await readRedactedPaths(db, { organizationId, workflowId });
  try {
    await acceptor.acceptWithin(organizationId, async (tx) => {
      const left = evaluation.maxCreditsMc - usedMc - (await sumOtherCredits(tx, evaluation, place));
      const reservedMc = Math.max(0, Math.floor(left / Math.max(1, freePlaces)));
      await acceptIn(tx, {
        ...writeDefinition(definition),
        runPk,
        organizationId,
        createdBy,
        workflowId,
        deploymentId: null,
        deploymentVersion: null,
        workflowName: 'Evaluation',
        workflowVersion: '1.0.0',
        workflowSource: 'request',
        isAdHoc: true,
        isPrivate: true,
        ephemeral: true,
        stream: false,
        threadId: null,
        chatKind: null,
        messagePreview: '',
        redactedPaths,
        admission: await readAdmissionWithinRun(tx, organizationId),
        triggerType: EVALUATION_TRIGGER,
        callerBudgets: [
          { root_run_pk: runPk, max_credits_mc: reservedMc, max_model_calls: null, max_effects: {} },
        ],
        ...chooseLimits(ownValue(definition, 'config')),
        workflowInput,
        runInput,
      });
      // Behind the account, as whatever deletes runs takes its locks.
      if (!(await lockOpenEvaluation(tx, evaluation)) || !(await note(tx, { runPk, reservedMc })))
        throw new Overtaken();
    });
  } catch (error) {
    if (error instanceof Overtaken) return 'gone';
    if (error instanceof ApiError && error.failure.shape === 'D')
      return { doubt: 'not_admitted', message: error.failure.denial.code };
    throw error;
  }
  onAccepted(organizationId);
  return 'started';
}

/** A run of a trial may take so long, for a sub-workflow may wait for people. A guess. */
const MAX_RUN_MINUTES = 60;

/** Cancels an open run of an evaluation. Kick the dispatcher afterwards. */
export async function cancelTrialRun(
  db: Db,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): Promise<void> {
  await cancelRun(db, { organizationId, runPk, rootRunPk: runPk }, 'The evaluation has ended');
}

/** The end of a run of a trial. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'gone';
  readonly output: Json;
  readonly error: JsonObject | null;
  readonly durationMs: number | null;
  readonly usedMc: number;
}

/** Reads how a run has ended; null: it has not. */
export async function readRunEnd(
  { db }: Pick<TrialRunDeps, 'db'>,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): Promise<RunEnd | null> {
  const [row] = await db.query<
    Omit<RunEnd, 'usedMc' | 'status'> & { readonly status: string; readonly isLate: boolean }
  >(
    `SELECT status, output, error, (extract(epoch FROM completed_at - started_at) * 1000)::int AS "durationMs",
            created_at < now() - interval '${MAX_RUN_MINUTES} minutes' AS "isLate"
     FROM runs WHERE id = $1 AND organization_id = $2`,
    [runPk, organizationId],
  );
  // Deleted an hour after its end: no worker has looked in that time.
  if (row === undefined) return { status: 'gone', output: null, error: null, durationMs: null, usedMc: 0 };
  const { status, output, error, durationMs, isLate } = row;
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') {
    if (isLate) await cancelTrialRun(db, { organizationId, runPk });
    return null;
  }
  const usedMc = Math.round((await readExecutionCredits(db, runPk)) * MILLICREDITS);
  return { status, output, error, durationMs, usedMc };
}
