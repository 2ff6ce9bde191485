/**
 * The rules of an organization over the effects of its workflows. The first rule that matches decides; an effect that no rule matches is
 * allowed.
 */
import { RenderBudget } from '../graph/template/render-budget.ts';
import { evaluateRules, readRules } from '../graph/template/rules.ts';
import { createScope } from '../graph/template/given-values.ts';
import { render } from '../graph/template/template.ts';
import type { RuleGroup } from '../graph/definition/definition.ts';
import type { Json, JsonObject } from '../graph/values/value.ts';
import { REQUEST_WORK, WorkBudget } from '../graph/values/work-budget.ts';
import { ruleConfirmation, type RuleConfirmation } from './confirm/confirmation.ts';
import type { EffectPattern } from './effect.ts';
import { NodeError } from './kind.ts';
import { PatternSearch, type Patterns } from './pattern.ts';

/** Roots of the templates in a rule: `{{host}}`. A field that the door does not have is null. */
export const EFFECT_ROOTS = [
  'door',
  'method',
  'host',
  'target',
  'effect',
  'credential_id',
  'workflow_id',
] as const;

/** Stored rules are parsed again with each use of the list: `when` is as it was given. */
interface StoredEffectRule {
  readonly name: string;
  readonly decision: string;
  readonly when: Json;
  /** Of a rule that asks; else null. */
  readonly confirm: Json;
}

interface ReadRule {
  readonly name: string;
  readonly when: RuleGroup;
}

/** A rule whose effects people approve before they leave. */
export interface AskingRule extends ReadRule {
  readonly decision: 'ask';
  readonly confirm: RuleConfirmation;
}

export type EffectRule = AskingRule | (ReadRule & { readonly decision: 'allow' | 'refuse' });

/** The parts of an effect that rules read. */
export type EffectFacts = Pick<EffectPattern, 'door' | 'effect' | 'credential_id'> & {
  readonly target: Readonly<Record<string, unknown>>;
};

function parseEffectRule({ name, decision, when, confirm }: StoredEffectRule): EffectRule {
  const read = readRules(when);
  if (!('rules' in read)) return { name, decision: 'refuse', when: { match: 'all', rules: [] } };
  const rule = { name, when: read.rules };
  if (decision === 'allow') return { ...rule, decision };
  const asked = decision === 'ask' ? ruleConfirmation.safeParse(confirm).data : undefined;
  return asked === undefined ? { ...rule, decision: 'refuse' } : { ...rule, decision: 'ask', confirm: asked };
}

/** Parses stored rules. A rule that this build cannot read refuses: what it was to keep in must not leave. */
export const parseEffectRules = (stored: readonly StoredEffectRule[]): readonly EffectRule[] =>
  stored.map(parseEffectRule);

/** Tells whether any rule asks people. */
export const mayAskPeople = (rules: readonly EffectRule[]): boolean =>
  rules.some(({ decision }) => decision === 'ask');

/** The host of an effect: of a request, or of a server with an address; null for other doors, and where the credential has it. */
export function findHost(target: Readonly<Record<string, unknown>>): string | null {
  const { host, server } = target;
  if (typeof host === 'string') return host;
  return typeof server === 'string' && URL.canParse(server) ? new URL(server).host : null;
}

function listRoots({ target, ...facts }: EffectFacts, workflowId: string | null): JsonObject {
  const { method } = target;
  return {
    door: facts.door,
    method: typeof method === 'string' ? method : null,
    host: findHost(target),
    target: target as JsonObject,
    effect: facts.effect,
    credential_id: facts.credential_id,
    workflow_id: workflowId,
  };
}

/**
 * Makes the test of an effect: whether a condition holds for it.
 * @param engine counts the work of all tests
 * @returns a function that throws WorkLimitExceeded
 */
export function createEffectTest(
  { workflowId, ...facts }: EffectFacts & { readonly workflowId: string | null },
  engine: PatternSearch,
): (when: RuleGroup) => boolean {
  const scope = createScope(listRoots(facts, workflowId), new RenderBudget(engine.work));
  return (when) => evaluateRules(when, (side) => render(side, scope), engine);
}

/**
 * Finds the rule that decides about an effect, the first that matches; null: no rule matches, and it is allowed.
 * @param workflowId the workflow whose node sends it; null: none is stored
 * @throws WorkLimitExceeded
 */
export function findDecidingRule(
  rules: readonly EffectRule[],
  effect: EffectFacts & { readonly workflowId: string | null },
  patterns: Patterns,
): EffectRule | null {
  if (rules.length === 0) return null;
  const holds = createEffectTest(effect, new PatternSearch(patterns, new WorkBudget(REQUEST_WORK)));
  return rules.find(({ when }) => holds(when)) ?? null;
}

/**
 * Requires that no rule refuses an effect.
 * @param decided what `findDecidingRule` reads
 * @param onAsk gets the rule that asks people first
 * @throws NodeError `effect_refused` with the name of the rule; WorkLimitExceeded
 */
export function requireAllowed(
  decided: Parameters<typeof findDecidingRule>,
  onAsk: (rule: AskingRule) => void,
): void {
  const rule = findDecidingRule(...decided);
  if (rule?.decision === 'refuse')
    throw new NodeError('effect_refused', `The rule "${rule.name}" of the organization refuses this`);
  if (rule?.decision === 'ask') onAsk(rule);
}
