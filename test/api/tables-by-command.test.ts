/** `workflow tables` would write another table, lose rows of a file without a word, or print what it cannot read again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startApi, type ApiServer } from '../support/api-server.ts';
import { CommandLine } from '../support/command-line.ts';

const home = mkdtempSync(join(tmpdir(), 'tables-by-command-'));
let api: ApiServer;
let cli: CommandLine;
beforeAll(async () => {
  api = await startApi();
  const tenant = await api.tenant();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, TERM: 'xterm-256color' };
  cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), env);
  const key = await tenant.call('POST', '/api-keys', { body: { name: 'cli', rate_limit_per_minute: 1_000 } });
  const login = await cli.piped('login', '--url', api.url, '--key', key.body.key);
  expect(login.code, login.err).toBe(0);
});
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

function makeFile(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

test('rows are put, listed, read and deleted by the name of their table', async () => {
  await cli.json('tables', 'create', 'Orders', '--description', 'Of the shop');
  expect(await cli.json('tables', 'list')).toMatchObject([{ name: 'Orders', row_count: 0 }]);
  expect(await cli.json('tables', 'put', 'Orders', 'a/1', '{"n":1}', '--expect', '0')).toMatchObject([
    { key: 'a/1', version: 1 },
  ]);
  const stale = await cli.piped('tables', 'put', 'Orders', 'a/1', '2', '--expect', '0');
  expect([stale.code, stale.err]).toEqual([1, expect.stringContaining('expected_version')]);
  expect(await cli.json('tables', 'get', 'Orders', 'a/1')).toMatchObject([{ value: { n: 1 } }]);
  const none = ['tables', 'rows', 'Orders', '--field', 'n', '--equals', '2', '--json'];
  expect(await cli.piped(...none)).toMatchObject({ code: 0, out: '' });
  expect((await cli.piped('tables', 'delete-row', 'Orders', 'a/1', '--yes')).code).toBe(0);
  expect((await cli.piped('tables', 'rows', 'Orders', '--json')).out).toBe('');
  expect((await cli.piped('tables', 'rows', 'Nothing')).code).toBe(2);
});

test('what is exported is imported again: lines of JSON, and CSV with the value or with fields', async () => {
  for (const name of ['From', 'Lines', 'Values', 'Fields']) await cli.json('tables', 'create', name);
  const rows = [
    { key: 'a', value: { name: 'Ada, "the first"', n: 1.5, list: [1] } },
    { key: 'b', value: { name: '=1+1', n: 9_007_199_254_740_991 } },
    { key: 'ü\n2', value: { name: 'two\nlines' } },
  ];
  const file = makeFile('rows.jsonl', `\uFEFF${rows.map((row) => JSON.stringify(row)).join('\n\n')}`);
  expect(await cli.json('tables', 'import', 'From', file)).toEqual([{ put: 3, failed: 0 }]);
  const read = async (name: string): Promise<unknown[]> =>
    (await cli.json('tables', 'rows', name)).map(({ key, value }: { key: string; value: unknown }) => ({
      key,
      value,
    }));
  expect(await read('From')).toEqual(rows);

  const lines = makeFile('out.jsonl', (await cli.piped('tables', 'export', 'From')).out);
  expect(await cli.json('tables', 'import', 'Lines', lines)).toEqual([{ put: 3, failed: 0 }]);
  expect(await read('Lines')).toEqual(rows);
  const values = (await cli.piped('tables', 'export', 'From', '--format', 'csv')).out;
  await cli.json('tables', 'import', 'Values', makeFile('out.csv', values));
  expect(await read('Values')).toEqual(rows);
  const fields = (await cli.piped('tables', 'export', 'From', '--format', 'csv', '--fields', 'name,n')).out;
  expect(fields.split('\r\n').slice(0, 3)).toEqual([
    'key,name,n',
    'a,"Ada, ""the first""",1.5',
    `b,'=1+1,9007199254740991`,
  ]);
  await cli.json('tables', 'import', 'Fields', makeFile('fields.csv', fields), '--numbers');
  expect(await read('Fields')).toMatchObject([
    { key: 'a', value: { name: 'Ada, "the first"', n: 1.5 } },
    { key: 'b', value: { name: "'=1+1" } },
    { key: 'ü\n2', value: { name: 'two\nlines', n: null } },
  ]);
});

test('lines that cannot be put are told with their numbers, and the others are put', async () => {
  await cli.json('tables', 'create', 'Partly');
  const long = 'x'.repeat(256);
  const text = [
    '{"key":"a","value":1}',
    '{"key":"b"}',
    'no',
    `{"key":"${long}","value":1}`,
    '{"key":"c","value":null}',
  ];
  const ended = await cli.piped('tables', 'import', 'Partly', makeFile('bad.jsonl', text.join('\n')));
  expect(ended.code).toBe(1);
  expect(ended.out).toBe('Rows put: 2. Lines that failed: 3.\n');
  expect(ended.err).toContain('line 2: value: is required');
  expect(ended.err).toContain('line 3: is not a JSON object');
  expect(ended.err).toContain('line 4: key: must be a text of 1 to 255 characters');
  const csv = await cli.piped('tables', 'import', 'Partly', makeFile('bad.csv', 'key,n\nd,1\ne\nf,2\n'));
  expect([csv.code, csv.err]).toEqual([1, expect.stringContaining('line 3:')]);
  const noKey = await cli.piped('tables', 'import', 'Partly', makeFile('key.csv', 'id,n\nd,1\n'));
  expect([noKey.code, noKey.err]).toEqual([2, expect.stringContaining('no column "key"')]);
  expect((await cli.piped('tables', 'import', 'Partly', join(home, 'rows.txt'))).code).toBe(2);
  const keys = (await cli.json('tables', 'rows', 'Partly')).map(({ key }: { key: string }) => key);
  expect(keys).toEqual(['a', 'c', 'd', 'f']);
});
