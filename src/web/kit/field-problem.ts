/** Refusals of single fields: they stand beside their field, without the name that the API has for it. */
import { WorkflowApiError, type Problem } from '../../client/error.ts';

/** `body.cron_expression` as people read it. */
const nameField = ({ loc }: Problem): string => {
  const text = String(loc.at(-1) ?? '').replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};

const listProblems = (error: Error | null): readonly Problem[] =>
  error instanceof WorkflowApiError ? error.problems : [];

/** Finds what a refusal says of one field. @param path of the field in the body of the request */
export const findFieldProblem = (error: Error | null, ...path: readonly string[]): string | undefined =>
  listProblems(error).find(({ loc }) => loc.slice(1, path.length + 1).join() === path.join())?.msg;

/** @returns null when every problem of the error belongs to one of the fields */
export function withoutFields(error: Error | null, fields: readonly string[]): Error | null {
  const problems = listProblems(error);
  const isShown = problems.length > 0 && problems.every(({ loc }) => fields.includes(String(loc[1])));
  return isShown ? null : error;
}

/** The problems of a whole body as sentences; null for an error of another shape. */
export function describeProblems(error: Error): string | null {
  const problems = listProblems(error);
  if (problems.length === 0) return null;
  return problems
    .map((problem) => (problem.loc.length > 1 ? `${nameField(problem)}: ${problem.msg}` : problem.msg))
    .join(' ');
}
