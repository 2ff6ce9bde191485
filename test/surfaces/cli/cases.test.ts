/** `workflow test` would open a connection, say that a file goes as a run went when it does not, or write reports that no CI system reads. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RunCase } from '../../../src/engine/runs/rehearse/case.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { findCases } from '../../../src/surfaces/cli/case-files.ts';
import { toJunit, toTap, type CaseResult } from '../../../src/surfaces/cli/case-reports.ts';
import { CaseWalker } from '../../../src/surfaces/cli/case-walk.ts';
import { describeDifferences, describeVerdict } from '../../../src/surfaces/cli/case-words.ts';
import { ROOT } from '../../docs/readmes.ts';
import {
  END,
  START,
  conditional,
  edge,
  http,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../../support/definitions.ts';

const walker = new CaseWalker();
afterAll(() => walker.close());

const code = (divisor: number): string => `export default (given) => ({ score: given.points / ${divisor} })`;

/** Code gives a score, which decides whether a ticket is made. */
const triage = ({ divisor = 10, limit = 0.3, text = 'New ticket', credential = 'crm' } = {}): JsonObject =>
  workflow(
    [
      node('classify', 'function', { code: code(divisor), arguments: { points: '{{input.points}}' } }),
      conditional('triage', when('billing', rule('{{classify.score}}', 'gte', limit))),
      transform('letter', { text }),
      http('crm', 'https://crm.example/tickets', {
        body: { text: '{{letter.text}}' },
        credential_id: credential,
      }),
    ],
    [
      edge(START, 'classify'),
      edge('classify', 'triage'),
      edge('triage', 'letter', 'billing'),
      edge('triage', END, 'else'),
      edge('letter', 'crm'),
      edge('crm', END),
    ],
  );

const step = (
  node_id: string,
  output: JsonObject,
  handle = 'default',
  taken = 0,
): RunCase['steps'][number] => ({
  node_id,
  visit: 1,
  item_index: -1,
  status: 'succeeded',
  handle,
  taken: [taken],
  output: output as RunCase['steps'][number]['output'],
  error: null,
});

function makeCase(
  definition: JsonObject,
  steps: RunCase['steps'],
  input: JsonObject = { points: 4 },
): RunCase {
  const object = input as RunCase['definition'];
  return {
    case: 1,
    workflow: 'triage',
    definition_hash: null,
    definition: definition as RunCase['definition'],
    run: {
      run_id: 'run',
      run_pk: 'pk',
      thread_id: null,
      workflow_id: null,
      workflow_name: 'Triage',
      trigger_type: 'api',
      started_at: '2026-01-01T00:00:00.000Z',
      recursion_limit: 100,
      redacted_paths: [],
    },
    input: { workflow: null, run: object, merged: object },
    steps,
  };
}

const recorded = makeCase(triage(), [
  step('classify', { score: 0.4 }),
  step('triage', { selected: 'billing', matched: true, reason: null }, 'billing'),
  step('letter', { text: 'New ticket' }),
  step('crm', { status: 201, data: { id: 7 } }),
]);

async function tell(definition: JsonObject, given = recorded): Promise<string[]> {
  const walked = await walker.walk(given, definition);
  return [describeVerdict(walked.found), ...describeDifferences(walked)];
}

describe('a case says in words', () => {
  test('that nothing is different: also with another name of a node, and with fields that the service adds', async () => {
    expect(await tell(triage())).toEqual(['the same']);
    const { nodes, ...rest } = triage();
    const named = (nodes as JsonObject[]).map((one) => ({ ...one, name: `The ${String(one['id'])}` }));
    expect(await tell({ ...rest, nodes: named })).toEqual(['the same']);
  });

  test('which way a choice took, and the values that made it', async () => {
    expect(await tell(triage({ limit: 0.5 }))).toEqual([
      'branches elsewhere',
      '`triage` took `else` where it took `billing` (score 0.4, needs at least 0.5)',
      '`letter` did not run',
      '`crm` did not run',
    ]);
    expect((await tell(triage({ limit: 0.4 })))[0]).toBe('the same');
    const declined = makeCase(triage({ limit: 0.5 }), [
      step('classify', { score: 0.4 }),
      step('triage', { selected: 'else', matched: false, reason: null }, 'else', 1),
    ]);
    expect((await tell(triage({ limit: 0.4 }), declined)).slice(0, 2)).toEqual([
      'sends something new',
      '`crm` sends to POST crm.example, of which nothing is recorded',
    ]);
  });

  test('what is sent that was not, where, and the node that made it; code runs', async () => {
    expect(await tell(triage({ text: 'A ticket' }))).toEqual([
      'sends something else',
      '`crm` sends something else to POST crm.example: /request/body/text is "A ticket" where it was "New ticket"',
      '`letter` is the first with another output, at /text',
    ]);
    expect(await tell(triage({ divisor: 8 }))).toEqual([
      'the same',
      '`classify` is the first with another output, at /score',
    ]);
    expect((await tell(triage({ divisor: 20 })))[1]).toContain('(score 0.2, needs at least 0.3)');
  });

  test('which credential it was, by the name that the files have', async () => {
    const [verdict, difference] = await tell(triage({ credential: 'crm-live' }));
    expect(verdict).toBe('sends something else');
    expect(difference).toContain('/credential_id is "crm-live" where it was "crm"');
  });

  test('that nobody can tell: a search asks something else, a document is read, an answer does not fit', async () => {
    const look = (path: string): JsonObject =>
      workflow(
        [http('look', `https://shop.example/${path}`, { method: 'GET' })],
        [edge(START, 'look'), edge('look', END)],
      );
    const looked = makeCase(look('shirts'), [step('look', { status: 200, data: {} })]);
    const [verdict, difference] = await tell(look('coats'), looked);
    expect(verdict).toBe('cannot tell: something else is asked, and nobody knows the answer');
    expect(difference).toContain('`look` asks something else: /request/url is "https://shop.example/coats"');

    const ask = (action: string): JsonObject =>
      workflow(
        [
          node('ask', 'interrupt', {
            kind: 'approval',
            title: 'Go on?',
            actions: [{ id: action, label: action }],
          }),
        ],
        [edge(START, 'ask'), edge('ask', END)],
      );
    const answered = makeCase(ask('yes'), [step('ask', { action: 'yes', data: {} })]);
    expect(await tell(ask('go'), answered)).toEqual([
      'cannot tell: the answer of a person does not fit any more',
      '`ask` does not accept the answer "yes" any more; it has ["go"]',
    ]);
    expect(await tell(ask('yes'), answered)).toEqual(['the same']);
  });

  test('long values are cut at 60 characters', async () => {
    const [, short = ''] = await tell(triage({ text: 'x'.repeat(58) }));
    const [, long = ''] = await tell(triage({ text: 'x'.repeat(59) }));
    expect(short).toContain(`"${'x'.repeat(58)}" where`);
    expect(long).toContain(`"${'x'.repeat(59)}… where`);
  });
});

test('an update makes the way of today the record, but not where nobody knows what would have come', async () => {
  for (const changed of [triage({ limit: 0.5 }), triage({ text: 'A ticket' }), triage({ divisor: 8 })]) {
    const { updated } = await walker.walk(recorded, changed);
    if (updated === null) throw new Error('It was not updated');
    expect(await tell(changed, updated)).toEqual(['the same']);
    expect((await walker.walk(updated, triage({ limit: 0.1, text: 'Third' }))).found.verdict).not.toBe(
      'same',
    );
  }
  const { nodes, edges } = triage() as { nodes: JsonObject[]; edges: JsonObject[] };
  const more = [...nodes, http('more', 'https://other.example', { body: {} })];
  const added = workflow(more, [...edges, edge('classify', 'more')]);
  expect((await walker.walk(recorded, added)).updated).toBeNull();
});

const result = (given: Partial<CaseResult>): CaseResult => ({
  file: 'triage.yaml',
  path: 'cases/a.json',
  outcome: 'ok',
  verdict: 'same',
  message: 'the same',
  differences: [],
  seconds: 0.0124,
  ...given,
});
const RESULTS = [
  result({}),
  result({
    path: 'cases/b #1.json',
    outcome: 'failed',
    verdict: 'branches',
    message: 'branches elsewhere',
    differences: ['`a` took `<else>` & "more" \u0001\u{1f600}', 'second'],
  }),
  result({
    file: 'other.yaml',
    path: 'cases/c.json',
    outcome: 'error',
    verdict: 'unread',
    message: 'no "case"',
  }),
];

test('JUnit: suites by file with their counts, and texts that XML allows', () => {
  expect(toJunit(RESULTS)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="workflow test" tests="3" failures="1" errors="1" time="0.037">
  <testsuite name="triage.yaml" tests="2" failures="1" errors="0" skipped="0" time="0.025">
    <testcase classname="triage.yaml" name="cases/a.json" file="cases/a.json" time="0.012"/>
    <testcase classname="triage.yaml" name="cases/b #1.json" file="cases/b #1.json" time="0.012">
      <failure message="branches elsewhere" type="branches">branches elsewhere
\`a\` took \`&lt;else&gt;\` &amp; &quot;more&quot; \u{1f600}
second</failure>
    </testcase>
  </testsuite>
  <testsuite name="other.yaml" tests="1" failures="0" errors="1" skipped="0" time="0.012">
    <testcase classname="other.yaml" name="cases/c.json" file="cases/c.json" time="0.012">
      <error message="no &quot;case&quot;" type="unread">no &quot;case&quot;</error>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('TAP 14: a plan, numbered points with escaped names, and diagnostics that are YAML', () => {
  const tap = toTap(RESULTS);
  const lines = tap.split('\n');
  expect(lines.slice(0, 2)).toEqual(['TAP version 14', '1..3']);
  expect(lines.filter((line) => /^(not )?ok/.test(line))).toEqual([
    'ok 1 - triage.yaml: cases/a.json',
    String.raw`not ok 2 - triage.yaml: cases/b \#1.json`,
    'not ok 3 - other.yaml: cases/c.json',
  ]);
  const [, block = ''] = /^ {2}---\n([^]*?)^ {2}\.\.\.$/m.exec(tap) ?? [];
  expect(parse(block)).toEqual({
    message: 'branches elsewhere',
    severity: 'fail',
    verdict: 'branches',
    differences: RESULTS[1]?.differences,
  });
});

describe('in a folder of its own', () => {
  let home: string;
  let preload: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'cases-'));
    preload = join(home, 'no-network.mjs');
    // Whatever opens a connection, resolves a name or listens ends the process with a code of its own.
    await writeFile(
      preload,
      `import dgram from 'node:dgram'; import dns from 'node:dns'; import net from 'node:net';
       const refuse = () => process.exit(99);
       // The loader of TypeScript listens to nobody, and speaks to a file of its own.
       const { connect } = net.Socket.prototype;
       net.Socket.prototype.connect = function (...given) {
         return String(given.flat()[0]?.path).includes('tsx-') ? connect.apply(this, given) : refuse();
       };
       net.Server.prototype.listen = refuse;
       dns.lookup = refuse; dns.promises.lookup = refuse; dgram.createSocket = refuse; globalThis.fetch = refuse;`,
    );
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(home, 'folder-'));
    await mkdir(join(folder, 'cases', 'more'), { recursive: true });
    await writeFile(
      join(folder, 'triage.json'),
      JSON.stringify({ name: 'Triage', workflow_schema: triage() }),
    );
    await writeFile(join(folder, 'cases', 'more', 'four.json'), JSON.stringify(recorded));
  });

  const start = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const loader = pathToFileURL(join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
      const main = join(ROOT, 'src', 'surfaces', 'cli', 'main.ts');
      execFile(
        process.execPath,
        ['--import', pathToFileURL(preload).href, '--import', loader, main, ...words],
        { cwd: folder, env: { HOME: folder, PATH: process.env['PATH'], WORKFLOW_API_KEY: 'key' } },
        (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });

  test('the command walks cases without login and network, reports, updates, and its exit code is that of the worst', async () => {
    // Another command is stopped here: nothing of this is open by chance.
    expect((await start('whoami', '--url', 'http://127.0.0.1:9')).code).toBe(99);
    expect(await start('test')).toEqual({
      code: 0,
      out: `ok      ${join('cases', 'more', 'four.json')}\n1 case, all the same\n`,
      err: '',
    });
    const changed = { name: 'Triage', workflow_schema: triage({ divisor: 20 }) };
    await writeFile(join(folder, 'triage.json'), JSON.stringify(changed));
    const failed = await start('test', 'triage.json', '--reporter', 'junit', '-o', 'reports/junit.xml');
    expect(failed).toMatchObject({ code: 1, err: '' });
    expect(failed.out).toContain('took `else` where it took `billing` (score 0.2, needs at least 0.3)');
    expect(await readFile(join(folder, 'reports', 'junit.xml'), 'utf8')).toContain('type="branches"');
    const updated = await start('test', '--update');
    expect(updated.code).toBe(0);
    expect(updated.out).toContain('branches elsewhere (updated)');
    expect(await start('test', '--reporter', 'tap')).toEqual({
      code: 0,
      out: `TAP version 14\n1..1\nok 1 - triage.json: ${join('cases', 'more', 'four.json')}\n`,
      err: '',
    });
  });

  test('files that are no cases, of no workflow, or of one with errors are named with the reason', async () => {
    const write = (name: string, value: unknown) =>
      writeFile(join(folder, 'cases', `${name}.json`), JSON.stringify(value));
    await writeFile(join(folder, 'cases', 'broken.json'), '{');
    await write('later', { case: 2 });
    await write('short', { case: 1, workflow: 'triage' });
    await write('stranger', {
      ...recorded,
      workflow: 'strange',
      run: { ...recorded.run, workflow_name: 'Strange' },
    });
    const found = await findCases([folder], null);
    const problems = found.map(({ given }) => ('problem' in given ? given.problem : 'none'));
    expect(problems).toEqual([
      expect.stringContaining('JSON'),
      'its format is 2, and this version reads 1',
      'none',
      expect.stringContaining('/definition_hash: '),
      expect.stringContaining('has no file of the workflow "strange"'),
    ]);
    await expect(findCases([join(folder, 'nowhere')], null)).rejects.toThrow('Cannot read');
    await rm(join(folder, 'cases'), { recursive: true });
    await expect(findCases([folder], null)).rejects.toThrow('There is no case in');
  });
});
