/**
 * Parses and evaluates the rules of conditionals, list filters and `when`. Values are not coerced, except numeric strings
 * and timestamps in order comparisons.
 */
import { RULE_OPS, UNARY_OPS, type Rule, type RuleGroup, type RuleOp } from '../definition/definition.ts';
import { compareValues } from '../values/order.ts';
import type { Path } from './template-scanner.ts';
import { containsText } from '../definition/find-text.ts';
import {
  EQUAL_CHARS_PER_STEP,
  STEPS_PER_KEY,
  isObject,
  ownValue,
  sameJson,
  type Json,
} from '../values/value.ts';
import type { PatternEngine, WorkBudget } from '../values/work-budget.ts';

interface RuleProblem {
  readonly code: 'invalid_rule';
  readonly message: string;
  /** Relative to the parsed value. */
  readonly path: Path;
}

const MAX_DEPTH = 16;
/** Steps per rule, beside rendering and comparing its sides. */
const STEPS_PER_RULE = 40;
/** Steps to compare a string as a number by its digits, and characters per step of it. */
const STEPS_PER_DECIMAL = 100;
const CHARS_PER_STEP = 4;
const isOp = (op: unknown): op is RuleOp => (RULE_OPS as readonly unknown[]).includes(op);

/** Parses one rule, a list of rules (all must hold) or a group; a single rule becomes a group of one. Never throws. */
export function readRules(
  value: unknown,
): { readonly rules: RuleGroup } | { readonly problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const tell = (message: string, path: Path): null => {
    problems.push({ code: 'invalid_rule', message, path });
    return null;
  };

  const readGroup = (
    given: { match: unknown; list: unknown },
    path: Path,
    listPath: Path,
  ): RuleGroup | null => {
    const { match, list } = given;
    if (path.length >= 2 * MAX_DEPTH) return tell(`Rules are nested deeper than ${MAX_DEPTH} groups`, path);
    if (match !== 'all' && match !== 'any')
      return tell('A rule group needs "match": "all" or "any"', [...path, 'match']);
    if (!Array.isArray(list)) return tell('A rule group needs an array "rules"', listPath);
    const rules = list.map((item: unknown, index) => readOne(item, [...listPath, index]));
    return { match, rules: rules.filter((rule) => rule !== null) };
  };

  const readOne = (item: unknown, path: Path): Rule | RuleGroup | null => {
    if (!isObject(item)) return tell('A rule must be an object', path);
    if (Object.hasOwn(item, 'rules')) {
      const group = { match: ownValue(item, 'match') ?? 'all', list: ownValue(item, 'rules') };
      return readGroup(group, path, [...path, 'rules']);
    }
    const op = ownValue(item, 'op');
    const left = ownValue(item, 'left');
    const right = ownValue(item, 'right');
    if (!isOp(op)) return tell(`A rule needs an "op" of: ${RULE_OPS.join(', ')}`, [...path, 'op']);
    if (left === undefined) return tell('A rule needs a "left" side', [...path, 'left']);
    if (right !== undefined) return { left, op, right };
    return UNARY_OPS.has(op)
      ? { left, op }
      : tell(`A rule with "${op}" needs a "right" side`, [...path, 'right']);
  };

  const read = Array.isArray(value) ? readGroup({ match: 'all', list: value }, [], []) : readOne(value, []);
  if (read === null || problems.length > 0) return { problems };
  return { rules: 'rules' in read ? read : { match: 'all', rules: [read] } };
}

/** Lists the patterns without templates, nested groups included; paths are relative to the group. */
export function listLiteralPatterns(
  group: RuleGroup,
  path: Path = [],
): { readonly pattern: string; readonly path: Path }[] {
  return group.rules.flatMap((rule, index) => {
    const at = [...path, 'rules', index];
    if ('rules' in rule) return listLiteralPatterns(rule, at);
    const { op, right } = rule;
    const isLiteral = op === 'matches' && typeof right === 'string' && !right.includes('{{');
    return isLiteral ? [{ pattern: right, path: [...at, 'right'] }] : [];
  });
}

/**
 * Evaluates a group and stops at the first rule that decides. An empty group holds for `all` and fails for `any`.
 * @param side renders one side of a rule; null: does not exist. `mayMiss`: the rule asks whether its path exists, so that a
 * missing one is no mistake @param engine searches patterns and counts the work
 * @throws WorkLimitExceeded
 */
export function evaluateRules(
  group: RuleGroup,
  side: (value: Json, mayMiss: boolean) => Json,
  engine: PatternEngine,
): boolean {
  const holds = (rule: Rule | RuleGroup): boolean => {
    engine.work.spend(STEPS_PER_RULE);
    if ('rules' in rule) return evaluateRules(rule, side, engine);
    const { op, left, right } = rule;
    const isAsked = op === 'exists' || op === 'not_exists';
    return compare(op, [side(left, isAsked), right === undefined ? null : side(right, false)], engine);
  };
  return group.match === 'all' ? group.rules.every(holds) : group.rules.some(holds);
}

function compare(op: RuleOp, [left, right]: readonly [Json, Json], engine: PatternEngine): boolean {
  const { work } = engine;
  switch (op) {
    case 'eq':
      return sameJson(left, right, work);
    case 'neq':
      return !sameJson(left, right, work);
    case 'gt':
      return compareSizes([left, right], work, (order) => order > 0);
    case 'gte':
      return compareSizes([left, right], work, (order) => order >= 0);
    case 'lt':
      return compareSizes([left, right], work, (order) => order < 0);
    case 'lte':
      return compareSizes([left, right], work, (order) => order <= 0);
    case 'contains':
      return contains(left, right, work);
    case 'not_contains':
      return !contains(left, right, work);
    case 'starts_with':
      return compareTexts([left, right], work, (text, part) => text.startsWith(part));
    case 'ends_with':
      return compareTexts([left, right], work, (text, part) => text.endsWith(part));
    case 'matches':
      return typeof left === 'string' && typeof right === 'string' && engine.matches(right, left);
    case 'in':
      return contains(right, left, work);
    case 'not_in':
      return !contains(right, left, work);
    case 'is_empty':
      return isEmpty(left, work);
    case 'is_not_empty':
      return !isEmpty(left, work);
    case 'exists':
      return left !== null;
    case 'not_exists':
      return left === null;
    case 'is_true':
      return left === true;
    case 'is_false':
      return left === false;
  }
}

/** False unless both sides are numbers or decimal strings, or both are ISO 8601 timestamps. */
function compareSizes(
  [left, right]: readonly [Json, Json],
  work: WorkBudget,
  holds: (order: number) => boolean,
): boolean {
  for (const side of [left, right])
    if (typeof side === 'string') work.spend(STEPS_PER_DECIMAL + side.length / CHARS_PER_STEP);
  const order = compareValues(left, right);
  return order !== null && holds(order);
}

/** False unless both sides are strings. */
function compareTexts(
  [left, right]: readonly [Json, Json],
  work: WorkBudget,
  holds: (text: string, part: string) => boolean,
): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  work.spend(right.length / EQUAL_CHARS_PER_STEP);
  return holds(left, right);
}

/** True for a substring of a string, or an element of an array (deep equality). */
function contains(whole: Json, part: Json, work: WorkBudget): boolean {
  if (typeof whole === 'string') return typeof part === 'string' && containsText(whole, part, work);
  if (!Array.isArray(whole)) return false;
  const at = whole.findIndex((item) => sameJson(item, part, work));
  work.spend(at === -1 ? whole.length : at + 1);
  return at !== -1;
}

function isEmpty(value: Json, work: WorkBudget): boolean {
  if (value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  const { length } = Array.isArray(value) ? value : Object.keys(value);
  if (!Array.isArray(value)) work.spend(length * STEPS_PER_KEY);
  return length === 0;
}
