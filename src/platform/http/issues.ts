/**
 * Converts zod's issues to shape C (SPEC API-errors): with the types of the reference's framework (`missing`, `string_type`,
 * `greater_than_equal`, ...) and the location of each.
 */
import type { z } from 'zod';
import type { Issue } from '../../base/errors.ts';
import { capitalize, describeRawIssue } from '../../language/graph/schema/schema-words.ts';
import { shortenKeys } from '../../language/graph/values/cut-text.ts';

/** The part of a request, first in `loc`. */
export type RequestPart = 'body' | 'query' | 'path' | 'header';

/** Maximum number of issues in one answer. */
const MAX_ISSUES = 100;

/** How parts of a request are parsed. The input in the issues tells a missing field from an invalid one. */
export const PARSING = { reportInput: true, error: describeRawIssue } as const;

const TYPE_OF_EXPECTED: Readonly<Record<string, string>> = {
  string: 'string_type',
  number: 'float_type',
  int: 'int_type',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'dict_type',
  record: 'dict_type',
};

const TYPE_OF_FORMAT: Readonly<Record<string, string>> = {
  datetime: 'datetime_parsing',
  guid: 'uuid_parsing',
  uuid: 'uuid_parsing',
  url: 'url_parsing',
  regex: 'string_pattern_mismatch',
};

type ZodIssue = z.core.$ZodIssue;

function tooSmall(issue: Extract<ZodIssue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return 'string_too_short';
  if (issue.origin === 'array' || issue.origin === 'set') return 'too_short';
  return issue.inclusive === false ? 'greater_than' : 'greater_than_equal';
}

function tooBig(issue: Extract<ZodIssue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return 'string_too_long';
  if (issue.origin === 'array' || issue.origin === 'set') return 'too_long';
  return issue.inclusive === false ? 'less_than' : 'less_than_equal';
}

function toIssueType(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : (TYPE_OF_EXPECTED[issue.expected] ?? 'value_error');
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return TYPE_OF_FORMAT[issue.format] ?? 'value_error';
    case 'invalid_value':
      return issue.input === undefined ? 'missing' : 'enum';
    case 'unrecognized_keys':
      return 'extra_forbidden';
    case 'custom': {
      const named: unknown = issue.params?.['type'];
      return typeof named === 'string' ? named : 'value_error';
    }
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return 'value_error';
  }
}

/** Finds the schema at a path; undefined when there is no single one. */
function findSchemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  const def = readDef(schema);
  // Defaults and optionals wrap an inner schema; a pipe reads its first part.
  const inner = def['innerType'] ?? def['in'];
  if (inner !== undefined) return findSchemaAt(inner, path);
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const options: unknown = def['options'];
  if (Array.isArray(options)) {
    return options.map((option) => findSchemaAt(option, path)).find((found) => found !== undefined);
  }
  const shape: unknown = def['shape'];
  const next =
    typeof shape === 'object' && shape !== null
      ? Object.hasOwn(shape, step)
        ? Reflect.get(shape, step)
        : undefined
      : (def['element'] ?? def['valueType']);
  return next === undefined ? undefined : findSchemaAt(next, rest);
}

function readDef(schema: unknown): Readonly<Record<string, unknown>> {
  const def: unknown = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'def') : null;
  return typeof def === 'object' && def !== null ? (def as Readonly<Record<string, unknown>>) : {};
}

/** zod expects `number` where an integer is declared and the value is not a number. */
function isAboutInteger(schema: z.ZodType, issue: ZodIssue): boolean {
  if (issue.code !== 'invalid_type' || issue.expected !== 'number') return false;
  return readDef(findSchemaAt(schema, issue.path))['format'] === 'safeint';
}

/** Converts the error of `schema` for one part of a request to issues. */
export function toIssues(error: z.ZodError, part: RequestPart, schema: z.ZodType): Issue[] {
  const loc = (path: readonly PropertyKey[]): Issue['loc'] => [
    part,
    ...shortenKeys(path.map((step) => (typeof step === 'number' ? step : String(step)))),
  ];
  const issues = error.issues.flatMap((issue): Issue[] => {
    const found = toIssueType(issue);
    if (issue.code === 'unrecognized_keys') {
      const msg = 'Unknown field';
      return issue.keys
        .slice(0, MAX_ISSUES)
        .map((key) => ({ loc: loc([...issue.path, key]), msg, type: found }));
    }
    const type = found === 'float_type' && isAboutInteger(schema, issue) ? 'int_type' : found;
    return [
      { loc: loc(issue.path), msg: type === 'missing' ? 'Field required' : capitalize(issue.message), type },
    ];
  });
  return issues.slice(0, MAX_ISSUES);
}
