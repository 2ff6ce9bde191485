/** Rewrites the node names in templates, after a paste or a change of an id. */
import { scanTemplate } from '../../../language/graph/template/template-scanner.ts';
import type { Json } from '../../../language/graph/values/value.ts';

const REFERENCE = /\{\{\s*(?:state\.)?([A-Za-z][A-Za-z0-9_-]*)/g;

function rewriteText(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes('{{')) return text;
  try {
    scanTemplate(text);
  } catch {
    // A text that is no valid template refers to no node; its author has to mend it.
    return text;
  }
  return text.replaceAll(REFERENCE, (whole, root: string, at: number) => {
    const next = names.get(root);
    const isLiteral = at > 0 && text[at - 1] === '\\';
    return next === undefined || isLiteral ? whole : whole.slice(0, -root.length) + next;
  });
}

/** A copy of a value in which every template that begins with an old name begins with the new one. */
export function rewriteReferences(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return rewriteText(value, names);
  if (Array.isArray(value)) return value.map((entry) => rewriteReferences(entry, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, rewriteReferences(entry, names)]),
  );
}
