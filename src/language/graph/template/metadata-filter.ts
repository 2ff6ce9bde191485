/**
 * Parses the metadata filters of a search: `{"lang": "en"}` for equality, `{"year": {"op": "gte", "value": 2024}}` for
 * other operators. src/platform/knowledge writes the conditions as SQL.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

export const FILTER_OPS = [
  'eq',
  'neq',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'exists',
] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

export interface FilterCondition {
  readonly key: string;
  readonly op: FilterOp;
  readonly value: Json;
}

interface FilterProblem {
  readonly path: readonly string[];
  readonly message: string;
}

export const MAX_CONDITIONS = 20;
const MAX_KEY = 128;
const MAX_VALUES = 100;

const isOp = (value: Json | undefined): value is FilterOp => FILTER_OPS.some((op) => op === value);
const isScalar = (value: Json): boolean => typeof value !== 'object' || value === null;

function findValueProblem(op: FilterOp, value: Json): string | null {
  switch (op) {
    case 'in':
    case 'not_in':
      if (!Array.isArray(value)) return 'Must be an array';
      return value.length > MAX_VALUES ? `Must have at most ${MAX_VALUES} values` : null;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'number' || typeof value === 'string' ? null : 'Must be a number or a string';
    case 'contains':
      return isScalar(value) ? null : 'Must be a string, a number, true, false or null';
    case 'exists':
      return typeof value === 'boolean' ? null : 'Must be true or false';
    case 'eq':
    case 'neq':
      return null;
  }
}

function readCondition(key: string, given: Json): FilterCondition | FilterProblem {
  if (key === '' || key.length > MAX_KEY) {
    return { path: [key], message: `A metadata field has a name of 1 to ${MAX_KEY} characters` };
  }
  if (!isObject(given)) return { key, op: 'eq', value: given };
  const op = ownValue(given, 'op');
  if (!isOp(op)) return { path: [key, 'op'], message: `Must be one of: ${FILTER_OPS.join(', ')}` };
  const value = ownValue(given, 'value') ?? (op === 'exists' && !Object.hasOwn(given, 'value') ? true : null);
  const problem = findValueProblem(op, value);
  return problem === null ? { key, op, value } : { path: [key, 'value'], message: problem };
}

/** Parses a filter into conditions that must all hold, or returns its first problem. */
export function readFilters(
  filters: JsonObject,
): { readonly conditions: readonly FilterCondition[] } | { readonly problem: FilterProblem } {
  const entries = Object.entries(filters);
  if (entries.length > MAX_CONDITIONS) {
    return { problem: { path: [], message: `Must have at most ${MAX_CONDITIONS} conditions` } };
  }
  const conditions: FilterCondition[] = [];
  for (const [key, given] of entries) {
    const read = readCondition(key, given);
    if ('message' in read) return { problem: read };
    conditions.push(read);
  }
  return { conditions };
}
