/** The rules of an organization over the effects of a definition: what is refused is not deployed. */
import type { Sql } from '../../../base/db/client.ts';
import { conflict } from '../../../base/errors.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { isExact } from '../../../language/nodes/effect.ts';
import { findRefusingRule, parseEffectRules } from '../../../language/nodes/effect-rules.ts';
import { Patterns } from '../../../language/nodes/pattern.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { readEffectRules } from '../ledger/read/effect-rules.ts';
import { findEffects, nameNode } from './sent-effects.ts';

/**
 * Requires that no rule refuses an exact effect. One whose target a run decides is asked for when it is made.
 * @param definition without errors
 * @throws ApiError 409 with the names of the rule and the node
 */
export async function requireAllowedEffects(
  sql: Sql,
  of: { readonly organizationId: string; readonly workflowId: string },
  definition: JsonObject,
): Promise<void> {
  const rules = parseEffectRules(await readEffectRules(sql, of.organizationId));
  if (rules.length === 0) return;
  const patterns = new Patterns();
  for (const found of await findEffects(sql, of, compile(definition, kindRules).nodes)) {
    const { effect, workflowId } = found;
    if (effect === null || !isExact(effect)) continue;
    const refusing = findRefusingRule(rules, { ...effect, workflowId }, patterns);
    if (refusing !== null)
      throw conflict(
        'effect_refused',
        `The rule "${refusing.name}" of the organization refuses what the node "${nameNode(found)}" does`,
      );
  }
}
