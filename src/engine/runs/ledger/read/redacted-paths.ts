/** The paths whose values are redacted in new runs: those of the organization, and those of the workflow. */
import type { Sql } from '../../../../base/db/client.ts';

/**
 * Builds the expression of the paths of a run that starts now.
 * @param organization an expression of its id @param workflow an expression of its id; null for a run without one
 */
export const selectRedactedPaths = (organization: string, workflow: string): string => `
  (SELECT o.redacted_paths || coalesce((SELECT p.redacted_paths FROM workflow_retention p
                                        WHERE p.workflow_id = ${workflow} AND p.organization_id = o.id), '{}')
   FROM organizations o WHERE o.id = ${organization})`;

/** Reads the paths of a run that starts now. @param workflowId null for a run without a saved workflow */
export async function readRedactedPaths(
  sql: Sql,
  { organizationId, workflowId }: { readonly organizationId: string; readonly workflowId: string | null },
): Promise<readonly string[]> {
  const [row] = await sql.query<{ paths: string[] | null }>(
    `SELECT ${selectRedactedPaths('$1', '$2::uuid')} AS paths`,
    [organizationId, workflowId],
  );
  return row?.paths ?? [];
}
