/** The warnings about numbers that a double cannot hold (graph/values/exact-json.ts): kept as text, or rounded. */
import type { ExactJson } from '../graph/values/exact-json.ts';
import type { Path } from '../graph/template/template-scanner.ts';
import type { NodeWarning } from './kind.ts';

const MAX_SHOWN = 20;

function warn(code: string, paths: string[], consequence: string): NodeWarning[] {
  if (paths.length === 0) return [];
  const message = `${paths[0]} has more digits than a number can hold, so it was ${consequence}`;
  return [{ code, message, paths }];
}

/** @param root path of the JSON in the output of the node @returns at most one warning of each kind */
export function createNumberWarnings(
  root: string,
  { texts, rounded }: Pick<ExactJson, 'texts' | 'rounded'>,
): NodeWarning[] {
  const show = (paths: readonly Path[]): string[] =>
    paths.slice(0, MAX_SHOWN).map((path) => [root, ...path].filter((key) => key !== '').join('.'));
  return [
    ...warn('number_as_text', show(texts), 'stored as text'),
    ...warn('number_rounded', show(rounded), 'rounded'),
  ];
}
