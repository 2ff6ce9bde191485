/** Rewrites the node names in templates, after a paste or a change of an id. */
import { scanTemplate, TemplateError } from '../../../language/graph/template/template-scanner.ts';
import type { Json } from '../../../language/graph/values/value.ts';

const REFERENCE = /\{\{\s*(?:state\.)?([A-Za-z][A-Za-z0-9_-]*)/g;

function rewriteText(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes('{{')) return text;
  try {
    return rewriteRoots(rewriteArguments(text, names), names);
  } catch (error) {
    // A text that is no valid template refers to no node; its author has to mend it.
    if (error instanceof TemplateError) return text;
    throw error;
  }
}

/** Rewrites the references that are arguments of filters. @throws TemplateError */
function rewriteArguments(text: string, names: ReadonlyMap<string, string>): string {
  let rewritten = '';
  let from = 0;
  for (const part of scanTemplate(text).parts) {
    if (typeof part === 'string') continue;
    for (const arg of part.filters.flatMap(({ args }) => args)) {
      if (!('reference' in arg)) continue;
      const { root, path, at } = arg.reference;
      const name = root === 'state' && path.length > 0 ? String(path[0]) : root;
      const next = names.get(name);
      if (next === undefined || !text.startsWith(name, at)) continue;
      rewritten += text.slice(from, at) + next;
      from = at + name.length;
    }
  }
  return rewritten + text.slice(from);
}

function rewriteRoots(text: string, names: ReadonlyMap<string, string>): string {
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
