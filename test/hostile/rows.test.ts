/** A hostile input of SPEC.md would have no test that tries it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROWS } from './rows.ts';
import { isNode } from './syntax.ts';

/** All texts in a piece of syntax: literals, and the fixed parts of templates. */
function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (!isNode(node)) return [];
  if (node['type'] === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  if (node['type'] === 'TemplateElement') return [JSON.stringify(node['value'])];
  // Bodies of functions are what a test does, not what it is called.
  if (String(node['type']).includes('Function')) return [];
  return Object.values(node).flatMap(textsIn);
}

/** `test`, `it` or `describe`, however it is called: `test.each(table)(title, …)`, `test.runIf(…)(title, …)`. */
function isTest(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee['type'] === 'Identifier') return ['test', 'it', 'describe'].includes(String(callee['name']));
  return isTest(callee['type'] === 'MemberExpression' ? callee['object'] : callee['callee']);
}

/** The titles of the tests in a syntax tree, and the texts of the tables that fill titles. */
function titlesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(titlesIn);
  if (!isNode(node)) return [];
  const own = node['type'] === 'CallExpression' && isTest(node['callee']) ? textsIn(node['arguments']) : [];
  return [...own, ...Object.values(node).flatMap(titlesIn)];
}

const titles = new Map<string, string>();
function titlesOf(file: string): string {
  const path = fileURLToPath(new URL(`../${file}.test.ts`, import.meta.url));
  const known = titles.get(path) ?? titlesIn(parseSync(path, readFileSync(path, 'utf8')).program).join('\n');
  titles.set(path, known);
  return known;
}

const covered = Object.entries(ROWS).flatMap(([id, row]) =>
  'files' in row ? row.files.map((file) => [id, row.tries, file] as const) : [],
);

test.each(covered)('%s (%s) is in a title of %s', (id, _, file) => {
  expect(new RegExp(`\\b${id}\\b`).test(titlesOf(file))).toBe(true);
});

test('every row has a test or a reason', () => {
  for (const [id, row] of Object.entries(ROWS)) {
    expect(id).toMatch(/^SEC-[AJTPGHMXRKLBOZFW]\d\d$/);
    expect('files' in row ? row.files.length : row.later.length, id).toBeGreaterThan(0);
  }
});

test('what a test does is not its title', () => {
  const source = `test('one', () => { const a = 'X99'; }); it.each([['two', 'Y99']])('%s', () => 'X98');`;
  expect(titlesIn(parseSync('x.ts', source).program)).toEqual(['one', '%s', 'two', 'Y99']);
});
