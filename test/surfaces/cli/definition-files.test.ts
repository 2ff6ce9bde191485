/** Input from arguments and files would lose digits or carry forbidden keys to the service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readFiles, readInput, readWorkflowFile } from '../../../src/surfaces/cli/definition-files.ts';
import { forbiddenValue } from '../../hostile/doors.ts';

const folder = mkdtempSync(join(tmpdir(), 'workflow-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('SEC-P16: large numbers keep their digits as text in arguments, JSON and YAML', async () => {
  const exact = { id: '9007199254740993', n: 7, schema: { type: 'integer', maximum: 2 ** 63 } };
  const json =
    '{"id": 9007199254740993, "n": 7, "schema": {"type": "integer", "maximum": 9223372036854775807}}';
  const yaml = 'id: 9007199254740993\nn: 7\nschema:\n  type: integer\n  maximum: 9223372036854775807\n';
  writeFileSync(join(folder, 'input.json'), json);
  writeFileSync(join(folder, 'input.yaml'), yaml);
  expect(await readInput(json)).toEqual(exact);
  expect(await readInput(`@${join(folder, 'input.json')}`)).toEqual(exact);
  expect(await readInput(`@${join(folder, 'input.yaml')}`)).toEqual(exact);
});

test('SEC-P09: a forbidden key is an error before anything is sent, in arguments, JSON and YAML', async () => {
  await fc.assert(
    fc.asyncProperty(forbiddenValue, async (value) => {
      const json = JSON.stringify({ nodes: [{ id: 'a', config: value }], edges: [] });
      writeFileSync(join(folder, 'bad.json'), json);
      writeFileSync(join(folder, 'bad.yaml'), stringify(JSON.parse(json)));
      for (const read of [
        () => readInput(json),
        () => readWorkflowFile(join(folder, 'bad.json')),
        () => readWorkflowFile(join(folder, 'bad.yaml')),
      ])
        await expect(read()).rejects.toThrow(/The key __proto__ is not allowed$/);
    }),
    { numRuns: 30 },
  );
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});

test.each([
  [
    'a list that does not end',
    'a.yaml',
    'a: [\n',
    /^:2: Flow sequence in block collection .* end with a \]$/,
  ],
  ['a key that comes twice', 'b.yaml', 'name: x\nname: y\nnodes: []\n', /^:2: Map keys must be unique$/],
  ['an alias of what contains it', 'c.yaml', 'x: &a [*a]\n', /^: an alias contains itself/],
  ['JSON that is cut', 'd.json', '{"name": "x",\n "nodes": [,\n]}\n', /^:2: Unexpected token/],
  [
    'a conflict of git',
    'e.yaml',
    'a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n',
    /^:2: git has left/,
  ],
  ['a conflict of git in JSON', 'f.json', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n', /^:1: git has left/],
  [
    'another encoding',
    'g.yaml',
    Buffer.from('name: Grüße\nnodes: []\n', 'latin1'),
    /^:1: the file is not UTF-8$/,
  ],
])('%s is one line with the file and the line', async (_, name, content, told) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  const { files, unread } = await readFiles([path]);
  expect([files, unread.length]).toEqual([[], 1]);
  const message = unread[0]?.message ?? '';
  expect(message).not.toMatch(/\n/);
  expect(message.startsWith(path)).toBe(true);
  expect(message.slice(path.length)).toMatch(told);
});

test('a file with a byte order mark, as editors of Windows write it, is read', async () => {
  const path = join(folder, 'marked.json');
  writeFileSync(path, '\ufeff{"name": "Marked", "workflow_schema": {"nodes": [], "edges": []}}');
  expect((await readWorkflowFile(path)).fields.name).toBe('Marked');
});
