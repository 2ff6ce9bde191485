/** The rules of an organization over the effects of a definition: what is refused does not go live, and what is asked about is said. */
import type { Sql } from '../../../base/db/client.ts';
import { conflict } from '../../../base/errors.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { isExact } from '../../../language/nodes/effect.ts';
import { findDecidingRule, parseEffectRules, type EffectRule } from '../../../language/nodes/effect-rules.ts';
import { Patterns } from '../../../language/nodes/pattern.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { readOrganizationRules } from '../ledger/read/organization-rules.ts';
import { findEffects, nameNode, type FoundEffect } from './sent-effects.ts';

/** Finds the rule that decides about an effect before any run; null: none, or a run decides the target and is asked when it makes the effect. */
type FindRule = (found: Pick<FoundEffect, 'effect' | 'workflowId'>) => EffectRule | null;

/** Reads the rules of an organization once, for many effects. */
export async function readDecisions(sql: Sql, organizationId: string): Promise<FindRule> {
  const { effectRules } = await readOrganizationRules(sql, organizationId);
  const rules = parseEffectRules(effectRules);
  const patterns = new Patterns();
  return ({ effect, workflowId }) =>
    effect === null || !isExact(effect) ? null : findDecidingRule(rules, { ...effect, workflowId }, patterns);
}

/**
 * Requires that no rule refuses an exact effect.
 * @param definition without errors
 * @throws ApiError 409 with the names of the rule and the node
 */
export async function requireAllowedEffects(
  sql: Sql,
  of: { readonly organizationId: string; readonly workflowId: string },
  definition: JsonObject,
): Promise<void> {
  const findRule = await readDecisions(sql, of.organizationId);
  for (const found of await findEffects(sql, of, compile(definition, kindRules).nodes)) {
    const rule = findRule(found);
    if (rule?.decision === 'refuse')
      throw conflict(
        'effect_refused',
        `The rule "${rule.name}" of the organization refuses what the node "${nameNode(found)}" does`,
      );
  }
}
