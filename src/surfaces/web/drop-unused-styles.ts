/**
 * Drops the styles of Mantine components that the page does not import: the package ships those of all components in one file,
 * 36 KiB compressed. Its classes (`m_` and hexadecimal digits) stand in the script of each component, so the imports
 * of the page lead to all classes that can ever be set. Before the bundle, because the name of the file has a hash of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const CLASS = /\bm_[0-9a-f]{6,8}\b/g;
const STYLES = '@mantine/core/styles.css';
const PAGE = fileURLToPath(new URL('.', import.meta.url));

const readImports = (text: string): { readonly names: string; readonly from: string }[] =>
  [...text.matchAll(/import\s+([^'"]+?)\s+from\s+['"]([^'"]+)['"]/g)].map(([, names = '', from = '']) => ({
    names,
    from,
  }));

/** Names that the files of the page import from the package. */
function findNames(): Set<string> {
  const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const imports = files.flatMap((name) => readImports(readFileSync(join(PAGE, name), 'utf8')));
  return new Set(
    imports.filter(({ from }) => from === '@mantine/core').flatMap(({ names }) => names.match(/\w+/g) ?? []),
  );
}

/** Classes in the scripts of the components with these names, and of the components that those are made of. */
function findClasses(index: string, names: ReadonlySet<string>): Set<string> {
  const seen = new Set<string>();
  const classes = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const found of text.match(CLASS) ?? []) classes.add(found);
    for (const { from } of readImports(text)) if (from.startsWith('.')) visit(join(dirname(file), from));
  };
  for (const found of readImports(readFileSync(index, 'utf8')))
    if ((found.names.match(/\w+/g) ?? []).some((name) => names.has(name)))
      visit(join(dirname(index), found.from));
  return classes;
}

/** Splits at the commas that stand outside of brackets: `:where(a, b)` is one selector. */
function splitSelectors(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(' || text[at] === '[') depth += 1;
    else if (text[at] === ')' || text[at] === ']') depth -= 1;
    else if (text[at] === ',' && depth === 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, text.slice(start)];
}

/** Keeps the selectors whose classes are used, and the at-rules that still hold a rule. */
function keepUsed(css: string, used: ReadonlySet<string>): string {
  const hasScript = (selector: string): boolean =>
    (selector.match(CLASS) ?? []).every((name) => used.has(name));
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replace(/([^{}@;]+)\{([^{}]*)\}/g, (_, selectors: string, body: string) => {
      const kept = splitSelectors(selectors).filter(hasScript);
      return kept.length === 0 ? '' : `${kept.join(',')}{${body}}`;
    })
    .replace(/@(?:media|supports|container)[^{}]*\{\s*\}/g, '');
}

export const dropUnusedStyles = (): Plugin => ({
  name: 'drop-unused-styles',
  apply: 'build',
  enforce: 'pre',
  transform(css, id) {
    if (!id.endsWith(STYLES)) return null;
    const index = createRequire(import.meta.url)
      .resolve('@mantine/core')
      .replace(/cjs.index\.cjs$/, 'esm/index.mjs');
    return { code: keepUsed(css, findClasses(index, findNames())), map: null };
  },
});
