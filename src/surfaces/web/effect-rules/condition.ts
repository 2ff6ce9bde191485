/** A condition as rows of field, comparison and value, where it is one; any other is edited as JSON. */
import { RULE_OPS, UNARY_OPS, type RuleOp } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readGroup } from '../forms/read-rules.ts';

export interface ConditionRow {
  /** The field, without the braces of its template. */
  readonly field: string;
  readonly op: RuleOp;
  /** A list for `in` and `not_in`; ignored where the comparison has no right side. */
  readonly value: string | readonly string[];
}

export interface Condition {
  readonly match: 'all' | 'any';
  readonly rows: readonly ConditionRow[];
}

export const takesList = (op: string): boolean => op === 'in' || op === 'not_in';

/** A list equals no text and is in no list: a rule with another comparison would never refuse. */
const LIST_OPS: readonly RuleOp[] = ['contains', 'not_contains', 'is_empty', 'is_not_empty'];

/** Lists the comparisons that mean something for a field. */
export const listOps = ({ isList }: { readonly isList: boolean }): readonly RuleOp[] =>
  isList ? LIST_OPS : RULE_OPS;

const isOp = (op: unknown): op is RuleOp => (RULE_OPS as readonly unknown[]).includes(op);
const isText = (value: unknown): value is string => typeof value === 'string';

function readRow(rule: Json): ConditionRow | null {
  if (!isObject(rule)) return null;
  const [left, op, right] = ['left', 'op', 'right'].map((key) => ownValue(rule, key));
  const [, field] = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(isText(left) ? left : '') ?? [];
  if (field === undefined || !isOp(op)) return null;
  if (UNARY_OPS.has(op)) return { field, op, value: '' };
  if (takesList(op)) return Array.isArray(right) && right.every(isText) ? { field, op, value: right } : null;
  // A template of the right side is text that is more than itself.
  return isText(right) && !right.includes('{{') ? { field, op, value: right } : null;
}

/** Reads a stored condition; null when its rows would not say all of it. */
export function readCondition(when: Json): Condition | null {
  const group = readGroup(when);
  const rules = group === null ? undefined : ownValue(group, 'rules');
  if (group === null || !Array.isArray(rules)) return null;
  const rows = rules.map(readRow);
  if (!rows.every((row) => row !== null)) return null;
  return { match: ownValue(group, 'match') === 'any' ? 'any' : 'all', rows };
}

function writeRow({ field, op, value }: ConditionRow): JsonObject {
  const rule = { left: `{{${field}}}`, op };
  if (UNARY_OPS.has(op)) return rule;
  return { ...rule, right: typeof value === 'string' ? value : [...value] };
}

export function writeCondition({ match, rows }: Condition): Json {
  const rules = rows.map(writeRow);
  return match === 'all' ? rules : { match, rules };
}

/** Tells whether every row has what it compares with. */
export const isWhole = ({ rows }: Condition): boolean =>
  rows.every(({ op, value }) => UNARY_OPS.has(op) || value.length > 0);
