/** The warning about numbers that are kept as text because a double would lose digits (graph/exact-json.ts). */
import type { Path } from '../language/graph/template/template-scanner.ts';
import type { NodeWarning } from '../language/nodes/kind.ts';

const MAX_SHOWN = 20;

/** @param root path of the JSON in the output of the node @returns one warning, or none when `texts` is empty */
export function createNumberWarnings(root: string, texts: readonly Path[]): NodeWarning[] {
  if (texts.length === 0) return [];
  const paths = texts
    .slice(0, MAX_SHOWN)
    .map((path) => [root, ...path].filter((key) => key !== '').join('.'));
  const message = `${paths[0]} has more digits than a number can hold, so it was stored as text`;
  return [{ code: 'number_as_text', message, paths }];
}
