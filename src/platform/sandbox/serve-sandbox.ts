/**
 * Entry of the sandbox process: no secrets in its environment, no network. The argument is the number of threads. The process
 * exits with the worker that started it.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { removeUnusedExports } from './lean-module.ts';
import type { ToProcess, WasmModule } from './messages.ts';
import { Pool } from './pool.ts';
import { resolveThreadEntry } from './thread-entry.ts';

// The types of Node.js 20 know the namespace but not the value.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> };

process.on('disconnect', () => process.exit(0));

const wasm = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
const module = await WebAssembly.compile(removeUnusedExports(await readFile(wasm)));
const pool = new Pool({
  entry: resolveThreadEntry(import.meta.url, 'thread'),
  module,
  size: Number(process.argv[2]),
  answer: (done) => process.send?.(done),
  broken(error) {
    process.stderr.write(`sandbox threads cannot be started: ${error.message}\n`);
    process.exit(1);
  },
});

process.on('message', (message: ToProcess) => {
  if ('run' in message) pool.run(message.run);
  else pool.cancel(message.cancel);
});
