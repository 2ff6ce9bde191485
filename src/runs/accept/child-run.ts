/**
 * The run of a sub-workflow, which belongs to the step that calls it. Its execution is a child of the caller's execution in
 * Temporal, so it needs no outbox entry. A repeated request for the same step, and call of it, gets the same run.
 */
import { createHash } from 'node:crypto';
import type { StartDescription } from '../engine.ts';
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { readDefinitionConfig } from '../ledger/definitions.ts';
import { buildRow, insertRuns } from '../ledger/insert-runs.ts';
import { readParent, readStart, type ParentRun } from '../ledger/run-reads.ts';
import { findRunnable, type RunnableDeployment } from '../ledger/workflows.ts';
import { chooseLimits } from './limits.ts';
import { findReachedRunLimit } from './runs-under-way.ts';

/** Levels of sub-workflows that call sub-workflows. Callers that do not wait count, too. */
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
}

interface AcceptedChildRun {
  readonly runPk: string;
  readonly start: StartDescription;
}

/** The sub-workflow cannot run, and a retry cannot help. `code` is the node's error code. */
export class ChildRunRefused extends Error {
  override readonly name = 'ChildRunRefused';
  readonly code: 'workflow_not_found' | 'workflow_not_deployed' | 'sub_workflow_too_deep' | 'too_many_runs';

  constructor(code: ChildRunRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Derives the run_pk of a child from its step and call, so that a repeated activity finds the run that it made before. */
function deriveRunPk(parentStepId: string, call: string | undefined): string {
  const name = call === undefined ? parentStepId : `${parentStepId}:${call}`;
  const hex = createHash('sha256').update(`child-run:${name}`).digest('hex');
  // Version 8 (RFC 9562): a UUID whose other bits are ours.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function requireParent(sql: Sql, { organizationId, parentRunPk }: NewChildRun): Promise<ParentRun> {
  const parent = await readParent(sql, { organizationId, runPk: parentRunPk });
  if (parent === null) throw new Error(`run ${parentRunPk} does not exist`);
  if (parent.childDepth < MAX_CHILD_DEPTH) return parent;
  throw new ChildRunRefused(
    'sub_workflow_too_deep',
    `Sub-workflows may be nested ${MAX_CHILD_DEPTH} deep at most; this one would be deeper`,
  );
}

async function requireFewUnderWay(sql: Sql, organizationId: string): Promise<void> {
  const bound = await findReachedRunLimit(sql, organizationId);
  if (bound === null) return;
  throw new ChildRunRefused(
    'too_many_runs',
    `The organization has ${bound} runs under way, as many as it may`,
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
 * Accepts the run of a sub-workflow; the same step always gets the same run. The child talks in its parent's thread
 * and is as private, and as ephemeral, as its parent.
 * @throws ChildRunRefused when there is nothing to run, it would nest too deep, or too much is under way
 */
export async function acceptChildRun(sql: Sql, child: NewChildRun): Promise<AcceptedChildRun> {
  const { organizationId, parentRunPk, parentStepId } = child;
  const runPk = deriveRunPk(parentStepId, child.parentCall);
  const before = await readStart(sql, { organizationId, runPk });
  if (before !== null) return { runPk, start: before };
  const parent = await requireParent(sql, child);
  const deployment = await requireDeployment(sql, child);
  await requireFewUnderWay(sql, organizationId);
  const config = await readDefinitionConfig(sql, organizationId, deployment.definitionHash);
  const row = buildRow({
    ...deployment,
    ...parent,
    runPk,
    organizationId,
    parentRunPk,
    parentStepId,
    childDepth: parent.childDepth + 1,
    admission: null,
    triggerType: 'workflow',
    stream: false,
    chatKind: null,
    messagePreview: '',
    ...chooseLimits(deployment.config, config),
    workflowInput: deployment.input,
    runInput: child.input,
  });
  await insertRuns(sql, [row]);
  // A repetition at the same moment may have inserted it first.
  const start = await readStart(sql, { organizationId, runPk });
  if (start === null) throw new Error('the child run was not inserted');
  return { runPk, start };
}
