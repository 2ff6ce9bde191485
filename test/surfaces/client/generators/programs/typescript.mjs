// Writes program.ts, in which each example is a constant of its type, and checks it with the compiler.
// usage: typescript.mjs <compiler> <module with the types> <type of a frame> <type of a node> [name to import]
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [compiler, module, frame, node, imported = `${frame}, ${node}`] = process.argv.slice(2);
const examples = JSON.parse(readFileSync('examples.json', 'utf8'));
const lines = examples.map(
  ({ union, value }, index) =>
    `export const example${index}: ${union === 'Node' ? node : frame} = ${JSON.stringify(value)};`,
);
writeFileSync('program.ts', `import type { ${imported} } from '${module}';\n${lines.join('\n')}\n`);
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  skipLibCheck: true,
};
writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }));
const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
  encoding: 'utf8',
  maxBuffer: 64 << 20,
});
const errors = new Map(
  [...stdout.matchAll(/^program\.ts\((\d+),\d+\): (.*)$/gm)].map(([, line, error]) => [Number(line), error]),
);
if (status !== 0 && errors.size === 0) throw new Error(stdout);
for (const [index, { name, value }] of examples.entries()) {
  // The import is the first line.
  const error = errors.get(index + 2) ?? errors.get(1);
  console.log(JSON.stringify(error === undefined ? { index, read: name, value } : { index, error }));
}
