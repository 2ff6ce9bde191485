/** Reads saved workflows for runs: their deployments, their drafts, and those that the Assistant may run. */
import { keysTable } from '../../../../base/db/batcher.ts';
import type { BatchedReads, Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { RunSubject } from '../write/insert-runs.ts';
import { selectRedactedPaths } from './redacted-paths.ts';

interface WorkflowKey {
  readonly organizationId: string;
  readonly workflowId: string;
}

/** A deployment with the names for a run's record, its default input and its execution config. */
export interface RunnableDeployment extends RunSubject {
  readonly workflowId: string;
  readonly input: JsonObject;
  readonly config: JsonObject;
}

interface DeploymentRow {
  readonly workflowId: string;
  readonly deploymentId: string | null;
  readonly deploymentVersion: string;
  readonly workflowName: string;
  readonly workflowVersion: string;
  readonly definitionHash: string;
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly redactedPaths: readonly string[];
}

const COLUMNS = `
  w.id AS "workflowId", d.id AS "deploymentId", d.version AS "deploymentVersion", d.name AS "workflowName",
  d.version AS "workflowVersion", d.definition_hash AS "definitionHash", d.input, d.config,
  ${selectRedactedPaths('w.organization_id', 'w.id')} AS "redactedPaths"`;
const FIND = `
  SELECT ${COLUMNS} FROM workflows w LEFT JOIN deployments d ON d.workflow_id = w.id
    AND CASE WHEN $3::text = 'live' THEN d.is_live ELSE d.id::text = $3 OR d.version = $3 END
  WHERE w.id = $1 AND w.organization_id = $2
  ORDER BY d.ordinal DESC LIMIT 1`;
const FIND_LIVE = `
  SELECT keys.place, found.*
  FROM ${keysTable({ workflow_id: 'uuid', organization_id: 'uuid' })}
  CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM workflows w LEFT JOIN deployments d ON d.workflow_id = w.id AND d.is_live
    WHERE w.id = keys.workflow_id AND w.organization_id = keys.organization_id LIMIT 1
  ) AS found`;

type RunnableLookup = RunnableDeployment | 'none' | null;

/**
 * Finds a deployment to run.
 * @param which `live`, or the id or version of a deployment
 * @returns null when the organization has no such workflow; `none` when the workflow has no such deployment
 */
export async function findRunnable(sql: Sql, key: WorkflowKey, which: string): Promise<RunnableLookup> {
  return toDeployment(await sql.query<DeploymentRow>(FIND, [key.workflowId, key.organizationId, which]));
}

/** Finds the live deployment, like `findRunnable`; reads at the same moment share a statement. */
export async function findLive(db: BatchedReads, key: WorkflowKey): Promise<RunnableLookup> {
  return toDeployment(await db.batched<DeploymentRow>(FIND_LIVE, [key.workflowId, key.organizationId]));
}

function toDeployment([row]: readonly DeploymentRow[]): RunnableLookup {
  if (row === undefined) return null;
  if (row.deploymentId === null) return 'none';
  return { ...row, workflowSource: 'database', isAdHoc: false, definitionText: null };
}

/** Checks that the organization has the workflow. */
export async function hasWorkflow(sql: Sql, { workflowId, organizationId }: WorkflowKey): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM workflows WHERE id = $1 AND organization_id = $2', [
    workflowId,
    organizationId,
  ]);
  return rows.length > 0;
}

/** Reads the draft of a workflow; null when the organization has no such workflow. */
export async function readDraft(
  sql: Sql,
  { workflowId, organizationId }: WorkflowKey,
): Promise<JsonObject | null> {
  const [workflow] = await sql.query<{ definition: JsonObject }>(
    'SELECT workflow_schema AS definition FROM workflows WHERE id = $1 AND organization_id = $2',
    [workflowId, organizationId],
  );
  return workflow?.definition ?? null;
}

/** Reads the definition of the live deployment of a workflow; null when it has none. */
export async function readLiveDefinition(
  sql: Sql,
  { workflowId, organizationId }: WorkflowKey,
): Promise<JsonObject | null> {
  const [live] = await sql.query<{ definition: JsonObject }>(
    `SELECT d.workflow_schema AS definition FROM workflows w JOIN deployments d ON d.id = w.live_deployment_id
     WHERE w.id = $1 AND w.organization_id = $2`,
    [workflowId, organizationId],
  );
  return live?.definition ?? null;
}

/** A live deployment under its name. */
export interface LiveVersion {
  readonly workflowId: string;
  readonly workflowName: string;
  readonly deploymentId: string;
  readonly deploymentVersion: string;
  readonly definitionHash: string;
}

/** Lists the live deployments of all workflows, last edited first. */
export function listLiveVersions(sql: Sql, organizationId: string, limit: number): Promise<LiveVersion[]> {
  return sql.query<LiveVersion>(
    `SELECT w.id AS "workflowId", w.name AS "workflowName", d.id AS "deploymentId", d.version AS "deploymentVersion",
            d.definition_hash AS "definitionHash"
     FROM workflows w JOIN deployments d ON d.id = w.live_deployment_id
     WHERE w.organization_id = $1 ORDER BY w.updated_at DESC, w.id LIMIT $2`,
    [organizationId, limit],
  );
}

export interface OfferedWorkflow {
  readonly workflow_id: string;
  readonly name: string;
  /** The name in lower case, with a hyphen for everything but letters and digits of ASCII; empty when nothing is left. */
  readonly slug: string;
  readonly description: string | null;
  readonly input_parameters: Json;
  /** The default input of the deployment. */
  readonly input: JsonObject;
  readonly definition_hash: string;
  /** `metadata.mcp` of the definition. */
  readonly mcp: Json;
  /** Unix seconds of the deployment. */
  readonly created_seconds: number;
}

const SLUG = `trim(both '-' from regexp_replace(lower(d.name), '[^a-z0-9]+', '-', 'g'))`;
const OFFERED = `
  SELECT w.id AS workflow_id, d.name, ${SLUG} AS slug, d.description,
         d.workflow_schema->'input_parameters' AS input_parameters, d.input, d.definition_hash,
         d.workflow_schema->'metadata'->'mcp' AS mcp,
         extract(epoch FROM d.created_at)::int AS created_seconds
  FROM workflows w JOIN deployments d ON d.id = w.live_deployment_id
  WHERE w.organization_id = $1 AND w.status <> 'archived'`;

/** Lists workflows with a live deployment, under its name and with its input; last edited first. */
export function listLive(sql: Sql, organizationId: string, limit: number): Promise<OfferedWorkflow[]> {
  return sql.query<OfferedWorkflow>(`${OFFERED} ORDER BY w.updated_at DESC, w.id LIMIT $2`, [
    organizationId,
    limit,
  ]);
}

/** Lists the workflows with a live deployment that a word names: the id of one, or the slug of their name. */
export function listLiveNamed(sql: Sql, organizationId: string, word: string): Promise<OfferedWorkflow[]> {
  return sql.query<OfferedWorkflow>(`${OFFERED} AND (w.id::text = $2 OR ${SLUG} = $2) ORDER BY w.id`, [
    organizationId,
    word,
  ]);
}

/** Lists the workflows with a live deployment whose definition says that they are tools of the MCP server. */
export function listLiveTools(sql: Sql, organizationId: string, limit: number): Promise<OfferedWorkflow[]> {
  return sql.query<OfferedWorkflow>(
    `${OFFERED} AND d.workflow_schema->'metadata'->'mcp'->>'enabled' = 'true' ORDER BY w.id LIMIT $2`,
    [organizationId, limit],
  );
}
