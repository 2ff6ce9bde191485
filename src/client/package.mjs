// Makes dist/package: the client, the canvas client and the command line, compiled, with the dependencies that they import.
// The manifest of the checkout names the whole service's; whoever installs the client would wait minutes for them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'dist', 'package');

// What an earlier build left would be packed, and its imports counted.
rmSync(target, { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const config = join(root, 'src', 'client', 'tsconfig.build.json');
const compiled = spawnSync(process.execPath, [compiler, '-p', config], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(1);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const imported = new Set();
const take = ({ source }) => {
  if (source?.type !== 'Literal' || source.value.startsWith('.') || source.value.startsWith('node:')) return;
  imported.add(/^(@[^/]+\/)?[^/]+/.exec(source.value)[0]);
};
const visitor = new Visitor({
  ImportDeclaration: take,
  ExportNamedDeclaration: take,
  ExportAllDeclaration: take,
  ImportExpression: take,
  // The types of declarations: `import("zod").ZodType`.
  TSImportType: take,
});
for (const file of readdirSync(target, { recursive: true }))
  if (/\.(js|d\.ts)$/.test(file))
    visitor.visit(parseSync(file, readFileSync(join(target, file), 'utf8')).program);
const versions = [...imported]
  .sort((a, b) => a.localeCompare(b))
  .map((name) => {
    const version = manifest.dependencies[name];
    if (version === undefined) throw new Error(`${name} is imported and is no dependency of package.json`);
    return [name, version];
  });

const { name, version, description, type, license, engines, bin, exports } = manifest;
const dependencies = Object.fromEntries(versions);
const packed = { name, version, description, type, license, engines, bin, exports, dependencies };
// The folder holds what `dist` of the checkout holds.
const text = JSON.stringify(packed, null, 2).replaceAll('./dist/', './').replaceAll('"dist/', '"');
writeFileSync(join(target, 'package.json'), `${text}\n`);
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
copyFileSync(join(root, 'src', 'client', 'README.md'), join(target, 'README.md'));
