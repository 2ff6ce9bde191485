/** The rules of an organization over the effects of a definition: what is refused does not go live, and what is asked about is said. */
import type { Sql } from '../../../base/db/client.ts';
import { conflict } from '../../../base/errors.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { isExact } from '../../../language/nodes/effect.ts';
import {
  findDecidingRule,
  mayAskPeople,
  parseEffectRules,
  type EffectRule,
} from '../../../language/nodes/effect-rules.ts';
import { Patterns } from '../../../language/nodes/pattern.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { readOrganizationRules } from '../ledger/read/organization-rules.ts';
import { findEffects, findOwnEffects, nameNode, type FoundEffect, type Unasked } from './sent-effects.ts';

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

const WHY_UNASKED: Readonly<Record<Unasked, string>> = {
  item: 'an item of a list cannot wait for people',
  message: 'a link to a person cannot wait for people',
  unshown: 'it cannot be shown before it leaves',
};

/**
 * Finds the nodes of a definition about which a rule wants people to be asked, and nobody can be: they fail in a run. Of sub-workflows their own
 * definitions tell.
 * @returns warnings; none for a definition with errors
 */
export async function findUnaskedNodes(
  sql: Sql,
  of: { readonly organizationId: string; readonly workflowId: string },
  definition: unknown,
): Promise<Problem[]> {
  const { effectRules } = await readOrganizationRules(sql, of.organizationId);
  if (!mayAskPeople(parseEffectRules(effectRules))) return [];
  if (validate(definition, kindRules).some(({ severity }) => severity === 'error')) return [];
  const { nodes } = compile(definition as JsonObject, kindRules);
  const findRule = await readDecisions(sql, of.organizationId);
  const problems = nodes.flatMap((node): Problem[] => {
    const [refused] = findOwnEffects(node, of.workflowId).flatMap((found) => {
      const rule = found.unasked === null ? null : findRule(found);
      return rule?.decision === 'ask' && found.unasked !== null ? [{ rule, why: found.unasked }] : [];
    });
    if (refused === undefined) return [];
    const { rule, why } = refused;
    const message = `Node "${node.id}": the rule "${rule.name}" of the organization asks people first, but ${WHY_UNASKED[why]}. It is refused when it runs`;
    return [
      {
        severity: 'warning',
        code: 'rule_asks_nobody',
        message,
        path: ['nodes', node.index],
        nodeId: node.id,
      },
    ];
  });
  return problems;
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
