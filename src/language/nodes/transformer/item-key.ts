/**
 * The identity of keys by which items are grouped, joined and told apart. A number and its text are one key, because services and CSV
 * give ids as either. Other texts stay apart: `007` and `7` are two numbers of customers, though rules order them alike.
 */
import { measureJson } from '../../graph/template/render-budget.ts';
import { isDeeperThan, isObject, type Json } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import { NodeError } from '../kind.ts';

const MAX_DEPTH = 64;
const STEPS_PER_KEY = 16;
const STEPS_PER_VALUE = 8;
const CHARS_PER_STEP = 8;

function writeKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeKey).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .toSorted()
      .map((name) => `${JSON.stringify(name)}:${writeKey(value[name] ?? null)}`);
    return `{${members.join(',')}}`;
  }
  return typeof value === 'number' ? `"${value}"` : JSON.stringify(value);
}

/** Writes a key so that equal keys are equal texts. @throws NodeError `invalid_key` @throws WorkLimitExceeded */
export function formatKey(key: Json, work: WorkBudget): string {
  const { chars, values } = measureJson(key, Infinity);
  work.spend(STEPS_PER_KEY + values * STEPS_PER_VALUE + chars / CHARS_PER_STEP);
  if (isDeeperThan(key, MAX_DEPTH - 1))
    throw new NodeError('invalid_key', `A key is nested more than ${MAX_DEPTH} levels deep`);
  return writeKey(key);
}

/** True for a key that matches nothing in a join: null, or an array of keys of which one is null. */
export const isMissingKey = (key: Json): boolean =>
  key === null || (Array.isArray(key) && key.some((part) => part === null));
