/** Errors of single fields, shown at their field without the name that the API has for it. */
import { WorkflowApiError, type Problem } from '../../client/error.ts';

/** Names a field for people: `Cron expression` for `body.cron_expression`; an item has the name of its list. */
const nameField = ({ loc }: Problem): string => {
  const text = String(loc.findLast((part) => typeof part === 'string')).replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};

const listProblems = (error: Error | null): readonly Problem[] =>
  error instanceof WorkflowApiError ? error.problems : [];

/** Finds the error of one field. @param path of the field in the body of the request */
export const findFieldProblem = (error: Error | null, ...path: readonly string[]): string | undefined =>
  listProblems(error).find(({ loc }) => loc.slice(1, path.length + 1).join() === path.join())?.msg;

/** @returns null when every problem of the error belongs to one of the fields */
export function withoutFields(error: Error | null, fields: readonly string[]): Error | null {
  const problems = listProblems(error);
  const isShown = problems.length > 0 && problems.every(({ loc }) => fields.includes(String(loc[1])));
  return isShown ? null : error;
}

/** Describes the errors of all fields; null for an error of another shape. */
export function describeProblems(error: Error): string | null {
  const problems = listProblems(error);
  if (problems.length === 0) return null;
  return problems
    .map((problem) => (problem.loc.length > 1 ? `${nameField(problem)}: ${problem.msg}` : problem.msg))
    .join('. ');
}
