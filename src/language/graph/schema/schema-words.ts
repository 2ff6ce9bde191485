/** Sentences for the issues of zod, whose own name JavaScript's types: `Too small: expected string to have >=1 characters`. */
import { ownValue, type Json } from '../values/value.ts';

/** The parts of zod's raw issues that the sentences use; the graph depends on no package. */
interface RawIssue {
  readonly code: string;
  readonly input?: unknown;
  readonly expected?: string | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly inclusive?: boolean | undefined;
  readonly exact?: boolean | undefined;
  readonly values?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly divisor?: number | undefined;
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  datetime: 'must be an ISO 8601 time, such as 2030-02-01T12:30:00Z',
  regex: 'has an invalid format',
};

const find = (texts: Readonly<Record<string, string>>, key = ''): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

/** Counts what a value has: `1 character`, `3 items`. */
function count(origin: string | undefined, limit: number | bigint): string {
  const unit = origin === 'string' ? 'character' : 'item';
  return `${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

const hasLength = (origin = ''): boolean => ['string', 'array', 'set'].includes(origin);

function describeSmall({ origin, minimum = 0, inclusive, exact }: RawIssue): string {
  if (!hasLength(origin)) return `must be ${inclusive === false ? 'greater than' : 'at least'} ${minimum}`;
  if (exact === true) return `must have exactly ${count(origin, minimum)}`;
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty';
  return `must have at least ${count(origin, minimum)}`;
}

function describeBig({ origin, maximum = 0, inclusive, exact }: RawIssue): string {
  if (!hasLength(origin)) return `must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}`;
  return `must have ${exact === true ? 'exactly' : 'at most'} ${count(origin, maximum)}`;
}

function describeChoice(given: unknown, values: readonly unknown[] = []): string {
  if (given === undefined) return 'is required';
  const [only, ...others] = values;
  return others.length === 0
    ? `must be ${JSON.stringify(only)}`
    : `must be one of: ${values.map(String).join(', ')}`;
}

/** Describes an issue without its subject; undefined leaves it to zod. zod takes it as the `error` of a parse. */
export function describeRawIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : find(TYPES, issue.expected);
    case 'invalid_value':
      return describeChoice(issue.input, issue.values);
    case 'invalid_union': {
      const { input, discriminator = '', options = [] } = issue;
      return options.length === 0
        ? 'has an invalid value'
        : describeChoice(ownValue(input as Json | undefined, discriminator), options);
    }
    case 'too_small':
      return describeSmall(issue);
    case 'too_big':
      return describeBig(issue);
    case 'invalid_format':
      return find(FORMATS, issue.format);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${(issue.keys ?? []).join(', ')}`;
    default:
      return 'has an invalid value';
  }
}

/** Begins a sentence that stands without its subject. */
export const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
