/**
 * How much one execution may render, all its templates together. Sizes are counted while values are built: one reference
 * of eight characters stands for a megabyte, and the same megabyte is written out wherever it is referred to.
 */
import { isObject, type Json } from './value.ts';

/** A text that would grow beyond what a rendered text may hold, or values beyond what an execution may render. */
export class RenderTooLarge extends Error {
  override readonly name = 'RenderTooLarge';
}

/** Characters of JSON. Twice the largest output: a node may put what it answers into the state, too (SPEC SEC-M08). */
export const MAX_RENDERED_TOTAL_CHARS = 16_777_216;

export class RenderBudget {
  #left = MAX_RENDERED_TOTAL_CHARS;

  /** @throws RenderTooLarge when the value does not fit beside what was rendered before */
  spend(value: Json): void {
    this.#left -= jsonChars(value, this.#left);
    if (this.#left < 0)
      throw new RenderTooLarge(`More than ${MAX_RENDERED_TOTAL_CHARS} characters would be rendered`);
  }
}

/** Characters of a value as JSON at the least: escapes count as one. Stops counting beyond `enough`. */
export function jsonChars(value: Json, enough: number): number {
  let chars = 0;
  // A stack of its own: values may nest deeper than calls.
  const rest = [value];
  for (let at = rest.pop(); at !== undefined && chars <= enough; at = rest.pop()) {
    if (typeof at === 'string') chars += at.length + 2;
    else if (Array.isArray(at)) {
      chars += at.length + 1;
      if (chars <= enough) for (const item of at) rest.push(item);
    } else if (isObject(at)) {
      chars += 1;
      for (const [key, item] of Object.entries(at)) {
        chars += key.length + 4;
        rest.push(item);
      }
    } else chars += 1;
  }
  return chars;
}
