/** The interface of a filter of templates: `{{ value | name: argument, … }}` (SPEC DEF-2.18). How it is written is in filter-signatures.ts. */
import type { RenderBudget } from '../template/render-budget.ts';
import type { Json } from '../values/value.ts';

/** A value, or an argument that only the run knows, which a filter does not accept. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

/** The surroundings of a filter: what it costs is counted, and values become texts as everywhere in a template. */
export interface FilterContext {
  readonly budget: RenderBudget;
  toText(value: Json): string;
}

export interface FilterRule {
  /** Finds what is wrong with arguments that the definition gives; undefined stands for one that only the run knows. */
  check?(args: readonly (Json | undefined)[]): string | null;
  /**
   * Computes the result, which depends on nothing but the value and the arguments. The value is not null.
   * @throws FilterError @throws RenderTooLarge @throws WorkLimitExceeded
   */
  apply(value: Exclude<Json, null>, args: readonly Json[], context: FilterContext): Json;
}

/** Steps of a filter, beside its characters. */
export const STEPS_PER_FILTER = 24;
const CHARS_PER_STEP = 8;

/** Reads the value as a text and counts its characters. */
export function readFilterText(value: Json, context: FilterContext): string {
  const text = context.toText(value);
  context.budget.work.spend(STEPS_PER_FILTER + text.length / CHARS_PER_STEP);
  return text;
}

/** @throws FilterError */
export function readTextArgument(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') throw new FilterError(`The ${name} of a filter must be a text`);
  return value;
}

/** @throws FilterError */
export function readIntegerArgument(value: Json | undefined, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new FilterError(`The ${name} of a filter must be a whole number`);
  return value;
}
