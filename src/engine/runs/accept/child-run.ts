/**
 * Accepts the run of a sub-workflow for the step that calls it. Its execution is a child workflow in Temporal, so it needs no
 * outbox entry. A repeated request for the same step and call gets the same run.
 */
import type { StartDescription } from '../engine.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { RunBudget } from '../../../platform/billing/budgets.ts';
import { deriveUuid } from './derive-uuid.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { readDefinitionSettings } from '../ledger/write/definitions.ts';
import { buildRow, insertRuns } from '../ledger/write/insert-runs.ts';
import { readParent, readStart, type ParentRun } from '../ledger/read/run-reads.ts';
import { findRunnable, type RunnableDeployment } from '../ledger/read/workflows.ts';
import { chooseLimits, findReachedRunLimit } from './limits.ts';
import { fillInput } from '../../../language/graph/definition/input-parameters.ts';
import { chooseChildTrigger } from '../walk/withheld.ts';
import { describeMissing } from './run-input.ts';

/** Maximum depth of nested sub-workflows, including callers that do not wait. */
export const MAX_CHILD_DEPTH = 10;

export interface NewChildRun {
  readonly organizationId: string;
  readonly parentRunPk: string;
  readonly parentStepId: string;
  /** The call of a step that makes several: an agent's `turn.call`. */
  readonly parentCall?: string;
  readonly workflowId: string;
  /** `live`, or the id or version of a deployment. */
  readonly deployment: string;
  readonly input: JsonObject;
  /** The budgets that bind its caller, from the top. */
  readonly budgets: readonly RunBudget[];
}

interface AcceptedChildRun {
  readonly runPk: string;
  readonly start: StartDescription;
}

/** The sub-workflow cannot run, and a retry would not help. `code` is the node's error code. */
export class ChildRunRefused extends Error {
  override readonly name = 'ChildRunRefused';
  readonly code:
    | 'workflow_not_found'
    | 'workflow_not_deployed'
    | 'sub_workflow_too_deep'
    | 'too_many_runs'
    | 'invalid_input';

  constructor(code: ChildRunRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Derives the run_pk of a child from its step and call, so that a repeated activity finds the run that it made before. */
const deriveRunPk = (parentStepId: string, call: string | undefined): string =>
  deriveUuid(`child-run:${call === undefined ? parentStepId : `${parentStepId}:${call}`}`);

async function requireParent(sql: Sql, { organizationId, parentRunPk }: NewChildRun): Promise<ParentRun> {
  const parent = await readParent(sql, { organizationId, runPk: parentRunPk });
  if (parent === null) throw new Error(`run ${parentRunPk} does not exist`);
  if (parent.childDepth < MAX_CHILD_DEPTH) return parent;
  throw new ChildRunRefused(
    'sub_workflow_too_deep',
    `Sub-workflows can be nested ${MAX_CHILD_DEPTH} levels deep`,
  );
}

async function requireRunCapacity(sql: Sql, organizationId: string): Promise<void> {
  const bound = await findReachedRunLimit(sql, organizationId);
  if (bound === null) return;
  throw new ChildRunRefused(
    'too_many_runs',
    `The organization has reached its limit of ${bound} concurrent runs`,
  );
}

async function requireDeployment(sql: Sql, child: NewChildRun): Promise<RunnableDeployment> {
  const { workflowId, deployment } = child;
  const found = await findRunnable(sql, child, deployment);
  if (found === null) throw new ChildRunRefused('workflow_not_found', `Workflow ${workflowId} not found`);
  if (found !== 'none') return found;
  const which = deployment === 'live' ? 'live deployment' : `deployment ${deployment}`;
  throw new ChildRunRefused(
    'workflow_not_deployed',
    `Workflow ${workflowId} has no ${which}; deploy it first`,
  );
}

/**
 * Accepts the run of a sub-workflow. The child uses its parent's thread and inherits its privacy and ephemerality.
 * @throws ChildRunRefused without a deployment or a required parameter, at the maximum depth, and at the organization's limit of runs
 */
export async function acceptChildRun(sql: Sql, child: NewChildRun): Promise<AcceptedChildRun> {
  const { organizationId, parentRunPk, parentStepId } = child;
  const runPk = deriveRunPk(parentStepId, child.parentCall);
  const before = await readStart(sql, { organizationId, runPk });
  if (before !== null) return { runPk, start: before };
  const parent = await requireParent(sql, child);
  const deployment = await requireDeployment(sql, child);
  await requireRunCapacity(sql, organizationId);
  const { config, parameters } = await readDefinitionSettings(sql, organizationId, deployment.definitionHash);
  const inputs = { workflowInput: deployment.input, runInput: child.input };
  const { input, missing } = fillInput(parameters, inputs);
  const problem = describeMissing(missing);
  if (problem !== null) throw new ChildRunRefused('invalid_input', problem);
  const row = buildRow({
    ...deployment,
    ...parent,
    // Values of the caller, which it has named, reach the child by its input.
    redactedPaths: [...deployment.redactedPaths, ...(parent.redactedPaths ?? [])],
    runPk,
    organizationId,
    parentRunPk,
    parentStepId,
    childDepth: parent.childDepth + 1,
    callerBudgets: child.budgets.length === 0 ? null : child.budgets,
    admission: null,
    triggerType: chooseChildTrigger(parent.triggerType),
    stream: false,
    chatKind: null,
    messagePreview: '',
    ...chooseLimits(deployment.config, config),
    workflowInput: deployment.input,
    runInput: input,
  });
  await insertRuns(sql, [row]);
  // A concurrent repetition may have inserted it first.
  const start = await readStart(sql, { organizationId, runPk });
  if (start === null) throw new Error('the child run was not inserted');
  return { runPk, start };
}
