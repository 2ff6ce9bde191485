// Makes dist/package, which can be published as it is: the client, the canvas client and the command line, compiled, with the
// dependencies that they import. The manifest of the checkout names the whole service's, which take minutes to install.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const target = join(root, 'dist', 'package');

// What an earlier build left would be packed, and its imports counted.
rmSync(target, { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const config = join(root, 'src', 'surfaces', 'client', 'tsconfig.build.json');
const compiled = spawnSync(process.execPath, [compiler, '-p', config], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(1);

/** Modules that programs import, by their names below that of the package. */
const ENTRIES = { '.': 'src/surfaces/client/client', './canvas': 'src/features/canvas/client/canvas' };
/** Programs: the command line, and what its sandbox starts. */
const PROGRAMS = ['surfaces/cli/main', 'platform/sandbox/serve-sandbox', 'platform/sandbox/thread'].map(
  (name) => `src/${name}`,
);

/** Packages that the files of this package import. */
const imported = new Set();

/** Lists the files that are loaded from these, by their imports alone, and notes the packages that they import. */
function findReached(files) {
  const reached = new Set(files);
  for (const file of reached) {
    const take = ({ source }) => {
      if (source?.type !== 'Literal' || source.value.startsWith('node:')) return;
      if (!source.value.startsWith('.')) {
        imported.add(/^(@[^/]+\/)?[^/]+/.exec(source.value)[0]);
        return;
      }
      const named = join(dirname(file), source.value);
      reached.add(file.endsWith('.d.ts') ? named.replace(/\.(js|ts)$/, '.d.ts') : named);
    };
    const visitor = new Visitor({
      ImportDeclaration: take,
      ExportNamedDeclaration: take,
      ExportAllDeclaration: take,
      ImportExpression: take,
      // The types of declarations: `import("zod").ZodType`.
      TSImportType: take,
    });
    visitor.visit(parseSync(file, readFileSync(join(target, file), 'utf8')).program);
  }
  return reached;
}

// The compiler also writes what is imported for its types alone: the ledger of runs, and below it the database.
const modules = [...Object.values(ENTRIES), ...PROGRAMS].map((name) => `${name}.js`);
const kept = new Set([
  ...findReached(modules),
  ...findReached(Object.values(ENTRIES).map((name) => `${name}.d.ts`)),
]);
for (const file of readdirSync(target, { recursive: true }))
  if (/\.(js|d\.ts)$/.test(file) && !kept.has(file)) rmSync(join(target, file));

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const versions = [...imported]
  .sort((a, b) => a.localeCompare(b))
  .map((name) => {
    const version = manifest.dependencies[name];
    if (version === undefined) throw new Error(`${name} is imported and is no dependency of package.json`);
    return [name, version];
  });

/**
 * Declares an ES module for `require`. Node loads it as it is (20.19, 22.12, 24), while TypeScript refuses it in a CommonJS file
 * under `module: node16` unless its declarations are CommonJS.
 */
function declareForRequire(entry) {
  const module = `./${basename(entry)}.js`;
  const { program } = parseSync(`${entry}.js`, readFileSync(join(target, `${entry}.js`), 'utf8'));
  const names = program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const named = node.specifiers.map(({ exported }) => exported.name);
    const declared = node.declaration?.id?.name ?? node.declaration?.declarations?.[0].id.name;
    return declared === undefined ? named : [...named, declared];
  });
  const loaded = `import('${module}', { with: { 'resolution-mode': 'import' } })`;
  const isClass = (name) => new RegExp(`^(export (declare )?)?class ${name}\\b`, 'm').test(declarations);
  const declarations = readdirSync(join(target, dirname(entry)))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => readFileSync(join(target, dirname(entry), file), 'utf8'))
    .join('\n');
  const lines = names.flatMap((name) => [
    `export declare const ${name}: typeof ${loaded}.${name};`,
    // A class is a type as well.
    ...(isClass(name) ? [`export type ${name} = ${loaded}.${name};`] : []),
  ]);
  const types = `export type * from '${module}' with { 'resolution-mode': 'import' };`;
  writeFileSync(join(target, `${entry}.d.cts`), [types, ...lines, ''].join('\n'));
}

const toExport = (entry) => ({
  require: { types: `./${entry}.d.cts`, default: `./${entry}.js` },
  default: { types: `./${entry}.d.ts`, default: `./${entry}.js` },
});
for (const entry of Object.values(ENTRIES)) declareForRequire(entry);

const packed = {
  name: 'workflow-automation-client',
  version: manifest.version,
  description: 'Client and command line of the Workflow Automation Service.',
  keywords: ['workflow', 'automation', 'client', 'cli'],
  license: manifest.license,
  type: 'module',
  engines: manifest.engines,
  sideEffects: false,
  bin: { workflow: 'src/surfaces/cli/main.js' },
  // For resolvers that do not read `exports`.
  main: './src/surfaces/client/client.js',
  types: './src/surfaces/client/client.d.ts',
  exports: {
    ...Object.fromEntries(Object.entries(ENTRIES).map(([name, entry]) => [name, toExport(entry)])),
    './package.json': './package.json',
  },
  dependencies: Object.fromEntries(versions),
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
copyFileSync(join(root, 'src', 'surfaces', 'client', 'README.md'), join(target, 'README.md'));
