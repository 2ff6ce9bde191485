/** The messages of the definition's checks as they stand below a field: without the place, which the field shows. */
import type { Problem } from '../../graph/definition.ts';

/** The sentences of zod and of the reader of definitions, and how a person says each. */
const SENTENCES: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^(?:is|Field) required$/, () => 'Required.'],
  [/^Invalid input: expected .*received undefined$/, () => 'Required.'],
  [/^Too small: expected string to have >=1 characters$/, () => 'Required.'],
  [/^Too small: expected array to have >=1 items$/, () => 'Add at least one.'],
  [
    /^Too small: expected \w+ to (?:be|have) >=?(\S+)( \w+)?$/,
    (n = '', of = '') => `Must have at least ${n}${of}.`,
  ],
  [/^Too big: expected number to be <=?(\S+)$/, (n = '') => `Must be at most ${n}.`],
  [/^Too big: expected \w+ to have <=?(\S+)( \w+)?$/, (n = '', of = '') => `Must have at most ${n}${of}.`],
  [/^Invalid input: expected string/, () => 'Must be text.'],
  [/^Invalid input: expected (?:int|number)/, () => 'Must be a number.'],
  [/^Invalid input: expected boolean/, () => 'Must be true or false.'],
  [/^Invalid input: expected array/, () => 'Must be a list.'],
  [/^Invalid input: expected (?:object|record)/, () => 'Must be an object.'],
  [
    /^Invalid option: expected one of (.*)$/,
    (all = '') => `Must be one of: ${all.replaceAll('"', '').replaceAll('|', ', ')}.`,
  ],
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
