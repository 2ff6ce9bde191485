/** Reads the effect rules of an organization, in their order. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';

interface EffectRuleRow {
  readonly name: string;
  readonly decision: string;
  readonly when: Json;
}

const SELECT = `
  SELECT name, decision, condition AS "when" FROM effect_rules WHERE organization_id = $1 ORDER BY position, id`;

export const readEffectRules = (sql: Sql, organizationId: string): Promise<EffectRuleRow[]> =>
  sql.query<EffectRuleRow>(SELECT, [organizationId]);
