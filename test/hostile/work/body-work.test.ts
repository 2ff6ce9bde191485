/**
 * If this failed, one body would hold a process: the work of a door would grow faster than what it is sent. The counter is imported
 * first, since it counts the blocks of code that is loaded after it.
 */
import { countWork } from './count-work.ts';
import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseHookRequest } from '../../../src/features/hooks/hook-request.ts';
import { readJsonText } from '../../../src/platform/http/body.ts';
import { MAX_FORM_FIELDS, parseForm } from '../../../src/platform/http/form.ts';
import { PARSING, toIssues } from '../../../src/platform/http/issues.ts';
import { readQuery } from '../../../src/platform/http/query.ts';
import { warnOfBodyNumbers, warnOfUnknownFields } from '../../../src/platform/http/unknown-fields.ts';
import { buildQuestionPage } from '../../../src/features/answers/page.ts';
import { listFormFields, readFormData } from '../../../src/features/answers/form.ts';
import { newWorkflow, workflowUpdate } from '../../../src/features/workflows/schema.ts';

const list = (n: number, item: (at: number) => string): string =>
  Array.from({ length: n }, (_, at) => item(at)).join(',');
const nest = (depth: number, inner: string): string => '{"a":['.repeat(depth) + inner + ']}'.repeat(depth);

/** JSON in its worst shapes, of about `n` values or characters. */
const JSON_SHAPES: Readonly<Record<string, (n: number) => string>> = {
  'many keys': (n) => `{${list(n, (at) => `"k${at}":1`)}}`,
  'one key, repeated': (n) => `{${list(n, () => '"a":1')}}`,
  'long keys, equal but for their end': (n) => `{${list(n, (at) => `"${'k'.repeat(200)}${at}":1`)}}`,
  'one long key': (n) => `{"${'k'.repeat(20 * n)}":{${list(n, (at) => `"${at}":1`)}}}`,
  numbers: (n) => `[${list(n, () => '1')}]`,
  'numbers on the deepest level': (n) => nest(30, `[${list(n, () => '1')}]`),
  'long numbers on the deepest level': (n) =>
    nest(
      30,
      list(n, () => '12345678901234567890'),
    ),
  'long numbers below one long key': (n) =>
    `{"${'k'.repeat(20 * n)}":[${list(n, () => '12345678901234567890')}]}`,
  'one long number behind others': (n) => `[${list(n, () => '1')},12345678901234567890]`,
  'empty objects': (n) => `[${list(n, () => '{}')}]`,
  'many deep lists': (n) => `[${list(n, () => '['.repeat(40) + ']'.repeat(40))}]`,
  'a text of escapes': (n) => `["${'\\u0041\\"'.repeat(n)}"]`,
  blanks: (n) => `[${' '.repeat(20 * n)}]`,
  'lists under length': (n) => `[${list(n, () => '{"length":[[],[1]]}')}]`,
  'an end that is damaged': (n) => `[${list(n, (at) => `{"a":${at}}`)}`,
};

const hook = (contentType: string, body: string): Promise<unknown> =>
  parseHookRequest(
    {
      method: 'POST',
      headers: { 'content-type': contentType },
      query: new URLSearchParams(),
      body: Buffer.from(body),
    },
    { verification: 'github', signature: null },
  );
const form = (n: number): URLSearchParams =>
  new URLSearchParams(list(n, (at) => `data.f${at}=1`).replaceAll(',', '&'));
const fields = (n: number) => ({
  properties: Object.fromEntries(
    Array.from({ length: n }, (_, at) => [`g${at}`, { type: 'string', enum: ['a'] }]),
  ),
  required: Array.from({ length: n }, (_, at) => `h${at}`),
});
function answer(n: number): void {
  const shown = listFormFields(fields(n));
  const sent = new Map([...parseForm(form(n).toString())].toReversed());
  readFormData(shown, sent);
  const page = { title: '', message: '', payload: null, fields: shown, actions: [], facts: [], problems: [] };
  buildQuestionPage({ ...page, sent });
}
function check(schema: z.ZodType, body: unknown): void {
  const read = schema.safeParse(body, PARSING);
  if (!read.success) toIssues(read.error, 'body', schema);
}

/** What a door does with its worst input of a size. */
const DOORS: Readonly<Record<string, (n: number) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(JSON_SHAPES).flatMap(([shape, write]) => [
      [`a JSON body: ${shape}`, (n: number) => readJsonText(write(n))],
      [`a webhook with JSON: ${shape}`, (n: number) => hook('application/json', write(n))],
      [
        `the warnings and checks of a body: ${shape}`,
        async (n: number) => {
          const read = await readJsonText(`{"input":${write(n)},"workflow_schema":${write(n)}}`);
          check(workflowUpdate, read.value);
          check(newWorkflow, read.value);
          warnOfUnknownFields(workflowUpdate, read.value, undefined);
          warnOfBodyNumbers(read);
        },
      ],
    ]),
  ),
  'a body of unknown fields': async (n) => {
    const { value } = await readJsonText(`{${list(n, (at) => `"k${at}":1`)}}`);
    warnOfUnknownFields(workflowUpdate, value, undefined);
    check(z.strictObject({ a: z.string().optional() }), value);
  },
  'a webhook with a form: one name, repeated': (n) =>
    hook('application/x-www-form-urlencoded', 'a=1&'.repeat(n)),
  'a webhook with a form in another charset: one name, repeated': (n) =>
    hook('application/x-www-form-urlencoded; charset=iso-8859-1', 'a=%E9&'.repeat(n)),
  'a webhook with a form whose payload is the event: many keys': (n) => {
    const payload = `{${list(n, (at) => `"k${at}":1`)}}`;
    return hook('application/x-www-form-urlencoded', new URLSearchParams({ payload }).toString());
  },
  'a webhook with text': (n) => hook('text/plain', 'é'.repeat(n)),
  'a webhook with bytes': (n) => hook('application/octet-stream', '\0'.repeat(n)),
  'a webhook with a form: many names': (n) => hook('application/x-www-form-urlencoded', form(n).toString()),
  'a webhook with a form: one long value of escapes': (n) =>
    hook('application/x-www-form-urlencoded', `a=${'%41'.repeat(n)}`),
  'a webhook with parts: one name, repeated': (n) => {
    const part = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
    return hook('multipart/form-data; boundary=b', `${part.repeat(n / 40)}--b--\r\n`);
  },
  'a webhook with parts: beginnings of a boundary': (n) =>
    hook(
      `multipart/form-data; boundary=${'b'.repeat(60)}`,
      `--${'b'.repeat(60)}\r\ncontent-disposition: form-data; name="a"\r\n\r\n${`\r\n--${'b'.repeat(59)}`.repeat(n / 4)}\r\n--${'b'.repeat(60)}--\r\n`,
    ),
  'the form of an answer link: other fields than those of the question': answer,
  'a query: many names': (n) => readQuery({ querystring: form(n).toString() } as Context),
  'a query: one name, repeated': (n) => readQuery({ querystring: 'a=1&'.repeat(n) } as Context),
};

describe.each(Object.entries(DOORS))('%s', (_, open) => {
  test('SEC-H08: twice as much takes at most twice the work', async () => {
    // The first call compiles what the others only run.
    await countWork(() => open(1_000));
    const [once, twice] = [await countWork(() => open(2_000)), await countWork(() => open(4_000))];
    expect(once).toBeGreaterThan(0);
    expect(twice / once).toBeLessThan(2.2);
  });
});

test('SEC-H08: the warnings and issues of a body do not repeat its long keys', async () => {
  const key = 'k'.repeat(100_000);
  const read = await readJsonText(
    `{"${key}":[${list(50, () => '12345678901234567890,0.12345678901234567891')}],"tags":{"${key}":1}}`,
  );
  const warnings = [
    ...warnOfUnknownFields(workflowUpdate, read.value, undefined),
    ...warnOfBodyNumbers(read),
  ];
  expect(warnings).toHaveLength(41);
  expect(JSON.stringify(warnings).length).toBeLessThan(50_000);
  const parsed = z.object({ tags: z.record(z.string(), z.string()) }).safeParse(read.value, PARSING);
  const issues = parsed.success ? [] : toIssues(parsed.error, 'body', workflowUpdate);
  expect(issues[0]?.loc).toEqual(['body', 'tags', `${'k'.repeat(200)}…`]);
});

test('SEC-H08: a form has as many fields as are allowed, and one more is refused', async () => {
  const count = (n: number): URLSearchParams => parseForm('a=1&'.repeat(n - 1) + 'a=1');
  expect(count(MAX_FORM_FIELDS).size).toBe(MAX_FORM_FIELDS);
  expect(() => count(MAX_FORM_FIELDS + 1)).toThrow('shape C');
  // A refused form is not taken apart: its work is that of counting.
  const refused = await countWork(() => expect(() => parseForm('a&'.repeat(500_000))).toThrow());
  expect(refused).toBeLessThan(5 * MAX_FORM_FIELDS);
});
