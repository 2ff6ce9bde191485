/**
 * How much one execution may render, all its templates together. Sizes are counted while values are built: one reference
 * of eight characters stands for a megabyte, and the same megabyte is written out wherever it is referred to.
 */
import { NODE_WORK, WorkBudget } from './work-budget.ts';
import { isObject, type Json } from './value.ts';

/** A text that would grow beyond what a rendered text may hold, or values beyond what an execution may render. */
export class RenderTooLarge extends Error {
  override readonly name = 'RenderTooLarge';
}

/** Characters of JSON. Twice the largest output: a node may put what it answers into the state, too (SPEC SEC-M08). */
export const MAX_RENDERED_TOTAL_CHARS = 16_777_216;
/** Steps of work to look at one value. All that may be rendered fits into one turn, however small the values are. */
export const STEPS_PER_VALUE = 2;

export class RenderBudget {
  /** Rendering counts as work, beside what else the execution does. */
  readonly work: WorkBudget;
  #left = MAX_RENDERED_TOTAL_CHARS;

  constructor(work = new WorkBudget(NODE_WORK)) {
    this.work = work;
  }

  /** @throws RenderTooLarge when the value does not fit beside what was rendered before @throws WorkLimitExceeded */
  spend(value: Json): void {
    const { chars, values } = measureJson(value, this.#left);
    this.#left -= chars;
    if (this.#left < 0)
      throw new RenderTooLarge(`More than ${MAX_RENDERED_TOTAL_CHARS} characters would be rendered`);
    this.work.spend(values * STEPS_PER_VALUE);
  }
}

/** Characters of a value as JSON at the least: escapes count as one. Stops counting beyond `enough`. */
export const jsonChars = (value: Json, enough: number): number => measureJson(value, enough).chars;

/** Characters as `jsonChars` counts them, and the values that were looked at: the value itself, members and items. */
export function measureJson(
  value: Json,
  enough: number,
): { readonly chars: number; readonly values: number } {
  let chars = 0;
  let values = 0;
  // A stack of its own: values may nest deeper than calls.
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
