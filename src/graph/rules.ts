/**
 * Rules of conditionals, list filters and `when` edges: reading them and evaluating them over rendered sides.
 * Nothing is coerced except numeric strings and moments in comparisons of size; patterns are searched by the caller's engine.
 */
import { RULE_OPS, type Rule, type RuleGroup, type RuleOp } from './definition.ts';
import { compareDecimals, readDecimal } from './decimal.ts';
import { compareMoments } from './iso8601.ts';
import type { Path } from './template-scanner.ts';
import { isObject, ownValue, sameJson, type Json } from './value.ts';

export interface RuleProblem {
  readonly code: 'invalid_rule';
  readonly message: string;
  /** Relative to the value that was read. */
  readonly path: Path;
}

const MAX_DEPTH = 16;
const UNARY: ReadonlySet<RuleOp> = new Set<RuleOp>([
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
]);
const isOp = (op: unknown): op is RuleOp => (RULE_OPS as readonly unknown[]).includes(op);

/** Reads one rule, a list of rules (all must hold) or a group; a single rule becomes a group of one. Never throws. */
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
    return UNARY.has(op)
      ? { left, op }
      : tell(`A rule with "${op}" needs a "right" side`, [...path, 'right']);
  };

  const read = Array.isArray(value) ? readGroup({ match: 'all', list: value }, [], []) : readOne(value, []);
  if (read === null || problems.length > 0) return { problems };
  return { rules: 'rules' in read ? read : { match: 'all', rules: [read] } };
}

/**
 * Evaluates a group: `side` renders a side to its value (null: does not exist), `matches` searches an RE2 pattern.
 * An empty group holds for `all` and fails for `any`. Stops at the first rule that decides.
 */
export function evaluateRules(
  group: RuleGroup,
  side: (value: Json) => Json,
  matches: (pattern: string, text: string) => boolean,
): boolean {
  const holds = (rule: Rule | RuleGroup): boolean =>
    'rules' in rule
      ? evaluateRules(rule, side, matches)
      : compare(rule.op, [side(rule.left), rule.right === undefined ? null : side(rule.right)], matches);
  return group.match === 'all' ? group.rules.every(holds) : group.rules.some(holds);
}

function compare(
  op: RuleOp,
  [left, right]: readonly [Json, Json],
  matches: (pattern: string, text: string) => boolean,
): boolean {
  switch (op) {
    case 'eq':
      return sameJson(left, right);
    case 'neq':
      return !sameJson(left, right);
    case 'gt':
      return bySize(left, right, (order) => order > 0);
    case 'gte':
      return bySize(left, right, (order) => order >= 0);
    case 'lt':
      return bySize(left, right, (order) => order < 0);
    case 'lte':
      return bySize(left, right, (order) => order <= 0);
    case 'contains':
      return contains(left, right);
    case 'not_contains':
      return !contains(left, right);
    case 'starts_with':
      return typeof left === 'string' && typeof right === 'string' && left.startsWith(right);
    case 'ends_with':
      return typeof left === 'string' && typeof right === 'string' && left.endsWith(right);
    case 'matches':
      return typeof left === 'string' && typeof right === 'string' && matches(right, left);
    case 'in':
      return contains(right, left);
    case 'not_in':
      return !contains(right, left);
    case 'is_empty':
      return isEmpty(left);
    case 'is_not_empty':
      return !isEmpty(left);
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

/** False unless both sides are numbers or decimal strings, or both are moments of ISO 8601. */
function bySize(left: Json, right: Json, holds: (order: number) => boolean): boolean {
  const order = orderOf(left, right);
  return order !== null && holds(order);
}

function orderOf(left: Json, right: Json): number | null {
  const a = readDecimal(left);
  const b = readDecimal(right);
  if (a !== null && b !== null) return compareDecimals(a, b);
  return typeof left === 'string' && typeof right === 'string'
    ? compareMoments(left.trim(), right.trim())
    : null;
}

/** A text in a text, or a value (deep equality) in an array. */
function contains(whole: Json, part: Json): boolean {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  return Array.isArray(whole) && whole.some((item) => sameJson(item, part));
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
