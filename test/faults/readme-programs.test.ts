/** A program or a statement of a README would fail for whoever copies it: each is compiled, and run against the service. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DATA, ROOT } from '../../src/processes/local/paths.ts';
import { readBlocks } from '../docs/readmes.ts';
import { chain, node } from '../support/definitions.ts';
import { findPython, makePythonPackage } from '../support/python.ts';
import { startSituation, type Situation } from './support/situation.ts';

const run = promisify(execFile);

/** Languages whose blocks other tests run or read (`test/api/readme-shell.test.ts`, `test/docs/readme.test.ts`); `text` is shown alone. */
const ELSEWHERE: readonly string[] = ['sh', 'json', 'yaml', 'text'];
const BLOCKS = readBlocks().filter(({ language }) => !ELSEWHERE.includes(language));

interface Program {
  readonly page: string;
  readonly language: 'ts' | 'js' | 'python';
  /** What the page takes for granted; `given` is what the test has made. */
  readonly before?: string;
  /** Says what has come of the program. */
  readonly after?: string;
  /** The output when the program has done what the page says. */
  readonly prints: string | RegExp;
}

const SHARES = `
const work = async () => void console.log('admitted');
const organizationId = 'an organization';
const { signal } = new AbortController();`;
const CLIENT = 'src/surfaces/client/README.md';
const PYTHON = 'src/surfaces/client/python/README.md';

/** The programs of the READMEs, in their order on each page. */
const PROGRAMS: readonly Program[] = [
  {
    page: 'src/base/shares/README.md',
    language: 'ts',
    before: `import { FairSemaphore } from '${ROOT}src/base/shares/fair-semaphore.ts';${SHARES}`,
    after: `console.log(slots.held);`,
    prints: 'admitted',
  },
  {
    page: 'src/base/shares/README.md',
    language: 'ts',
    before: `import { ByteBudget } from '${ROOT}src/base/shares/byte-budget.ts';${SHARES}
const MIB = 1024 * 1024;
const body = (async function* () { yield Buffer.alloc(3 * MIB); await work(); })();`,
    prints: 'admitted',
  },
  {
    page: 'src/features/canvas/README.md',
    language: 'js',
    before: `const { token, organizationId, workflowId } = given;
const draw = (schema) => move(schema.nodes[0].id, { x: 40, y: 80 });
const place = () => undefined;`,
    after: `socket.on('ack', ({ opId }) => { console.log(opId, version); socket.close(); });
socket.on('error', console.log);`,
    prints: /^tab-7:1 \d+$/,
  },
  {
    page: 'src/features/openai/README.md',
    language: 'ts',
    before: `import OpenAI from 'openai'; const API = given.baseUrl;`,
    after: `const { body } = await fetch(API + '/workflow-runs', { headers: { authorization: 'Bearer ' + given.key,
  'x-organization-id': given.organizationId } }).then(async (answer) => ({ body: await answer.text() }));
console.log(body.includes('Starter workflow'));`,
    prints: 'true',
  },
  {
    page: CLIENT,
    language: 'ts',
    before: `const { key, organizationId, workflowId } = given;`,
    prints: /^(?!.*failed).*completed$/s,
  },
  {
    page: CLIENT,
    language: 'ts',
    before: `import { toDraft, WorkflowClient } from 'workflow-automation-client';
const client = new WorkflowClient({ baseUrl: given.baseUrl, token: given.key, organizationId: given.organizationId });
const definition = toDraft({ nodes: [{ id: 'a', type: 'transformer', config: { mode: 'template', template: 'Hi' } }],
  edges: [{ source: '__start__', target: 'a' }, { source: 'a', target: '__end__' }] });
const text = '# Refunds';
const { id: baseId } = await client.knowledgeBases.create({ name: 'Refunds', embedding_config: { provider: 'managed', model: 'test-embedding' } });
const start = () => client.runs.start({ workflow_id: given.workflowId, input: { text: 'Hi' } });
const started = [await start()];
const { runId: otherRunId } = await start();
const { runId: id } = await client.runs.start({ workflow_id: given.workflowId, input: { text: 'Hi' } });`,
    after: `console.log(JSON.stringify([firstPage.runs.length > 0, plan.plan]));`,
    prints: /run_interrupted[^]*\[true,"enterprise"\]$/,
  },
  { page: PYTHON, language: 'python', prints: "hello {'text': 'Hello Ada'}\ncompleted" },
  {
    page: PYTHON,
    language: 'python',
    before: `from workflow_automation_client import AsyncWorkflowClient
url, key, organization, workflow_id = (given[name] for name in ("baseUrl", "key", "organizationId", "workflowId"))`,
    prints: 'This is an answer',
  },
];

let situation: Situation;
let folder: string;
let given: Readonly<
  Record<'baseUrl' | 'realtimeUrl' | 'key' | 'token' | 'organizationId' | 'workflowId', string>
>;
beforeAll(async () => {
  situation = await startSituation();
  const { service, model } = situation;
  const [api] = service.apis;
  model.script({ text: ['This is', ' an answer'] });
  const create = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await service.call(api, 'POST', path, { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const approval = { kind: 'approval', title: 'Go on?', actions: [{ id: 'approve' }] };
  const messages = [{ role: 'user', content: '{{input.text}}' }];
  const definition = chain(
    node('talk', 'llm', { provider: 'openai', model: 'test-model', messages }),
    node('ask', 'interrupt', approval),
  );
  const { id: workflowId = '' } = await create('/workflows', { name: 'Asks', workflow_schema: definition });
  await create(`/workflows/${workflowId}/deploy`, {});
  const { key = '' } = await create('/api-keys', { name: 'Programs', rate_limit_per_minute: 1_000 });
  given = {
    baseUrl: api.url,
    realtimeUrl: (await service.addRealtime()).url,
    key,
    token: (service.headers['authorization'] ?? '').replace('Bearer ', ''),
    organizationId: service.organizationId,
    workflowId,
  };
  // Below the checkout, whose packages the programs import.
  mkdirSync(DATA, { recursive: true });
  folder = mkdtempSync(join(DATA, 'readme-programs-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER, include: ['*.ts'] }),
  );
});
afterAll(async () => {
  await situation.close();
  rmSync(folder, { recursive: true, force: true });
});

const COMPILER = {
  target: 'es2023',
  lib: ['es2023'],
  types: ['node'],
  module: 'nodenext',
  moduleDetection: 'force',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  paths: { 'workflow-automation-client': [join(ROOT, 'src', 'surfaces', 'client', 'client.ts')] },
};

const readProgram = ({ page, language }: Program, index: number): string => {
  const before = PROGRAMS.slice(0, index).filter((each) => each.page === page && each.language === language);
  const blocks = BLOCKS.filter((each) => each.page === page && each.language === language);
  return blocks[before.length]?.text ?? '';
};

/** Puts what is here in place of the addresses and the key that a page shows. */
const replaceShown = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:8000', given.baseUrl)
    .replaceAll('http://localhost:3001', given.realtimeUrl)
    .replaceAll('svc_live_…', given.key);

function composeScript({ before = '', after = '' }: Program, text: string): string {
  return `import process from 'node:process';
const given = JSON.parse(process.env['GIVEN'] ?? '') as Readonly<Record<${Object.keys(given)
    .map((name) => `'${name}'`)
    .join(' | ')}, string>>;
${before}
${text}
${after}`;
}

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

/** Awaits what the page shows within a function of its reader. */
const composePython = ({ before = '' }: Program, text: string): string =>
  text.startsWith('async ')
    ? `import asyncio, json, os\ngiven = json.loads(os.environ["GIVEN"])\n${before}\nasync def main():\n${indent(text)}\nasyncio.run(main())\n`
    : text;

const environment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  GIVEN: JSON.stringify(given),
  ...more,
});

test('each program of a README has its row, and each statement its test', () => {
  const name = ({ page, language }: { readonly page: string; readonly language: string }) =>
    `${page}: ${language}`;
  const programs = BLOCKS.filter(({ language }) => language !== 'sql');
  expect(programs.map(name).toSorted()).toEqual(PROGRAMS.map(name).toSorted());
  expect(BLOCKS.filter(({ reason }) => reason !== null)).toEqual([]);
});

test('programs in TypeScript are compiled under strict, and do what their page says; so do those in JavaScript', async () => {
  const scripts = [...PROGRAMS.entries()].filter(([, { language }]) => language !== 'python');
  for (const [index, program] of scripts) {
    const script = composeScript(program, replaceShown(readProgram(program, index)));
    // JavaScript has no types to check.
    writeFileSync(
      join(folder, `${index}.ts`),
      program.language === 'js' ? `// @ts-nocheck\n${script}` : script,
    );
  }
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const compiled = await run(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  for (const [index, program] of scripts) {
    const args = [tsx, '--tsconfig', join(folder, 'tsconfig.json'), join(folder, `${index}.ts`)];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: environment() });
    expect(stdout.trim(), program.page).toMatch(program.prints);
  }
});

test('programs in Python do what their page says', async ({ skip }) => {
  const python = await findPython();
  if (python === null) return skip();
  const made = await makePythonPackage(folder);
  const more = {
    PYTHONPATH: made,
    API: given.baseUrl,
    KEY: given.key,
    ORG: given.organizationId,
  };
  for (const [index, program] of PROGRAMS.entries()) {
    if (program.language !== 'python') continue;
    const file = join(folder, `${index}.py`);
    writeFileSync(file, composePython(program, readProgram(program, index)));
    const { stdout } = await run(python, [file], { cwd: folder, env: environment(more) });
    expect(stdout.trim()).toMatch(program.prints);
  }
});

const STATEMENTS = BLOCKS.filter(({ language }) => language === 'sql');
const TEMPORAL = 'temporal/README.md';

test('statements for PostgreSQL are ones that it takes', async () => {
  const { db } = situation;
  const texts = STATEMENTS.filter(({ page }) => page !== TEMPORAL).map(({ text }) => text);
  expect(texts).toHaveLength(5);
  // The cluster of the tests has the role of the page: roles belong to no database.
  const [tenant, owner] = ['tenant', 'owner'].map((role) => `${role}_${randomBytes(4).toString('hex')}`);
  await db.query(`CREATE ROLE ${owner}`);
  let grants = 0;
  try {
    for (const text of texts) {
      const replaced = text
        .replaceAll('workflow_tenant', `${tenant}`)
        .replace(/<owner>|(?<=TO )workflow\b/, `${owner}`);
      await db.query(replaced);
      if (!text.includes('GRANT')) continue;
      const [role] = await db.query<{ isMember: boolean }>(
        `SELECT pg_has_role($1, $2, 'member') AS "isMember"`,
        [owner, tenant],
      );
      expect(role).toEqual({ isMember: true });
      grants += 1;
      await db.query(`DROP ROLE ${tenant}`);
    }
  } finally {
    await db.query(`DROP ROLE IF EXISTS ${tenant}, ${owner}`);
  }
  expect(grants).toBe(2);
});

test('queries for the lists of Temporal are ones that it takes', async () => {
  const queries = STATEMENTS.filter(({ page }) => page === TEMPORAL).flatMap(({ text }) =>
    text.trim().split('\n'),
  );
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) await situation.temporal.workflow.count(query);
  await expect(situation.temporal.workflow.count('NoSuchName = 1')).rejects.toThrow();
});
