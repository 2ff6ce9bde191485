/** The messages of the definition's checks as they stand below a field: without the place, which the field shows. */
import type { Problem } from '../../../language/graph/definition/definition.ts';

/** Messages of the checks that a form words in another way. */
const SENTENCES: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^(?:is required|Field required|must not be empty)$/, () => 'Required.'],
  [/^must have at least 1 item$/, () => 'Add at least one.'],
  [/^must be a string$/, () => 'Must be text.'],
  [/^must be an integer$/, () => 'Must be a whole number.'],
  [/^must be an array$/, () => 'Must be a list.'],
  [
    /^must be an integer from (\S+) to (\S+)$/,
    (from = '', to = '') => `Must be a whole number from ${from} to ${to}.`,
  ],
  [/^must be an array or a template of one$/, () => 'Enter a template of a list, such as {{node.items}}.'],
  [
    /^action "(.*)" has no edge and there is no default edge$/,
    (action = '') => `Connect the branch "${action}" to a node.`,
  ],
  [
    /^(?:Node .* )?updates "(.*)", which state_schema does not declare$/,
    (name = '') => `The workflow has no state field "${name}".`,
  ],
  [
    /^template \{\{(.*)\}\} reads "(.*)", which is neither a node nor a state field$/s,
    (_text = '', root = '') => `There is no node or state field "${root}".`,
  ],
];

/** `Node "a": retry.max_attempts: ` and `Node "a": retry.max_attempts `: the subject, and a path of the definition. */
const SUBJECT =
  /^(?:(?:Node|Edge|State field) "(?:[^"\\]|\\.)*"|Node at position \d+|Workflow config|Workflow output)(?:: | )/;
const PLACE = /^[a-z_][\w-]*(?:\.[\w -]+)*(?:: | (?=must ))/;

/** Describes a problem for the field that it belongs to: a sentence without the field's path. */
export function describeProblem({ message }: Problem): string {
  const text = message.replace(SUBJECT, '').replace(PLACE, '');
  for (const [pattern, say] of SENTENCES) {
    const found = pattern.exec(text);
    if (found !== null) return say(...found.slice(1));
  }
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** One text of all problems of a field, a node or an edge; empty when there are none. */
export const joinMessages = (problems: readonly Problem[]): string =>
  [...new Set(problems.map(describeProblem))].join(' ');
