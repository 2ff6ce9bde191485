/**
 * If this failed, one request to a door beside those of plain bodies would hold a process: protocols of others, uploads, headers, files of
 * the command line. The counter is imported first, since it counts the blocks of code that is loaded after it.
 */
import { countWork } from './count-work.ts';
import type { Context } from 'koa';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ByteBudget } from '../../../src/base/shares/byte-budget.ts';
import { buildInput, readItems, readMessages } from '../../../src/features/openai/conversation.ts';
import { readChatSettings, readResponseSettings } from '../../../src/features/openai/model-settings.ts';
import { chatRequest, responseRequest } from '../../../src/features/openai/schema.ts';
import { readArguments } from '../../../src/features/mcp/arguments.ts';
import { toTools, type WorkflowTool } from '../../../src/features/mcp/tools.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { findCodeProblem } from '../../../src/language/nodes/javascript.ts';
import { TrustedProxies } from '../../../src/platform/access/client-address.ts';
import { readRunDepth } from '../../../src/platform/access/run-depth.ts';
import { readJson } from '../../../src/platform/http/body.ts';
import { parseHookRequest } from '../../../src/features/hooks/hook-request.ts';
import { UNVERIFIED } from '../../../src/features/hooks/verification.ts';
import type { DataJob } from '../../../src/features/data/jobs.ts';
import { PartWriter } from '../../../src/features/data/part-writer.ts';
import type { Sql } from '../../../src/base/db/client.ts';
import { readCredential } from '../../../src/platform/access/credential.ts';
import { PARSING, toIssues } from '../../../src/platform/http/issues.ts';
import { readMultipart, UPLOAD_SHARES } from '../../../src/platform/http/multipart.ts';
import { warnOfUnknownFields } from '../../../src/platform/http/unknown-fields.ts';
import { locateProblems, parseWorkflowFile } from '../../../src/surfaces/cli/definition-files.ts';
import { fields, times } from './shapes.ts';

/** Conversations in their worst shapes, of a size. */
const MESSAGES: Readonly<Record<string, (n: number) => JsonObject[]>> = {
  'many messages': (n) => times(n, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'a' })),
  'one message of many parts': (n) => [
    { role: 'user', content: times(n, () => ({ type: 'text', text: 'a' })) },
  ],
  'many parts, the last of which is no text': (n) => [
    { role: 'user', content: [...times(n, () => ({ type: 'text', text: 'a' })), { type: 'image_url' }] },
    { role: 'user', content: 'a' },
  ],
  'one message of many fields': (n) => [{ role: 'user', content: 'a', ...fields(n, () => 1) }],
  'the only text first': (n) => [
    { role: 'user', content: 'a' },
    ...times(n, () => ({ role: 'tool', content: null })),
  ],
};
const TAKES = { takes: { messages: true, text: 'message' } };

/** Takes a request as the OpenAI door does: checked, told of unknown fields, then built into an input. */
function take<T extends typeof chatRequest | typeof responseRequest>(
  request: T,
  body: JsonObject,
  build: (read: z.output<T>) => void,
): void {
  const read = request.safeParse(body, PARSING);
  warnOfUnknownFields(request, body, undefined);
  if (read.success) build(read.data as z.output<T>);
  else toIssues(read.error, 'body', request);
}
const chat = (messages: JsonObject[], more: JsonObject = {}): void =>
  take(chatRequest, { model: 'm', messages, ...more }, (read) => {
    readChatSettings(read);
    buildInput(TAKES, readMessages(read.messages), 'messages');
  });
const respond = (input: JsonObject[], more: JsonObject = {}): void =>
  take(responseRequest, { model: 'm', input, ...more }, (read) => {
    readResponseSettings(read);
    buildInput(TAKES, readItems(read.input, null), 'input');
  });
const user = { role: 'user', content: 'a' };

/** A tool whose workflow declares parameters. */
function tool(parameters: JsonObject[]): WorkflowTool {
  const offered = {
    workflow_id: 'w',
    name: 'n',
    description: '',
    mcp: {},
    input_parameters: parameters,
    input: {},
  };
  return toTools([offered as never])[0]!;
}
const parameters = (n: number, required: boolean): JsonObject[] =>
  times(n, (at) => ({ name: `k${at}`, type: 'string', required }));

function upload(parts: readonly string[], boundary = 'b'): Promise<unknown> {
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  const request = Object.assign(new PassThrough({ highWaterMark: 64 * 1024 }), { headers: {} });
  const type = `multipart/form-data; boundary=${boundary}`;
  const get = (name: string): string => (name === 'Content-Type' ? type : '');
  request.end(body);
  const lease = new ByteBudget(UPLOAD_SHARES).open('one');
  return readMultipart({ req: request, get } as unknown as Context, lease, 25 * 1024 * 1024);
}
const field = (name: string, value: string): string =>
  `content-disposition: form-data; name="${name}"\r\n\r\n${value}`;
const file = (bytes: string): string =>
  `content-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n${bytes}`;

function readFile(path: string, text: string): void {
  const read = parseWorkflowFile(path, text);
  const problem = { severity: 'error', code: 'c', message: 'm', path: ['nodes', 0] };
  locateProblems(read, times(100, () => problem) as never);
}
/** Code of a function in its worst shapes, of a size. */
const CODE: Readonly<Record<string, (n: number) => string>> = {
  'one name of a group in many branches': (n) => `/${'(?<a>x)|'.repeat(n)}x/`,
  'one name of a group on both sides of deep branches': (n) => {
    const side = `${'(?:x|'.repeat(14)}${'(?<a>x)|'.repeat(n / 2)}x${')'.repeat(14)}`;
    return `/${side}|${side}/`;
  },
  'many names of groups, all referenced': (n) =>
    `/${times(n, (at) => `(?<a${at}>x)`).join('')}${times(n, (at) => `\\k<a${at}>`).join('')}/`,
  'groups that stay open': (n) => `/${'('.repeat(n)}/`,
  'a class of many ranges': (n) => `/[${'a-z'.repeat(n)}]/v`,
  'classes in a class': (n) => `/[${'[a--b]'.repeat(n)}]/v`,
  'many expressions': (n) => `[${'/a/,'.repeat(n)}]`,
  'variables in nested blocks': (n) => `{${'{'.repeat(14)}${'var a;'.repeat(n)}${'}'.repeat(14)}}`,
  'variables in blocks that are nested as deep as there are': (n) =>
    `{${'{'.repeat(n)}${'var a;'.repeat(n)}${'}'.repeat(n)}}`,
  'many variables': (n) => `{${times(n, (at) => `let a${at};`).join('')}}`,
  'many private names': (n) =>
    `class{${times(n, (at) => `f${at}(){this.#a${at}}`).join('')}${times(n, (at) => `#a${at};`).join('')}}`,
  'lists in each other': (n) => '['.repeat(n) + ']'.repeat(n),
  'what may be parameters, in each other': (n) => `${'(a='.repeat(n / 10)}1${')'.repeat(n / 10)}`,
  'a damaged end behind many lines': (n) => `${'1;\n'.repeat(n)})`,
};

const yaml = (n: number): string => `nodes:\n${'- id: a\n'.repeat(n)}edges: []\n`;

/** Values of a header in their worst shapes, of a size. */
const HEADERS: Readonly<Record<string, (n: number) => string>> = {
  'one long word': (n) => 'a'.repeat(n),
  blanks: (n) => `a${' '.repeat(n)}a`,
  'an endless list': (n) => 'a, '.repeat(n),
  'addresses of trusted proxies': (n) => '127.0.0.1, '.repeat(n),
  'a list of parameters': (n) => `application/json${';a=b'.repeat(n)}`,
  'blanks around equals signs': (n) => `multipart/form-data;${'boundary = '.repeat(n)}`,
  'quotes that stay open': (n) => `application/json; charset="${'"'.repeat(n)}`,
  'digits and dots': (n) => '1.'.repeat(n),
  'many cookies': (n) => 'a=b; '.repeat(n),
};
const PROXIES = new TrustedProxies([{ address: '127.0.0.0', bits: 8 }]);

/** Reads a value as each header that the service reads, of a request to any route and to those that read more. */
async function readHeaders(value: string): Promise<void> {
  const names = [
    'x-forwarded-for',
    'x-forwarded-proto',
    'cookie',
    'x-api-key',
    'idempotency-key',
    'x-run-depth',
  ];
  const headers = Object.fromEntries(names.map((name) => [name, value]));
  PROXIES.findClient('127.0.0.1', headers);
  readCredential(headers);
  readRunDepth('secret', value, 0);
  const lease = new ByteBudget(UPLOAD_SHARES).open('one');
  for (const name of ['Content-Type', 'Content-Encoding']) {
    const body = Object.assign(new PassThrough(), { headers: {} });
    body.end('{}');
    const get = (wanted: string): string => (wanted === name ? value : '');
    const ctx = { req: body, get } as unknown as Context;
    await readJson(ctx, lease, false).catch(() => undefined);
  }
  await parseHookRequest(
    {
      method: 'POST',
      headers: { ...headers, 'content-type': value },
      query: new URLSearchParams(),
      body: Buffer.from('{}'),
    },
    UNVERIFIED,
  ).catch(() => undefined);
}

/** Writes rows as an export does, into no table. */
async function writeExport(rows: readonly string[]): Promise<void> {
  const sql = { query: async () => [] } as unknown as Sql;
  const writer = new PartWriter(sql, { id: 'job', parts: 0, bytes: 0 } as DataJob);
  for (const row of rows) await writer.write('runs', row);
  await writer.flush();
}

/** What a door does with its worst input of a size. */
const DOORS: Readonly<Record<string, (n: number) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(MESSAGES).flatMap(([shape, make]) => [
      [`a chat completion: ${shape}`, (n: number) => chat(make(n))],
      [`a response: ${shape}`, (n: number) => respond(make(n))],
    ]),
  ),
  'a chat completion: many unknown parameters': (n) =>
    chat(
      [user],
      fields(n, () => 1),
    ),
  'a chat completion: much metadata': (n) => chat([user], { metadata: fields(n, () => 'a') }),
  'a chat completion: messages that are none': (n) => chat(times(n, () => 1) as never),
  'a chat completion: a wide schema of the answer': (n) =>
    chat([user], {
      response_format: {
        type: 'json_schema',
        json_schema: { schema: { properties: fields(n, () => ({})) } },
      },
    }),
  'a response: much metadata': (n) => respond([user], { metadata: fields(n, () => 1) }),
  'arguments of MCP: all that are declared': (n) =>
    readArguments(
      tool(parameters(n, true)),
      fields(n, () => 'a'),
    ),
  'arguments of MCP: null for each': (n) =>
    readArguments(
      tool(parameters(n, true)),
      fields(n, () => null),
    ),
  'arguments of MCP: null for each that is optional': (n) =>
    readArguments(
      tool(parameters(n, false)),
      fields(n, () => null),
    ),
  'arguments of MCP: others than are declared': (n) =>
    readArguments(tool(parameters(n, true)), Object.fromEntries(times(n, (at) => [`x${at}`, 'a']))),
  'arguments of MCP: of another type': (n) =>
    readArguments(
      tool(parameters(n, true)),
      fields(n, () => 1),
    ),
  'a tool of MCP: one name, repeated': (n) => tool(times(n, () => ({ name: 'a', required: true }))),
  ...Object.fromEntries(
    Object.entries(CODE).map(([shape, write]) => [
      `code of a function: ${shape}`,
      (n: number) => findCodeProblem(`export default () => ${write(n)}`),
    ]),
  ),
  'an upload: a long file': (n) => upload([file('a'.repeat(20 * n))]),
  'an upload: beginnings of a boundary in the file': (n) =>
    upload([file(`\r\n--${'b'.repeat(59)}`.repeat(n / 4))], 'b'.repeat(60)),
  'an upload: a long field': (n) => upload([field('a', 'é'.repeat(n)), file('a')]),
  'an upload: many fields': (n) => upload([...times(n, (at) => field(`f${at}`, '1')), file('a')]),
  'an upload: one field, repeated': (n) => upload([...times(n, () => field('f', '1')), file('a')]),
  'an upload: many headers of a part': (n) =>
    upload([`${times(n, (at) => `x-${at}: 1\r\n`).join('')}${file('a')}`]),
  'an upload: a long name': (n) => upload([field('a'.repeat(n), '1'), file('a')]),
  ...Object.fromEntries(
    Object.entries(HEADERS).map(([shape, write]) => [
      `the headers of a request: ${shape}`,
      (n: number) => readHeaders(write(n)),
    ]),
  ),
  'the parts of an export': (n) => writeExport(times(n, () => '{"a":1}')),
  'the parts of an export: one long row': (n) => writeExport([`"${'a'.repeat(n)}"`]),
  'a credential: blanks before the token': (n) =>
    readCredential({ authorization: `Bearer ${' '.repeat(n)}a` }),
  'a credential: blanks alone': (n) => readCredential({ authorization: `Bearer${' '.repeat(n)}` }),
  'a file of the command line: many nodes in JSON': (n) =>
    readFile('a.json', JSON.stringify({ nodes: times(n, () => ({ id: 'a' })), edges: [] })),
  'a file of the command line: long numbers in JSON': (n) =>
    readFile(
      'a.json',
      `{"nodes":[],"edges":[],"metadata":{"a":[${times(n, () => '12345678901234567890').join()}]}}`,
    ),
  'a file of the command line: JSON with a damaged end': (n) =>
    readFile('a.json', `{"nodes":[${times(n, () => '{"id":\n"a"}').join()}`),
  'a file of the command line: many nodes in YAML': (n) => readFile('a.yaml', yaml(n / 4)),
  'a file of the command line: YAML with a damaged end': (n) => readFile('a.yaml', `${yaml(n / 4)}}`),
};

test('SEC-H08: an upload that is refused has one listener, however many parts are behind it', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): number => warnings.push(warning);
  process.on('warning', note);
  await expect(upload([...times(12, () => field('f', '1')), file('a')])).rejects.toThrow();
  // Warnings are told in a later turn.
  await new Promise((resolve) => void setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test.each(Object.entries(DOORS))(
  'SEC-H08: %s: twice as much takes at most twice the work',
  async (_, open) => {
    // The first call compiles what the others only run.
    await countWork(() => open(1_000));
    const [once, twice] = [await countWork(() => open(2_000)), await countWork(() => open(4_000))];
    expect(once).toBeGreaterThan(0);
    expect(twice / once).toBeLessThan(2.2);
  },
);
