/** Input of the command line, from arguments and from files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readInput } from '../../src/cli/definition-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'workflow-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('SEC-P16: numbers keep their digits, as text, in arguments, JSON and YAML', async () => {
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
