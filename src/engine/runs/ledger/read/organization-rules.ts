/** Reads what an organization has decided about the effects of its runs: its effect rules in their order, and what has a budget. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';

interface EffectRuleRow {
  readonly name: string;
  readonly decision: string;
  readonly when: Json;
  /** Whom a rule that asks asks; else null. */
  readonly confirm: Json;
}

/** The subjects with a budget for a day or a month. */
export interface BudgetScopes {
  readonly hasOrganization: boolean;
  readonly workflowIds: readonly string[];
}

interface OrganizationRules extends BudgetScopes {
  readonly effectRules: readonly EffectRuleRow[];
}

const SELECT = `
  SELECT (SELECT coalesce(json_agg(json_build_object('name', r.name, 'decision', r.decision, 'when', r.condition,
                                                     'confirm', r.confirmation)
                                   ORDER BY r.position, r.id), '[]')
          FROM effect_rules r WHERE r.organization_id = $1) AS "effectRules",
         coalesce(bool_or(b.workflow_id IS NULL), false) AS "hasOrganization",
         coalesce(array_agg(b.workflow_id) FILTER (WHERE b.workflow_id IS NOT NULL), '{}') AS "workflowIds"
  FROM budgets b WHERE b.organization_id = $1`;

/** Reads the rules of an organization. */
export async function readOrganizationRules(sql: Sql, organizationId: string): Promise<OrganizationRules> {
  const [row] = await sql.query<OrganizationRules>(SELECT, [organizationId]);
  if (row === undefined) throw new Error('an aggregate has one row');
  return row;
}
