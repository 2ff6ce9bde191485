/** The warning of a node about numbers whose digits no number holds: they are kept as texts (graph/exact-json.ts). */
import type { Path } from '../graph/template-scanner.ts';
import type { NodeWarning } from './kind.ts';

const MAX_SHOWN = 20;

/** @param root where in the node's output the JSON stands @returns one warning, or none when every number is a number */
export function warnOfNumbers(root: string, texts: readonly Path[]): NodeWarning[] {
  if (texts.length === 0) return [];
  const paths = texts
    .slice(0, MAX_SHOWN)
    .map((path) => [root, ...path].filter((key) => key !== '').join('.'));
  const message = `${paths[0]} has more digits than a number can hold: it is kept as text`;
  return [{ code: 'number_as_text', message, paths }];
}
