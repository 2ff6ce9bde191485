/** The deployment that a saved workflow runs: the live one, or one that is named. */
import { keysTable } from '../../db/batcher.ts';
import type { BatchedReads, Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';

export interface RunnableDeployment {
  readonly deploymentId: string;
  readonly workflowId: string;
  readonly name: string;
  readonly version: string;
  readonly definitionHash: string;
  /** Default run input and execution config, captured at deploy time. */
  readonly input: JsonObject;
  readonly config: JsonObject;
}

interface Row {
  workflow_id: string;
  deployment_id: string | null;
  name: string;
  version: string;
  definition_hash: string;
  input: JsonObject;
  config: JsonObject;
}

const COLUMNS =
  'w.id AS workflow_id, d.id AS deployment_id, d.name, d.version, d.definition_hash, d.input, d.config';
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

type Found = RunnableDeployment | 'none' | null;

interface Wanted {
  readonly organizationId: string;
  readonly workflowId: string;
  /** `live`, or the id or version of a deployment. */
  readonly which: string;
}

/**
 * Finds a deployment to run.
 * @returns null when the organization has no such workflow; `none` when the workflow has no such deployment
 */
export async function findRunnable(sql: Sql, { organizationId, workflowId, which }: Wanted): Promise<Found> {
  return found(await sql.query<Row>(FIND, [workflowId, organizationId, which]));
}

/** Finds the live deployment, for requests: as `findRunnable`, but together with others who look for theirs. */
export async function findLive(db: BatchedReads, organizationId: string, workflowId: string): Promise<Found> {
  return found(await db.batched<Row>(FIND_LIVE, [workflowId, organizationId]));
}

function found([row]: readonly Row[]): Found {
  if (row === undefined) return null;
  if (row.deployment_id === null) return 'none';
  return {
    deploymentId: row.deployment_id,
    workflowId: row.workflow_id,
    name: row.name,
    version: row.version,
    definitionHash: row.definition_hash,
    input: row.input,
    config: row.config,
  };
}
