/** A component of the page would have no styles, or the page would load those of components that it does not have. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../docs/readmes.ts';

const PAGE = join(ROOT, 'src/surfaces/web');
const MANTINE = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));
/** A class of the package stands in the script of its component, and in the component's own file of styles. */
const CLASS = /\bm_[0-9a-f]{6,8}\b/g;

const listImports = (text: string): { readonly names: readonly string[]; readonly from: string }[] =>
  [...text.matchAll(/import\s+([^'"]+?)\s+from\s+['"]([^'"]+)['"]/g)].map(([, names = '', from = '']) => ({
    names: names.match(/\w+/g) ?? [],
    from,
  }));

/** The classes of the components that the page imports, and of those that they are made of. */
function findClasses(): ReadonlySet<string> {
  const names = new Set(
    readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) => listImports(readFileSync(join(PAGE, path), 'utf8')))
      .flatMap((one) => (one.from === '@mantine/core' ? one.names : [])),
  );
  const index = join(MANTINE, 'esm/index.mjs');
  const left = listImports(readFileSync(index, 'utf8'))
    .filter((one) => one.names.some((name) => names.has(name)))
    .map(({ from }) => join(dirname(index), from));
  const seen = new Set<string>();
  const classes = new Set<string>();
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const found of text.match(CLASS) ?? []) classes.add(found);
    for (const { from } of listImports(text)) if (from.startsWith('.')) left.push(join(dirname(file), from));
  }
  return classes;
}

test('the page loads the styles of its components, in the order of all, and no others', () => {
  const used = findClasses();
  const whole = readFileSync(join(MANTINE, 'styles.css'), 'utf8');
  const read = (name: string): string => readFileSync(join(MANTINE, 'styles', name), 'utf8');
  const wanted = readdirSync(join(MANTINE, 'styles'))
    .filter((name) => name.endsWith('.css') && !name.endsWith('.layer.css'))
    .map((name) => ({ name, classes: read(name).match(CLASS) ?? [] }))
    .filter(({ classes }) => classes.some((one) => used.has(one)))
    .toSorted((one, other) => whole.indexOf(one.classes[0] ?? '') - whole.indexOf(other.classes[0] ?? ''));
  const loaded = [
    ...readFileSync(join(PAGE, 'mantine.css'), 'utf8').matchAll(/@mantine\/core\/styles\/(.+)';/g),
  ];
  expect(loaded.map(([, name]) => name)).toEqual([
    'baseline.css',
    'default-css-variables.css',
    'global.css',
    ...wanted.map(({ name }) => name),
  ]);
});
