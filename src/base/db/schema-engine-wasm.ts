/** Loads Prisma's schema engine from WebAssembly (megabytes), once per process that applies migrations. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';

/** The part of `WebAssembly` that is used here: TypeScript declares it in its library of the DOM alone. */
interface WasmGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}
interface EngineBindings {
  readonly SchemaEngine: typeof SchemaEngine;
  readonly __wbg_set_wasm: (exports: object) => void;
}

// Node 20 cannot import a .wasm file as a module, so this module does the work of the package's entry file.
const bindings = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as EngineBindings;
const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
const bytes = readFileSync(join(dirname(entry), 'schema_engine_bg.wasm'));
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmGlobal };
const { exports } = new wasm.Instance(new wasm.Module(bytes), { './schema_engine_bg.js': bindings });
bindings.__wbg_set_wasm(exports);
(exports as { __wbindgen_start(): void }).__wbindgen_start();

export const Engine = bindings.SchemaEngine;
