/** The sandbox would not start, or would need more memory for each process than it has to. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { QuickJS } from 'quickjs-wasi';
import { expect, test } from 'vitest';
import { removeUnusedExports } from '../../../src/platform/sandbox/lean-module.ts';

// The types of Node.js 20 know the namespace but not the value.
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Module: { exports(module: object): readonly { readonly name: string }[] };
};

const wasm = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
const exportsOf = async (bytes: Uint8Array): Promise<string[]> =>
  WebAssembly.Module.exports(await WebAssembly.compile(bytes)).map(({ name }) => name);

test('what extensions link against is left out, what the host calls is not, and code runs as before', async () => {
  const whole = new Uint8Array(await readFile(wasm));
  const lean = new Uint8Array(removeUnusedExports(whole));
  const [before, after] = [await exportsOf(whole), await exportsOf(lean)];
  expect(before).toContain('JS_NewRuntime');
  expect(after).not.toContain('JS_NewRuntime');
  expect(after).toEqual(before.filter((name) => after.includes(name)));
  expect(before.filter((name) => name.startsWith('qjs_') && !after.includes(name))).toEqual([]);
  const vm = await QuickJS.create({ wasm: lean });
  expect(vm.evalCode('[1, 2].map((n) => n + 1).join()').toString()).toBe('2,3');
});
test('a module that ends within a section is no module', async () => {
  const whole = new Uint8Array(await readFile(wasm));
  const broken = removeUnusedExports(whole.subarray(0, whole.length - 1));
  await expect(WebAssembly.compile(new Uint8Array(broken))).rejects.toThrow();
});
