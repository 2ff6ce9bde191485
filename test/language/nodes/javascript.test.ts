/** A function would be saved that no run can start, or one refused that the sandbox runs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EvalFlags, QuickJS } from 'quickjs-wasi';
import { beforeAll, expect, test } from 'vitest';
import { findCodeProblem } from '../../../src/language/nodes/javascript.ts';

let wasm: Uint8Array;
beforeAll(() => {
  wasm = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
});

/** True if the engine of the sandbox compiles the code as a module. */
async function compiles(code: string): Promise<boolean> {
  const vm = await QuickJS.create({ wasm });
  try {
    vm.evalCode(code, 'function.js', EvalFlags.TYPE_MODULE | EvalFlags.COMPILE_ONLY);
    return true;
  } catch {
    return false;
  } finally {
    vm.dispose();
  }
}

const RUN = [
  'export default () => /(?i:a)|(?<a>x)|(?<a>y)/',
  'export default () => /[\\p{L}--[a]]/v',
  'export default async () => { await using x = null; using y = null; }',
  'export default x => x?.y ?? (1n ** 2n)',
  'export { f as default }; const f = () => 1',
  'export { f as "default" }; function f() {}',
  'export default function () { return arguments }',
  'export default class { static {} #x = 1; static has(o) { return #x in o } }',
  'await 1; export default async () => { for await (const x of []) x }',
  'throw new Error("as planned")',
  '#!/usr/bin/env node\nexport default () => 1',
  'export default () => "\u2028"',
  'export default () => { function f() {} function f() {} }',
  'export default () => { try { x() } catch { var e } try {} catch (e) { var e } }',
  'export default ({a = 1, ...b}, ...c) => `${a}${{ b }}${c}`',
  'let undefined; export default (a) => { var a; let async = 1, of = 2, get = 3; return async + of + get }',
];
const FAIL = [
  'export default ({text}) => {',
  'export default (x) => { x = ; }',
  'export default () => /(/',
  'export default () => /a/gg',
  'export default () => /(?<n>a)\\k<m>/',
  'export default () => { let a; let a }',
  'let a; var a; export default () => a',
  'function f() {} function f() {} export default f',
  'export default () => { try {} catch (e) { let e } }',
  'export default (a) => { let a }',
  'export default () => { switch (1) { case 1: let a; case 2: let a } }',
  'export { f as default }',
  'export default () => 1; export default () => 2',
  'export default () => 08',
  'export default () => { with (x) {} }',
  'export default () => { await 1 }',
  'return 1',
  'interface X {}; export default () => 1',
  'export default (a: number) => a',
  '@dec export default class {}',
  'export default () => a ?? b || c',
];

test.each(RUN)('code that the sandbox compiles has no problem: %s', async (code) => {
  expect([await compiles(code), findCodeProblem(code)]).toEqual([true, null]);
});
test.each(FAIL)('code that the sandbox does not compile has one, with its place: %s', async (code) => {
  expect(await compiles(code)).toBe(false);
  expect(findCodeProblem(code)).toMatch(/^has a syntax error at line \d+, column \d+: ./);
});
test.each([
  ['const f = () => 1', 'must export a function as its default'],
  ['export const f = () => 1', 'must export a function as its default'],
  ['export default 5', 'must export a function as its default'],
  ['\nimport fs from "fs"; export default () => fs', 'imports fs at line 2'],
  ['export default () => 1; export * from "x"', 'imports x at line 1'],
])('code that compiles and cannot be called is told: %s', (code, problem) => {
  expect(findCodeProblem(code)).toContain(problem);
});
test('code that is nested too deeply for the parser is left to the sandbox', () => {
  expect(findCodeProblem(`${'('.repeat(100_000)}1`)).toBeNull();
});
test('an error is found in 16 blocks in each other, and one in 17 is left to the sandbox', () => {
  const nest = (blocks: number): string =>
    `export default () => {${'{'.repeat(blocks)}let a; var a;${'}'.repeat(blocks)}}`;
  expect(findCodeProblem(nest(16))).toContain("'a' has already been declared");
  expect(findCodeProblem(nest(17))).toBeNull();
});
test('a name of a group is given again in another branch alone', () => {
  const use = (pattern: string): string => `export default () => /${pattern}/`;
  expect(findCodeProblem(use('(?<a>x)|(?<a>y)|(?<a>z)'))).toBeNull();
  expect(findCodeProblem(use('(?<a>x)(?<a>y)'))).toContain('Duplicate capture group name');
  const nest = (branches: number): string =>
    use(`${'(?:x|'.repeat(branches)}(?<a>x)(?<a>y)${')'.repeat(branches)}`);
  expect(findCodeProblem(nest(14))).toContain('Duplicate capture group name');
  expect(findCodeProblem(nest(17))).toBeNull();
});
test('a redeclaration is found among as many names as a function can declare', () => {
  const names = Array.from({ length: 40_000 }, (_, at) => `let a${at};`).join('');
  expect(findCodeProblem(`${names}let a7;export default () => 1`)).toContain(
    "'a7' has already been declared",
  );
  expect(findCodeProblem(`${names}export default () => 1`)).toBeNull();
});
