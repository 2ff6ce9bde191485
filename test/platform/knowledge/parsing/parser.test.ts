/** A source that is built to harm would take down the worker, or another organization's would wait for it (SPEC SEC-K18). */
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import type * as Built from '../../../../src/platform/knowledge/parsing/parser.ts';
import { taskOf } from './support/parse.ts';

/** As it is built: from source each process would compile its readers anew. */
const { createParser } = (await import(
  join(inject('builtService'), 'src', 'platform', 'knowledge', 'parsing', 'parser.js')
)) as typeof Built;

const log = pino({ level: 'silent' });
let parser: ReturnType<typeof Built.createParser>;
beforeAll(() => {
  parser = createParser(log);
});
afterAll(() => parser.close());

const { signal } = new AbortController();
const parse = (format: string, text: string, more: JsonObject = {}, by = parser) =>
  by.parse({ organizationId: 'o', bytes: Buffer.from(text), task: taskOf(format, more), signal });

test('a source is read in a process of its own', async () => {
  expect(await parse('csv', 'a;b\n1;2,5', { numbers: 'de' })).toEqual({
    items: [{ a: 1, b: 2.5 }],
    count: 1,
  });
});
test('a source that cannot be read fails with its code, and is not tried again', async () => {
  await expect(parse('xml', '<a>')).rejects.toMatchObject({ code: 'invalid_xml', retryable: false });
});
test('what would be larger than an output is not handed over', async () => {
  const text = (count: number): string => JSON.stringify(Array.from({ length: 8 }, () => '"'.repeat(count)));
  expect(await parse('yaml', text(100_000))).toMatchObject({ data: expect.any(Array) });
  await expect(parse('yaml', text(600_000))).rejects.toMatchObject({ code: 'too_large' });
});
test('what takes too long ends, and the next source is read', async () => {
  const hasty = createParser(log, { timeoutMs: 1 });
  await expect(parse('csv', 'a\n1', {}, hasty)).rejects.toMatchObject({ code: 'timeout', retryable: false });
  await hasty.close();
  expect(await parse('csv', 'a\n1')).toMatchObject({ count: 1 });
});
test('who cancels a node ends its process', async () => {
  const controller = new AbortController();
  const parsing = parser.parse({
    organizationId: 'o',
    bytes: Buffer.from('a'),
    task: taskOf('csv'),
    signal: controller.signal,
  });
  controller.abort(new Error('cancelled'));
  await expect(parsing).rejects.toThrow('cancelled');
});
test('the time of the node does not run while its source waits', async () => {
  const told: string[] = [];
  await parser.parse({ organizationId: 'o', bytes: Buffer.from('a'), task: taskOf('csv'), signal }, () => {
    told.push('paused');
    return () => told.push('resumed');
  });
  expect(told).toEqual(['paused', 'resumed']);
});
