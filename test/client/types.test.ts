/** A program would compile with a definition that the service refuses, or an editor would show a type without its name. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../docs/readmes.ts';

const run = promisify(execFile);
/** The compiler of the checkout, and the last TypeScript 5, which most programs have. */
const COMPILERS = ['node_modules', 'src/client/openapi-types/node_modules'];

const IMPORTS = `import { toDraft, WorkflowClient } from '../../src/client/client.ts';`;

let folder: string;
beforeAll(() => {
  // In the checkout, so that the packages of the client are found.
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.data', 'types-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  module: 'nodenext',
};

/** @returns the errors of the compilers for one file */
async function compile(source: string): Promise<readonly string[]> {
  writeFileSync(join(folder, 'program.ts'), `${IMPORTS}\n${source}`);
  const config = { compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return Promise.all(
    COMPILERS.map(async (home) => {
      const compiler = join(ROOT, home, 'typescript', 'bin', 'tsc');
      return run(process.execPath, [compiler, '-p', folder], { cwd: folder }).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      );
    }),
  );
}

const define = (node: string): string => `
declare const client: WorkflowClient;
void client.workflows.create({
  name: 'Order',
  workflow_schema: { nodes: [${node}], edges: [{ source: '__start__', target: 'n' }] },
});
void client.runs.start({ workflow: { nodes: [${node}], edges: [{ source: '__start__', target: 'n' }] } });
`;

describe('a definition in a program', () => {
  test.each([
    ['a question', `{ id: 'n', type: 'interrupt', config: { kind: 'input', title: 'Where to?' } }`],
    ['a template', `{ id: 'n', type: 'transformer', config: { mode: 'template', template: 'Hi' } }`],
  ])('%s compiles', async (_, node) => expect(await compile(define(node))).toEqual(['', '']));

  test.each([
    ['a question without its kind', 'kind', `{ id: 'n', type: 'interrupt', config: { title: 'Refund?' } }`],
    ['a tool without its kind', 'kind', `{ id: 'n', type: 'tool', config: { url: 'https://example.com' } }`],
    [
      'a transformer without its mode',
      'mode',
      `{ id: 'n', type: 'transformer', config: { template: 'Hi' } }`,
    ],
    ['a node without its type', 'type', `{ id: 'n', config: { mode: 'template', template: 'Hi' } }`],
    ['a type that does not exist', 'teleport', `{ id: 'n', type: 'teleport', config: {} }`],
  ])('%s does not, and the error names it', async (_, named, node) => {
    for (const errors of await compile(define(node))) {
      // Both the creation and the start.
      expect(errors.match(/error TS/g)?.length).toBeGreaterThanOrEqual(2);
      expect(errors).toContain(named);
      expect(errors).not.toContain('savedByService');
    }
  });

  test('a draft that the service returned is saved again, and one that a program has made up is not', async () => {
    const source = (draft: string): string => `
declare const client: WorkflowClient;
const workflow = await client.workflows.get('w');
await client.workflows.update('w', { workflow_schema: ${draft} });
export {};
`;
    expect(await compile(source('workflow.workflow_schema'))).toEqual(['', '']);
    expect(await compile(source('toDraft({ nodes: [{}], edges: [] })'))).toEqual(['', '']);
    for (const errors of await compile(source('{ nodes: [{}], edges: [] }')))
      expect(errors).toContain('error TS');
  });
});

test('entities have names, which an editor and a compiler show', async () => {
  const names = [
    'Workflow',
    'RunRecord',
    'RunEvent',
    'Deployment',
    'Schedule',
    'Hook',
    'KnowledgeBase',
    'Node',
  ];
  const source = `
import type { ${names.join(', ')} } from '../../src/client/client.ts';
declare const client: WorkflowClient;
${names.map((name) => `const a${name}: number = null as unknown as ${name};`).join('\n')}
const saved: number = await client.workflows.get('w');
const deployed: number = await client.workflows.deploy('w');
const record: number = await client.runs.get('r');
export { ${names.map((name) => `a${name}`).join(', ')}, saved, deployed, record };
`;
  const named = [...names.slice(0, 2), ...names.slice(3), 'Workflow', 'Deployment', 'RunRecord'];
  for (const errors of await compile(source))
    expect(
      [...errors.matchAll(/Type '(\w+)' is not assignable to type 'number'/g)].map(([, name]) => name),
    ).toEqual(expect.arrayContaining(named));
});
