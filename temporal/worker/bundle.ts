/** Writes the interpreter's bundle for production, so that a worker starts without bundling. Part of `npm run build`. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { INTERPRETER_SOURCE } from './interpreter-source.ts';

const { code } = await bundleWorkflowCode({
  ...INTERPRETER_SOURCE,
  failureConverterPath: fileURLToPath(new URL('../codec/failure-converter.cjs', import.meta.url)),
});
await writeFile(fileURLToPath(new URL('./interpreter-bundle.js', import.meta.url)), code);
