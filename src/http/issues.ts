/**
 * Validation findings as shape C (SPEC API-errors): zod's issues in the words of the reference's framework
 * (`missing`, `string_type`, `greater_than_equal`, ...), each with the place where it was found.
 */
import type { z } from 'zod';
import type { Issue } from '../errors.ts';

/** Where a value came from: the first part of `loc`. */
export type Part = 'body' | 'query' | 'path' | 'header';

/** A client that sends a thousand wrong values is told of the first hundred. */
const MAX_ISSUES = 100;

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

function typeOf(issue: ZodIssue): string {
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

/** The entries of shape C for what a schema found in one part of a request. */
export function issuesOf(error: z.ZodError, part: Part): Issue[] {
  return error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const type = typeOf(issue);
    return {
      loc: [part, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))],
      msg: type === 'missing' ? 'Field required' : issue.message,
      type,
    };
  });
}
