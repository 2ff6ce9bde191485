/**
 * A JSON Schema validator for the schemas that tenants write. It ignores keywords that it does not know, `format` included.
 * It compiles no code and no RegExp: the caller's linear-time engine searches patterns, and its budget counts all work.
 */
import { isLongInteger } from '../values/exact-json.ts';
import { checkArray } from './array-schema.ts';
import { compareValues } from '../values/order.ts';
import { checkObject } from './object-schema.ts';
import {
  MAX_ISSUES,
  checkBound,
  issue,
  type Check,
  type SchemaIssue,
  type Location,
} from './schema-check.ts';
import { isDeeperThan, isObject, ownValue, sameJson, type Json, type JsonObject } from '../values/value.ts';
import type { PatternEngine } from '../values/work-budget.ts';

const MAX_REF_DEPTH = 64;
const MAX_DEPTH = 256;
/** Allowed values that a message lists. */
const MAX_LISTED = 20;
/** Steps per schema and value (2 µs). References combined with `anyOf` grow exponentially, so each application counts. */
const STEPS_PER_SCHEMA = 100;
/** Characters per step of the test for a long integer. */
const DIGITS_PER_STEP = 32;
/** Characters per step when text is counted or split into keys. */
const CHARS_PER_STEP = 4;

/**
 * Validates a value. Returns at most 100 issues, none when the value is valid.
 * @throws WorkLimitExceeded, and what the engine throws for an invalid pattern
 */
export function checkSchema(schema: Json, value: Json, engine: PatternEngine): SchemaIssue[] {
  for (const [what, tree] of [
    ['Schema', schema],
    ['Value', value],
  ] as const) {
    if (isDeeperThan(tree, MAX_DEPTH))
      return [{ path: [], message: `${what} is nested too deeply`, type: 'too_deep' }];
  }
  const check: Check = { root: schema, engine, apply: (inner, location) => apply(inner, location, check) };
  try {
    return apply(schema, { value, path: [], refs: 0 }, check);
  } catch (error) {
    if (error instanceof TooComplex) return [{ path: [], message: error.message, type: 'too_complex' }];
    throw error;
  }
}

class TooComplex extends Error {}

function apply(schema: Json, location: Location, check: Check): SchemaIssue[] {
  const chars = typeof location.value === 'string' ? location.value.length : 0;
  check.engine.work.spend(STEPS_PER_SCHEMA + location.path.length + chars / DIGITS_PER_STEP);
  if (schema === false) return [issue(location, 'false_schema', 'No value is allowed here')];
  if (!isObject(schema)) return [];
  const long = parseLongNumber(schema, location.value);
  const number = typeof location.value === 'number' ? location.value : long;
  const issues = [
    ...checkReference(schema, location, check),
    ...(long === null ? checkType(schema, location, check) : []),
    ...checkValues(schema, location, check),
    ...checkCombinations(schema, location, check),
    ...(number === null ? [] : checkNumber(schema, location, number)),
    ...(long === null && typeof location.value === 'string'
      ? checkString(schema, { ...location, value: location.value }, check)
      : []),
    ...(Array.isArray(location.value)
      ? checkArray(schema, { ...location, value: location.value }, check)
      : []),
    ...(isObject(location.value) ? checkObject(schema, { ...location, value: location.value }, check) : []),
  ];
  // Bounded at every level, because the caller spreads the list.
  return issues.slice(0, MAX_ISSUES);
}

function checkReference(schema: JsonObject, location: Location, check: Check): SchemaIssue[] {
  const reference = ownValue(schema, '$ref');
  if (typeof reference !== 'string') return [];
  if (location.refs >= MAX_REF_DEPTH)
    throw new TooComplex(`Schema follows more than ${MAX_REF_DEPTH} references`);
  check.engine.work.spend(reference.length / CHARS_PER_STEP);
  const target = resolveReference(reference, check.root);
  if (target === undefined)
    return [issue(location, 'ref', 'Schema refers to a definition that does not exist')];
  return apply(target, { ...location, refs: location.refs + 1 }, check);
}

/** Resolves a local JSON pointer (`#`, `#/$defs/name`, `#/definitions/name`); other references are undefined. */
export function resolveReference(reference: string, root: Json): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = ownValue(at, Array.isArray(at) ? Number(key) : key);
  }
  return at;
}

const listTypes = (schema: JsonObject): readonly string[] =>
  [ownValue(schema, 'type')].flat().filter((name) => typeof name === 'string');

/** Parses a long integer, which is kept as text (exact-json.ts), where the schema wants a number; null for any other value. */
function parseLongNumber(schema: JsonObject, value: Json): number | null {
  if (typeof value !== 'string' || !isLongInteger(value)) return null;
  const types = listTypes(schema);
  const isWanted = types.includes('integer') || types.includes('number');
  return isWanted && !types.includes('string') ? Number(value) : null;
}

function checkType(schema: JsonObject, location: Location, { engine }: Check): SchemaIssue[] {
  const names = listTypes(schema);
  engine.work.spend(names.length);
  if (names.length === 0 || names.some((name) => isOfType(location.value, name))) return [];
  return [issue(location, 'type', `Must be of type ${names.join(' or ')}`)];
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Whether a message has room for a value: messages are stored with their run. */
const isShort = (value: Json): boolean =>
  !isObject(value) && !Array.isArray(value) && String(value).length <= 60;

function describeAllowed(allowed: readonly Json[]): string {
  if (allowed.length > MAX_LISTED || !allowed.every(isShort)) return 'Must be one of the allowed values';
  return `Must be ${allowed.length === 1 ? '' : 'one of: '}${allowed.map((item) => JSON.stringify(item)).join(', ')}`;
}

function checkValues(schema: JsonObject, location: Location, { engine: { work } }: Check): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  const allowed = ownValue(schema, 'enum');
  if (Array.isArray(allowed)) {
    work.spend(allowed.length);
    if (!allowed.some((item) => sameJson(item, location.value, work))) {
      issues.push(issue(location, 'enum', describeAllowed(allowed)));
    }
  }
  const constant = ownValue(schema, 'const');
  if (constant !== undefined && !sameJson(constant, location.value, work)) {
    issues.push(issue(location, 'const', describeAllowed([constant])));
  }
  return issues;
}

function checkCombinations(schema: JsonObject, location: Location, check: Check): SchemaIssue[] {
  const accepted = (branches: Json[]): number =>
    branches.filter((branch) => apply(branch, location, check).length === 0).length;
  const issues: SchemaIssue[] = [];
  const [all, any, one] = ['allOf', 'anyOf', 'oneOf'].map((key) => ownValue(schema, key));
  if (Array.isArray(all)) for (const branch of all) issues.push(...apply(branch, location, check));
  if (Array.isArray(any) && accepted(any) === 0)
    issues.push(issue(location, 'any_of', 'Must match one of the allowed schemas'));
  if (Array.isArray(one) && accepted(one) !== 1)
    issues.push(issue(location, 'one_of', 'Must match exactly one of the allowed schemas'));
  const not = ownValue(schema, 'not');
  if (not !== undefined && accepted([not]) === 1)
    issues.push(issue(location, 'not', 'Must not match the excluded schema'));
  return [...issues, ...checkCondition(schema, location, check)];
}

function checkCondition(schema: JsonObject, location: Location, check: Check): SchemaIssue[] {
  const condition = ownValue(schema, 'if');
  if (condition === undefined) return [];
  const asked = ownValue(schema, apply(condition, location, check).length === 0 ? 'then' : 'else');
  return asked === undefined ? [] : apply(asked, location, check);
}

function checkNumber(schema: JsonObject, location: Location, value: number): SchemaIssue[] {
  const toIssue = (type: string, words: string) => (limit: number) =>
    issue(location, type, `Must be ${words} ${limit}`);
  // The value itself: a long integer is compared by its digits.
  const against = (limit: number): number => compareValues(location.value, limit) ?? 0;
  return [
    ...checkBound(schema, 'minimum', {
      holds: (limit) => against(limit) >= 0,
      toIssue: toIssue('minimum', 'at least'),
    }),
    ...checkBound(schema, 'maximum', {
      holds: (limit) => against(limit) <= 0,
      toIssue: toIssue('maximum', 'at most'),
    }),
    ...checkBound(schema, 'exclusiveMinimum', {
      holds: (limit) => against(limit) > 0,
      toIssue: toIssue('exclusive_minimum', 'greater than'),
    }),
    ...checkBound(schema, 'exclusiveMaximum', {
      holds: (limit) => against(limit) < 0,
      toIssue: toIssue('exclusive_maximum', 'less than'),
    }),
    ...checkBound(schema, 'multipleOf', {
      holds: (step) => isMultiple(value, step),
      toIssue: toIssue('multiple_of', 'a multiple of'),
    }),
  ];
}

/** 0.3 is a multiple of 0.1 although their quotient is not an integer in binary. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

function checkString(schema: JsonObject, location: Location<string>, { engine }: Check): SchemaIssue[] {
  const { value } = location;
  const length = (): number => {
    engine.work.spend(value.length / CHARS_PER_STEP);
    return lengthInCodePoints(value);
  };
  const issues = [
    ...checkBound(schema, 'minLength', {
      holds: (limit) => length() >= limit,
      toIssue: (limit) => issue(location, 'min_length', `Must have at least ${limit} characters`),
    }),
    ...checkBound(schema, 'maxLength', {
      holds: (limit) => length() <= limit,
      toIssue: (limit) => issue(location, 'max_length', `Must have at most ${limit} characters`),
    }),
  ];
  const pattern = ownValue(schema, 'pattern');
  if (typeof pattern === 'string' && !engine.matches(pattern, value)) {
    issues.push(
      issue(
        location,
        'pattern',
        `Must match the ${isShort(pattern) ? `pattern ${pattern}` : 'required pattern'}`,
      ),
    );
  }
  return issues;
}

function lengthInCodePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
