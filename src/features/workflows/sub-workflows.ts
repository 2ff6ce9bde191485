/** Calls between workflows: missing callees, and the callers of a workflow. */
import type { Sql } from '../../base/db/client.ts';
import type { Problem } from '../../language/graph/definition/definition.ts';
import { listReferencesTo, type ResourceReference } from '../../language/graph/template/references.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';

/** Callers in a response at most. */
const MAX_USERS = 100;
/** Names in a message at most. */
const NAMED = 5;

/** Lists the places of a definition that call a workflow. */
export const listCalls = (definition: JsonObject): ResourceReference[] =>
  listReferencesTo('workflow', definition);

/** @returns a problem for each call of a workflow that the organization does not have; one of another organization is missing too */
export async function findMissing(
  sql: Sql,
  organizationId: string,
  calls: readonly ResourceReference[],
): Promise<Problem[]> {
  if (calls.length === 0) return [];
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM workflows WHERE organization_id = $1 AND id::text = ANY ($2::text[])',
    [organizationId, [...new Set(calls.map(({ id }) => id))]],
  );
  const known = new Set(rows.map(({ id }) => id));
  return calls
    .filter(({ id }) => !known.has(id))
    .map(({ id, nodeId, path }) => ({
      severity: 'error',
      code: 'workflow_not_found',
      message: `Node ${JSON.stringify(nodeId)}: workflow_id: this organization has no workflow ${id}`,
      path,
      nodeId,
    }));
}

export interface WorkflowUser {
  readonly workflow_id: string;
  readonly name: string;
  /** True if its live deployment has the call, not only its draft. */
  readonly is_live: boolean;
}

interface MentioningRow {
  readonly workflow_id: string;
  readonly name: string;
  readonly draft: JsonObject;
  readonly live: JsonObject | null;
}

const MENTIONING = `
  SELECT w.id AS workflow_id, w.name, w.workflow_schema AS draft, d.workflow_schema AS live
  FROM workflows w LEFT JOIN deployments d ON d.id = w.live_deployment_id
  WHERE w.organization_id = $1 AND w.id <> $2::uuid
    AND (w.workflow_schema::text ILIKE '%' || $2::uuid::text || '%'
      OR d.workflow_schema::text ILIKE '%' || $2::uuid::text || '%')
  ORDER BY w.name, w.id`;

/** Lists the other workflows whose live deployment or draft calls this one, the live ones first. */
export async function listUsers(
  sql: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string },
): Promise<WorkflowUser[]> {
  const rows = await sql.query<MentioningRow>(MENTIONING, [organizationId, workflowId]);
  const calls = (definition: JsonObject | null): boolean =>
    definition !== null && listCalls(definition).some(({ id }) => id === workflowId.toLowerCase());
  const users = rows.flatMap(({ workflow_id, name, draft, live }): WorkflowUser[] => {
    const isLive = calls(live);
    return isLive || calls(draft) ? [{ workflow_id, name, is_live: isLive }] : [];
  });
  return users.sort((a, b) => Number(b.is_live) - Number(a.is_live)).slice(0, MAX_USERS);
}

/** Lists the names of callers for a message. */
export function nameUsers(users: readonly WorkflowUser[]): string {
  const names = users.slice(0, NAMED).map(({ name }) => JSON.stringify(name));
  const more = users.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
