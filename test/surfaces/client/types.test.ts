/** A program would compile with a definition that the service refuses, or an editor would show a type without its name. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../docs/readmes.ts';

const run = promisify(execFile);
/** The compiler of the checkout, and the last TypeScript 5, which most programs have. */
const COMPILERS = ['node_modules', 'src/surfaces/client/openapi-types/node_modules'];

const IMPORTS = `import { toDraft, WorkflowClient } from '../../src/surfaces/client/client.ts';`;

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

const define = (node: string): string => `
declare const client: WorkflowClient;
void client.workflows.create({
  name: 'Order',
  workflow_schema: { nodes: [${node}], edges: [{ source: '__start__', target: 'n' }] },
});
void client.runs.start({ workflow: { nodes: [${node}], edges: [{ source: '__start__', target: 'n' }] } });
`;
const update = (draft: string): string => `
declare const client: WorkflowClient;
const workflow = await client.workflows.get('w');
await client.workflows.update('w', { workflow_schema: ${draft} });
`;

const NAMES = [
  'Workflow',
  'RunRecord',
  'RunEvent',
  'Deployment',
  'Schedule',
  'Hook',
  'KnowledgeBase',
  'Node',
];
const ASSIGNMENTS = `
import type { ${NAMES.join(', ')} } from '../../src/surfaces/client/client.ts';
declare const client: WorkflowClient;
${NAMES.map((name) => `const a${name}: number = null as unknown as ${name};`).join('\n')}
const saved: number = await client.workflows.get('w');
const deployed: number = await client.workflows.deploy('w');
const record: number = await client.runs.get('r');
export { ${NAMES.map((name) => `a${name}`).join(', ')}, saved, deployed, record };
`;

const ACCEPTED: Readonly<Record<string, string>> = {
  'a question': define(`{ id: 'n', type: 'interrupt', config: { kind: 'input', title: 'Where to?' } }`),
  'a template': define(`{ id: 'n', type: 'transformer', config: { mode: 'template', template: 'Hi' } }`),
  'a draft that the service returned': update('workflow.workflow_schema'),
  'a draft that a program vouches for': update('toDraft({ nodes: [{}], edges: [] })'),
};
/** Each with the word that its error names. */
const REFUSED: Readonly<Record<string, readonly [named: string, source: string]>> = {
  'a question without its kind': [
    'kind',
    define(`{ id: 'n', type: 'interrupt', config: { title: 'Refund?' } }`),
  ],
  'a tool without its kind': [
    'kind',
    define(`{ id: 'n', type: 'tool', config: { url: 'https://example.com' } }`),
  ],
  'a transformer without its mode': [
    'mode',
    define(`{ id: 'n', type: 'transformer', config: { template: 'Hi' } }`),
  ],
  'a node without its type': ['type', define(`{ id: 'n', config: { mode: 'template', template: 'Hi' } }`)],
  'a type that does not exist': ['teleport', define(`{ id: 'n', type: 'teleport', config: {} }`)],
};
const DRAFT = 'a draft that a program has made up';
const PROGRAMS: Readonly<Record<string, string>> = {
  ...ACCEPTED,
  ...Object.fromEntries(Object.entries(REFUSED).map(([title, [, source]]) => [title, source])),
  [DRAFT]: update('{ nodes: [{}], edges: [] }'),
  names: ASSIGNMENTS,
};
const toFileName = (title: string): string => `${title.replaceAll(' ', '-')}.ts`;

/** The errors of each compiler, all programs together: a compiler reads the client for seconds. */
let outputs: readonly string[];
beforeAll(async () => {
  // In the checkout, so that the packages of the client are found.
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.data', 'types-'));
  const files = Object.entries(PROGRAMS).map(([title, source]) => {
    writeFileSync(join(folder, toFileName(title)), `${IMPORTS}\n${source}\nexport {};`);
    return toFileName(title);
  });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
  outputs = await Promise.all(
    COMPILERS.map(async (home) => {
      const compiler = join(ROOT, home, 'typescript', 'bin', 'tsc');
      return run(process.execPath, [compiler, '--pretty', 'false', '-p', folder], { cwd: folder }).then(
        () => 'no error',
        (error: { stdout: string }) => error.stdout,
      );
    }),
  );
  rmSync(folder, { recursive: true, force: true });
});

/** @returns what each compiler says of one program; the lines that go on with an error are indented */
function readErrors(title: string): string[] {
  return outputs.map((output) => {
    const errors = output.split(/\n(?=\S)/).filter((error) => error.startsWith(`${toFileName(title)}(`));
    return errors.join('\n');
  });
}

test('the compilers read all programs, and find errors in no other file', () => {
  const files = Object.keys(PROGRAMS).map(toFileName);
  for (const output of outputs) {
    const places = output
      .trim()
      .split(/\n(?=\S)/)
      .map((error) => error.split('(')[0]);
    expect(files).toEqual(expect.arrayContaining(places));
  }
});

describe('a definition in a program', () => {
  test.each(Object.keys(ACCEPTED))('%s compiles', (title) => expect(readErrors(title)).toEqual(['', '']));

  test.each(Object.entries(REFUSED))('%s does not, and the error names it', (title, [named]) => {
    for (const errors of readErrors(title)) {
      // Both the creation and the start.
      expect(errors.match(/error TS/g)?.length).toBeGreaterThanOrEqual(2);
      expect(errors).toContain(named);
      expect(errors).not.toContain('savedByService');
    }
  });

  test(`${DRAFT} is not saved`, () => {
    for (const errors of readErrors(DRAFT)) expect(errors).toContain('error TS');
  });
});

test('entities have names, which an editor and a compiler show', () => {
  const named = [...NAMES.slice(0, 2), ...NAMES.slice(3), 'Workflow', 'Deployment', 'RunRecord'];
  for (const errors of readErrors('names'))
    expect(
      [...errors.matchAll(/Type '(\w+)' is not assignable to type 'number'/g)].map(([, name]) => name),
    ).toEqual(expect.arrayContaining(named));
});
