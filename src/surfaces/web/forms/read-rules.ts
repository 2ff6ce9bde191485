/** Reads rules in each form that the language has (graph/template/rules.ts) as the group that their builder draws. */
import { RULE_OPS } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

const OPS: ReadonlySet<unknown> = new Set(RULE_OPS);
const MATCHES: ReadonlySet<unknown> = new Set([undefined, 'all', 'any']);

const SIDES: ReadonlySet<string> = new Set(['left', 'op', 'right']);

const isGroup = (value: JsonObject): boolean =>
  MATCHES.has(ownValue(value, 'match')) && isRuleList(ownValue(value, 'rules'));

/** Whether the builder has controls for all of a list of rules: no entry is left out of it. */
const isRuleList = (value: Json | undefined): boolean =>
  Array.isArray(value) &&
  value.every(
    (rule) =>
      isObject(rule) && (Object.hasOwn(rule, 'rules') ? isGroup(rule) : OPS.has(ownValue(rule, 'op'))),
  );

/** Reads one rule, a list of rules, or a group; null when the builder cannot show it. */
export function readGroup(value: Json): JsonObject | null {
  if (value === null || value === '') return { match: 'all', rules: [] };
  if (Array.isArray(value)) return readGroup({ match: 'all', rules: value });
  if (!isObject(value)) return null;
  if (!Object.hasOwn(value, 'rules')) return readGroup([value]);
  return isGroup(value) ? value : null;
}

/** Reads a case of a condition, whose single rule may stand in the case itself, with a group; null as `readGroup`. */
export function readCase(one: JsonObject): JsonObject | null {
  if (Object.hasOwn(one, 'rules')) return readGroup(one);
  const [rule, rest]: [JsonObject, JsonObject] = [{}, {}];
  for (const [key, value] of Object.entries(one)) (SIDES.has(key) ? rule : rest)[key] = value;
  const group = readGroup(Object.keys(rule).length === 0 ? null : rule);
  return group && { ...rest, ...group };
}

/** Reads the cases of a condition; null when the builder cannot show one of them. @param isByModel whether a model chooses */
export function readCases(value: Json, isByModel: boolean): JsonObject[] | null {
  if (value === null || value === '') return [];
  if (!Array.isArray(value)) return null;
  const canShow = (one: Json): one is JsonObject =>
    isObject(one) &&
    typeof ownValue(one, 'id') === 'string' &&
    (isByModel
      ? ['string', 'undefined'].includes(typeof ownValue(one, 'description'))
      : readCase(one) !== null);
  return value.every(canShow) ? value : null;
}
