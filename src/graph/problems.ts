/** The list of problems of one definition, bounded: nobody reads the thousandth, and a hostile definition has millions. */
import type { Problem } from './definition.ts';

/** Checks report errors before warnings, so a full list never hides that there are errors. */
export const MAX_PROBLEMS = 500;

/** Adds a problem unless the list is full. */
export function report(problems: Problem[], problem: Problem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem);
}
