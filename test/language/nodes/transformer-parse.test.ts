/** A source would be read on the event loop, from what is none, or a config that cannot work would be saved (SPEC DEF-2.7). */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import type { NodeTools } from '../../../src/language/nodes/tools.ts';
import { transformer } from '../../../src/language/nodes/transformer/transformer.ts';
import { listProblems, outputOf, runNode, type Fakes } from './support/node-call.ts';

type Job = Parameters<NodeTools['parser']['parse']>[0];

const config = (format: string, more: JsonObject = {}) => ({
  mode: 'parse',
  format,
  source: '{{source}}',
  ...more,
});
const FORMATS = ['csv', 'xlsx', 'json', 'yaml', 'front_matter', 'xml', 'html', 'html_table', 'feed', 'email'];

describe('DEF-2.7: parse', () => {
  test.each(FORMATS)('%s: what has a parser of its own is an activity, JSON is not', (format) => {
    const { placement, effect } = kindRules.policy('transformer', config(format));
    expect([placement, effect]).toEqual([format === 'json' ? 'fold' : 'activity', 'pure']);
  });

  test.each<[string, Json, string, boolean]>([
    ['a text', 'Grüße', 'Grüße', true],
    [
      'a file',
      { base64: Buffer.from('Grüße').toString('base64'), media_type: 'text/csv', size: 7 },
      'Grüße',
      false,
    ],
    ['an empty file', { base64: '' }, '', false],
  ])('%s goes to a process, with all but the source of the config', async (_, source, text, isText) => {
    const jobs: Job[] = [];
    const held: number[] = [];
    const fakes: Fakes = {
      roots: { source },
      parser: (job) => Promise.resolve(jobs.push(job)),
      hold: (bytes) => Promise.resolve(void held.push(bytes)),
    };
    expect(await outputOf(transformer, config('csv', { numbers: 'de' }), fakes)).toBe(1);
    const [job] = jobs;
    expect(Buffer.from(job?.bytes ?? []).toString()).toBe(text);
    expect(held).toEqual([Buffer.byteLength(text)]);
    expect(job).toMatchObject({ organizationId: 'o1', task: { format: 'csv', numbers: 'de', isText } });
    expect(Object.keys(job?.task ?? {})).not.toContain('source');
  });
  test.each<[string, Json, string]>([
    ['csv', null, 'not_a_text'],
    ['csv', 7, 'not_a_text'],
    ['csv', { base64: 'no base64!' }, 'not_a_text'],
    ['csv', ['a'], 'not_a_text'],
    ['xlsx', 'text', 'not_a_file'],
    ['json', '{', 'invalid_json'],
    ['json', '['.repeat(66) + ']'.repeat(66), 'invalid_json'],
  ])('%s of %j fails with %s', async (format, source, code) => {
    await expect(outputOf(transformer, config(format), { roots: { source } })).rejects.toMatchObject({
      code,
    });
  });
  test('8 MiB are read, one more byte is refused', async () => {
    const run = (source: Json) =>
      outputOf(transformer, config('csv'), { roots: { source }, parser: () => Promise.resolve(1) });
    const most = 8 * 1024 * 1024;
    expect(await run('x'.repeat(most))).toBe(1);
    await expect(run('x'.repeat(most + 1))).rejects.toMatchObject({ code: 'source_too_large' });
    await expect(run('ü'.repeat(most / 2 + 1))).rejects.toMatchObject({ code: 'source_too_large' });
    expect(await run({ base64: Buffer.alloc(most).toString('base64') })).toBe(1);
    const larger = { base64: Buffer.alloc(most + 1).toString('base64') };
    await expect(run(larger)).rejects.toMatchObject({ code: 'source_too_large' });
  });
  test('JSON of a text or a file, with all digits', async () => {
    const run = (source: Json, more: JsonObject = {}) =>
      runNode(transformer, config('json', more), { roots: { source } });
    expect(await run('\uFEFF{"id": 9007199254740993}')).toMatchObject({
      output: { data: { id: '9007199254740993' } },
      warnings: [{ code: 'number_as_text', paths: ['data.id'] }],
    });
    const file = { base64: Buffer.from('["ü"]', 'latin1').toString('base64') };
    expect(await run(file, { charset: 'latin1' })).toMatchObject({ output: { data: ['ü'] } });
  });
});

describe('DEF-2.7: a config of parse that cannot work is a problem', () => {
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, 'a '.repeat(200)]));
  test.each<[JsonObject, string]>([
    [{ format: 'pdf' }, 'invalid_config format'],
    [{ selector: 'a[' }, 'invalid_config selector'],
    [{ selector: 'a:nonsense' }, 'invalid_config selector'],
    [{ selector: '' }, 'invalid_config selector'],
    [{ selector: 'a'.repeat(501) }, 'invalid_config selector'],
    [{ fields: { name: 'h2', link: 'a[@href' } }, 'invalid_config fields.link'],
    [{ fields: { name: 'x'.repeat(501) } }, 'invalid_config fields.name'],
    [{ fields: long }, 'invalid_config fields'],
    [{ numbers: 'klingon' }, 'invalid_config numbers'],
    [{ charset: 'no-charset' }, 'invalid_config charset'],
    [{ delimiter: '::' }, 'invalid_config delimiter'],
    [{ skip_rows: 1_001 }, 'invalid_config skip_rows'],
    [{ lists: Array(101).fill('a') }, 'invalid_config lists'],
  ])('%j', (more, problem) => {
    expect(listProblems(transformer, config('html', more))).toEqual([problem]);
  });
  test.each<JsonObject>([
    { selector: '.card:nth-child(2) > a[href^="https"]' },
    { selector: 'a'.repeat(500) },
    { fields: { name: '', link: 'a@href', id: '@data-id', svg: 'use@xlink:href' } },
    { numbers: 'de-CH', charset: 'windows-1252', skip_rows: 1_000, lists: Array(100).fill('a') },
  ])('other settings are none: %j', (more) => {
    expect(listProblems(transformer, config('html', more))).toEqual([]);
  });
});
