/**
 * A sub-workflow's run: a run of its own that hangs on the step which called it. Its execution is a child of the
 * caller's Temporal execution, so there is no outbox entry; asking twice for the same step (and call of it) gives
 * the same run.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { StartDescription } from '../engine.ts';
import type { Sql } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { activeTraceparent } from '../../observe/tracing.ts';
import { runLimits } from './limits.ts';
import { findRunnable, type RunnableDeployment } from './live-deployment.ts';
import { runsBoundReached } from './runs-under-way.ts';

/** Levels of sub-workflows that call sub-workflows, whether or not their callers wait. */
export const MAX_CHILD_DEPTH = 10;

export interface NewChildRun {
  readonly organizationId: string;
  readonly parentRunPk: string;
  readonly parentStepId: string;
  /** Which of several calls of the step: an agent's `turn.call`. */
  readonly parentCall?: string;
  readonly workflowId: string;
  /** `live`, or the id or version of a deployment. */
  readonly deployment: string;
  readonly input: JsonObject;
}

export interface AcceptedChildRun {
  readonly runPk: string;
  readonly start: StartDescription;
}

/** Why a sub-workflow cannot run. `code` is a node's error code; trying again cannot help. */
export class ChildRunRefused extends Error {
  override readonly name = 'ChildRunRefused';
  readonly code: 'workflow_not_found' | 'workflow_not_deployed' | 'sub_workflow_too_deep' | 'too_many_runs';

  constructor(code: ChildRunRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The run_pk of a step's child: a function of the step and its call, so that a repeated activity finds the run it made before. */
function childRunPk(parentStepId: string, call: string | undefined): string {
  const name = call === undefined ? parentStepId : `${parentStepId}:${call}`;
  const hex = createHash('sha256').update(`child-run:${name}`).digest('hex');
  // Version 8 (RFC 9562): a UUID whose other bits are ours.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

interface ParentRow {
  child_depth: number;
  thread_id: string | null;
  chat_id: string | null;
  is_private: boolean;
  ephemeral: boolean;
  created_by: string | null;
}

async function readParent(sql: Sql, child: NewChildRun): Promise<ParentRow> {
  const rows = await sql.query<ParentRow>(
    `SELECT child_depth, thread_id, chat_id, is_private, ephemeral, created_by
     FROM runs WHERE id = $1 AND organization_id = $2`,
    [child.parentRunPk, child.organizationId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`run ${child.parentRunPk} does not exist`);
  if (row.child_depth >= MAX_CHILD_DEPTH) {
    throw new ChildRunRefused(
      'sub_workflow_too_deep',
      `Sub-workflows may be nested ${MAX_CHILD_DEPTH} deep at most; this one would be deeper`,
    );
  }
  return row;
}

async function requireRoom(sql: Sql, organizationId: string): Promise<void> {
  const bound = await runsBoundReached(sql, organizationId);
  if (bound === null) return;
  throw new ChildRunRefused(
    'too_many_runs',
    `The organization has ${bound} runs under way, as many as it may`,
  );
}

async function readDeployment(sql: Sql, child: NewChildRun): Promise<RunnableDeployment> {
  const found = await findRunnable(sql, { ...child, which: child.deployment });
  if (found === null)
    throw new ChildRunRefused('workflow_not_found', `Workflow ${child.workflowId} not found`);
  if (found === 'none') {
    const which = child.deployment === 'live' ? 'live deployment' : `deployment ${child.deployment}`;
    throw new ChildRunRefused(
      'workflow_not_deployed',
      `Workflow ${child.workflowId} has no ${which}; deploy it first`,
    );
  }
  return found;
}

/** The execution config that a stored definition itself carries. */
export async function definitionConfig(
  sql: Sql,
  organizationId: string,
  hash: string,
): Promise<Json | undefined> {
  const rows = await sql.query<{ config: Json }>(
    `SELECT definition -> 'config' AS config FROM definitions WHERE organization_id = $1 AND hash = $2`,
    [organizationId, hash],
  );
  return rows[0]?.config;
}

const INSERT_CHILD = `
  WITH run AS (
    INSERT INTO runs (id, run_id, root_run_pk, organization_id, chat_id, created_by, thread_id, workflow_id,
                      deployment_id, deployment_version, definition_hash, workflow_name, workflow_version,
                      workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, stream, config, input,
                      parent_run_pk, parent_step_id, child_depth, traceparent)
    VALUES ($1, $2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $9, 'database', 'workflow', false, $12, $13, false,
            $14::json, $15::json, $16, $17, $18, $20)
    ON CONFLICT (id) DO NOTHING RETURNING id
  ), cursor AS (
    INSERT INTO run_cursors (root_run_pk) SELECT id FROM run
  )
  SELECT append_events(id, ARRAY['run_started'], ARRAY[$19::text]) FROM run`;

interface StoredChild {
  run_id: string;
  workflow_id: string | null;
  deployment_id: string | null;
  workflow_name: string;
  workflow_version: string;
  thread_id: string | null;
}

async function readChild(sql: Sql, organizationId: string, runPk: string): Promise<AcceptedChildRun | null> {
  const rows = await sql.query<StoredChild>(
    `SELECT run_id, workflow_id, deployment_id, workflow_name, workflow_version, thread_id
     FROM runs WHERE id = $1 AND organization_id = $2`,
    [runPk, organizationId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    runPk,
    start: {
      organizationId,
      rootRunPk: runPk,
      runId: row.run_id,
      workflowId: row.workflow_id,
      deploymentId: row.deployment_id,
      workflowName: row.workflow_name,
      workflowVersion: row.workflow_version,
      triggerType: 'workflow',
      threadId: row.thread_id,
      isAdHoc: false,
    },
  };
}

/**
 * Accepts the run of a sub-workflow; the same step always gets the same run. The child talks in its parent's thread
 * and is as private, and as ephemeral, as its parent.
 * @throws ChildRunRefused when there is nothing to run, it would nest too deep, or too much is under way
 */
export async function acceptChildRun(sql: Sql, child: NewChildRun): Promise<AcceptedChildRun> {
  const runPk = childRunPk(child.parentStepId, child.parentCall);
  const before = await readChild(sql, child.organizationId, runPk);
  if (before !== null) return before;
  const parent = await readParent(sql, child);
  const deployment = await readDeployment(sql, child);
  await requireRoom(sql, child.organizationId);
  const config = await definitionConfig(sql, child.organizationId, deployment.definitionHash);
  const limits = runLimits(deployment.config, config);
  await sql.query(INSERT_CHILD, [
    runPk,
    randomUUID(),
    child.organizationId,
    parent.chat_id,
    parent.created_by,
    parent.thread_id,
    deployment.workflowId,
    deployment.deploymentId,
    deployment.version,
    deployment.definitionHash,
    deployment.name,
    parent.is_private,
    parent.ephemeral,
    JSON.stringify({
      recursion_limit: limits.recursionLimit,
      batch_interval_ms: limits.batchIntervalMs,
      workflow_input: deployment.input,
      run_input: child.input,
    }),
    JSON.stringify({ ...deployment.input, ...child.input }),
    child.parentRunPk,
    child.parentStepId,
    parent.child_depth + 1,
    JSON.stringify({
      workflow_id: deployment.workflowId,
      workflow_name: deployment.name,
      workflow_version: deployment.version,
      workflow_source: 'database',
      deployment_id: deployment.deploymentId,
      ephemeral: parent.ephemeral,
      reason: 'initial',
      resumed_from_run_id: null,
      chat_id: parent.chat_id,
    }),
    activeTraceparent(),
  ]);
  const made = await readChild(sql, child.organizationId, runPk);
  if (made === null) throw new Error('the child run was not inserted');
  return made;
}
