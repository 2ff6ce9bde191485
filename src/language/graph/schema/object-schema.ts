/** The keywords of a JSON Schema for objects. */
import {
  MAX_ISSUES,
  checkBound,
  child,
  issue,
  type Check,
  type SchemaIssue,
  type Location,
} from './schema-check.ts';
import { STEPS_PER_KEY, isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

export function checkObject(schema: JsonObject, location: Location<JsonObject>, check: Check): SchemaIssue[] {
  return [
    ...checkCount(schema, location, check),
    ...requireNames(ownValue(schema, 'required'), location, check),
    ...checkDependents(schema, location, check),
    ...checkMembers(schema, location, check),
  ];
}

function checkCount(
  schema: JsonObject,
  location: Location<JsonObject>,
  { engine: { work } }: Check,
): SchemaIssue[] {
  const count = (): number => {
    const { length } = Object.keys(location.value);
    work.spend(length * STEPS_PER_KEY);
    return length;
  };
  return [
    ...checkBound(schema, 'minProperties', {
      holds: (limit) => count() >= limit,
      toIssue: (limit) => issue(location, 'min_properties', `Must have at least ${limit} properties`),
    }),
    ...checkBound(schema, 'maxProperties', {
      holds: (limit) => count() <= limit,
      toIssue: (limit) => issue(location, 'max_properties', `Must have at most ${limit} properties`),
    }),
  ];
}

function requireNames(
  names: Json | undefined,
  location: Location<JsonObject>,
  { engine }: Check,
): SchemaIssue[] {
  if (!Array.isArray(names)) return [];
  engine.work.spend(names.length * STEPS_PER_KEY);
  const issues: SchemaIssue[] = [];
  for (const name of names) {
    if (issues.length >= MAX_ISSUES) break;
    if (typeof name === 'string' && !Object.hasOwn(location.value, name))
      issues.push(issue(child(location, name, null), 'missing', 'Field required'));
  }
  return issues;
}

/** Checks what the presence of one member asks of the others. */
function checkDependents(schema: JsonObject, location: Location<JsonObject>, check: Check): SchemaIssue[] {
  const listPresent = (key: string): Json[] => {
    const dependents = ownValue(schema, key);
    if (!isObject(dependents)) return [];
    const entries = Object.entries(dependents);
    check.engine.work.spend(entries.length * STEPS_PER_KEY);
    return entries.flatMap(([name, asked]) => (Object.hasOwn(location.value, name) ? [asked] : []));
  };
  return [
    ...listPresent('dependentRequired').flatMap((names) => requireNames(names, location, check)),
    ...listPresent('dependentSchemas').flatMap((asked) => check.apply(asked, location)),
  ].slice(0, MAX_ISSUES);
}

/** Lists the schemas for a member by its name; an empty list: the member is an additional one. */
function listOwnSchemas(schema: JsonObject, name: string, { engine }: Check): Json[] {
  const declared = ownValue(schema, 'properties');
  const own = isObject(declared) && Object.hasOwn(declared, name) ? [declared[name] ?? true] : [];
  const patterns = ownValue(schema, 'patternProperties');
  if (!isObject(patterns)) return own;
  const entries = Object.entries(patterns);
  engine.work.spend(entries.length * STEPS_PER_KEY);
  return [...own, ...entries.flatMap(([pattern, asked]) => (engine.matches(pattern, name) ? [asked] : []))];
}

const MEMBER_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'];

function checkMembers(schema: JsonObject, location: Location<JsonObject>, check: Check): SchemaIssue[] {
  if (MEMBER_KEYWORDS.every((key) => ownValue(schema, key) === undefined)) return [];
  const additional = ownValue(schema, 'additionalProperties');
  const names = ownValue(schema, 'propertyNames');
  const issues: SchemaIssue[] = [];
  const entries = Object.entries(location.value);
  check.engine.work.spend(entries.length * STEPS_PER_KEY);
  for (const [name, item] of entries) {
    if (issues.length >= MAX_ISSUES) break;
    const at = child(location, name, item);
    if (names !== undefined) issues.push(...check.apply(names, { ...at, value: name }));
    const own = listOwnSchemas(schema, name, check);
    for (const asked of own) issues.push(...check.apply(asked, at));
    if (own.length > 0 || additional === undefined) continue;
    if (additional === false) issues.push(issue(at, 'additional_properties', 'Unknown field'));
    else issues.push(...check.apply(additional, at));
  }
  return issues;
}
