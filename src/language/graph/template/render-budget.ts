/**
 * Limits how much one execution renders, all its templates together. Sizes are counted while values are built, because a
 * reference of eight characters can insert a megabyte, as often as it is repeated.
 */
import { NODE_WORK, WorkBudget } from '../values/work-budget.ts';
import { isObject, type Json } from '../values/value.ts';
import { ZoneClocks } from '../values/zone-clock.ts';

/** A rendered text, or all rendered values of an execution together, would exceed their limit. */
export class RenderTooLarge extends Error {
  override readonly name = 'RenderTooLarge';
}

/** SPEC SEC-M08: output above 1 MB fails the node. */
export const MAX_RENDERED_CHARS = 1_048_576;
/** Characters of JSON: twice the largest output, because a node may also copy its output into the state (SPEC SEC-M08). */
export const MAX_RENDERED_TOTAL_CHARS = 16_777_216;
/** Steps per value: everything that may be rendered fits into one turn, however small the values are. */
export const STEPS_PER_VALUE = 2;

export class RenderBudget {
  /** The clocks that filters have read. */
  readonly zones = new ZoneClocks();
  /** The work budget of the execution: rendering counts against it. */
  readonly work: WorkBudget;
  #left = MAX_RENDERED_TOTAL_CHARS;

  constructor(work = new WorkBudget(NODE_WORK)) {
    this.work = work;
  }

  /** Counts a rendered value. @throws RenderTooLarge @throws WorkLimitExceeded */
  spend(value: Json): void {
    const { chars, values } = measureJson(value, this.#left);
    this.#left -= chars;
    if (this.#left < 0)
      throw new RenderTooLarge(`More than ${MAX_RENDERED_TOTAL_CHARS} characters would be rendered`);
    this.work.spend(values * STEPS_PER_VALUE);
  }
}

/** Lower bound of the characters of a value as JSON: escapes count as one. Stops counting beyond `enough`. */
export const countJsonChars = (value: Json, enough = Infinity): number => measureJson(value, enough).chars;

/** Counts characters as `countJsonChars` does, and the visited values: the value itself, members and items. */
export function measureJson(
  value: Json,
  enough: number,
): { readonly chars: number; readonly values: number } {
  let chars = 0;
  let values = 0;
  // Iterative: values may nest deeper than the call stack.
  const rest = [value];
  for (let at = rest.pop(); at !== undefined && chars <= enough; at = rest.pop()) {
    values += 1;
    if (typeof at === 'string') chars += at.length + 2;
    else if (Array.isArray(at)) {
      chars += at.length + 1;
      if (chars <= enough) for (const item of at) rest.push(item);
    } else if (isObject(at)) {
      chars += 1;
      for (const key of Object.keys(at)) {
        chars += key.length + 4;
        rest.push(at[key] ?? null);
      }
    } else chars += 1;
  }
  return { chars, values };
}
