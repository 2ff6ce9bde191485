/**
 * Settles the unknown outcome of a step whose run has failed with it: one person decides, once. A rerun takes the decision
 * (rerun-plan.ts).
 */
import type { Scope } from '../../../platform/access/caller.ts';
import { recordAction } from '../../../platform/audit/audit-log.ts';
import type { Db, Sql, Tx } from '../../../base/db/client.ts';
import { gone, notFound, type ApiError } from '../../../base/errors.ts';
import { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { REQUEST_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { valuesDeleted } from '../accept/accept.ts';
import {
  claimOutcome,
  countUnknownOutcomes,
  findFailedStep,
  readSettled,
  type FailedStep,
  type SettleAction,
} from '../ledger/questions/settled-outcomes.ts';
import { toReader } from '../ledger/read/run-reads.ts';
import { settleEffects } from '../ledger/write/effects.ts';
import { lockReusedRun } from '../ledger/write/rerun-start.ts';

interface SettleRequest {
  readonly stepId: string;
  readonly action: SettleAction;
  readonly output: JsonObject | null;
}

/** The outcome that the ledger of effects has of the request from now on. */
const OUTCOMES = { happened: 'settled', send: 'not_sent', give_up: 'given_up' } as const;

/** Finds the step, settled or not. @throws ApiError 404 when the caller sees no such step */
export async function requireFailedStep(sql: Sql, scope: Scope, stepId: string): Promise<FailedStep> {
  const step = await findFailedStep(sql, toReader(scope), stepId);
  if (step === null) throw notFound('Unknown outcome');
  return step;
}

/**
 * Settles an outcome.
 * @throws ApiError 404 when the caller sees no such step; 409 when the values are deleted that a rerun needs; 410 with the person who
 *   was first
 */
export async function settleOutcome(
  { db }: { readonly db: Db },
  scope: Scope,
  { stepId, action, output }: SettleRequest,
): Promise<JsonObject> {
  const { organizationId, caller } = scope;
  return db.transaction(async (tx) => {
    const step = await requireFailedStep(tx, scope, stepId);
    const state = await lockReusedRun(tx, { organizationId, runId: step.runId });
    if (state === 'deleted') throw notFound('Unknown outcome');
    if (state === 'empty' && action !== 'give_up') throw valuesDeleted();
    const decision = { action, output: redact(step, output), settledBy: caller.userId };
    const settledAt = await claimOutcome(tx, organizationId, step, decision);
    if (settledAt === null) throw await createClosed(tx, organizationId, stepId);
    await settleEffects(tx, { run_pk: step.runPk, step_id: stepId }, OUTCOMES[action]);
    const object = { type: 'unknown_outcome', id: stepId, name: step.nodeName };
    await recordAction(tx, {
      organizationId,
      action: 'unknown_outcome.settled',
      object,
      details: { action },
    });
    return {
      step_id: stepId,
      run_pk: step.runPk,
      node_id: step.nodeId,
      action,
      settled_by: caller.userId,
      settled_at: settledAt.toISOString(),
      unsettled: await countUnknownOutcomes(tx, step.runPk),
    };
  });
}

function redact({ redactedPaths }: FailedStep, output: JsonObject | null): JsonObject | null {
  if (output === null) return null;
  return new Redaction(redactedPaths).json(output, new WorkBudget(REQUEST_WORK)) as JsonObject;
}

const SAID: Readonly<Record<SettleAction, string>> = {
  happened: 'it happened',
  send: 'it did not happen, and is sent',
  give_up: 'it is given up',
};

async function createClosed(tx: Tx, organizationId: string, stepId: string): Promise<ApiError> {
  const first = await readSettled(tx, organizationId, stepId);
  if (first === null) return notFound('Unknown outcome');
  const person = first.email ?? first.settled_by ?? 'a former member';
  const at = first.settled_at.toISOString();
  return gone('outcome_settled', `The outcome was settled by ${person} at ${at}: ${SAID[first.action]}`);
}
