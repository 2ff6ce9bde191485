/**
 * A secret of a credential would reach a log, a record or another host than its own (SPEC SEC-F10, SEC-Z01,
 * SRV-credentials).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { encryptionCodec } from '../../temporal/codec/payload-codec.ts';
import { chain, http, node } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import { startedExecution } from '../support/executions.ts';
import { payloadsIn } from '../support/histories.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { closedAs, workflowIdOf } from '../support/journeys.ts';
import { startMcpServer, type McpServer } from '../support/mcp-server.ts';
import { storeCredential } from '../support/stored-credential.ts';
import { sink, type Sink } from '../platform/outbound/support.ts';

const SECRET = `CANARY-${randomUUID()}`;
const KEYS = `k1:${randomBytes(32).toString('base64')}`;

let recorder: HttpRecorder;
let provider: Sink;
let mcp: McpServer;
let engine: TestEngine;
beforeAll(async () => {
  provider = await sink();
  mcp = await startMcpServer([
    {
      name: 'echo',
      answer: (args) => ({ content: [{ type: 'text', text: JSON.stringify([args, SECRET]) }] }),
    },
  ]);
  ({ engine, recorder } = await startEngineWithRecorder({
    OUTBOUND_ALLOW: `127.0.0.1:${provider.port},${mcp.hostPort}`,
    ENCRYPTION_KEYS: KEYS,
  }));
});
afterAll(async () => {
  await engine.close();
  await Promise.all([provider.close(), mcp.close()]);
});

const store = (
  integration: string,
  authType: string,
  data: JsonObject,
  more: { hosts?: readonly string[]; organizationId?: string } = {},
): Promise<string> => storeCredential(engine, integration, authType, data, more);

/** Everything that a run leaves in PostgreSQL and in Temporal, as text. */
async function traces(played: Played): Promise<string> {
  const { runPk } = played.accepted;
  // What Temporal has of the last step is there once the execution is over.
  await closedAs(engine, played.accepted);
  const tables = await Promise.all(
    [
      'runs',
      'run_events',
      'run_steps',
      'run_fields',
      'run_advances',
      'thread_messages',
      'chats',
      'outbox',
    ].map((table) => engine.db.query(`SELECT row_to_json(t)::text AS row FROM ${table} t`)),
  );
  const connection = await Connection.connect({ address: engine.config.temporal.address });
  const { temporal } = engine.config;
  const client = new Client({ connection, namespace: temporal.namespace });
  const execution = await startedExecution(client, workflowIdOf(engine, played.accepted));
  const history = await execution.fetchHistory();
  await connection.close();
  expect(JSON.stringify(tables)).toContain(runPk);
  const [key, ...others] = engine.config.encryptionKeys;
  if (key === undefined) throw new Error('the payloads are meant to be encrypted');
  const found = await encryptionCodec([key, ...others]).decode(payloadsIn(history));
  expect(found.length).toBeGreaterThan(3);
  const texts = found.map(({ data }) => Buffer.from(data ?? []).toString('utf8'));
  // Failures and search attributes are not payloads: the history as it is, too.
  return [JSON.stringify(tables), ...texts, JSON.stringify(history)].join('\n');
}

const llm = (config: JsonObject): JsonObject =>
  node('ask', 'llm', {
    provider: 'openai',
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    ...config,
  });

test('a model call goes to the base of the account with its key, is marked byok, and leaves no trace of the key', async () => {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  // A provider that says the key, in pieces.
  provider.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const usage = {
      id: 'c',
      created: 1,
      model: 'm',
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    };
    response.end(
      [
        chunk({ content: `it is ${SECRET.slice(0, 9)}` }),
        chunk({ content: `${SECRET.slice(9)}, yes` }),
        chunk({}, 'stop'),
        `data: ${JSON.stringify(usage)}\n\n`,
        'data: [DONE]\n\n',
      ].join(''),
    );
  };
  const id = await store('openai', 'api_key', { api_key: SECRET, base_url: `${provider.base}/v1` });
  const played = await engine.play(chain(llm({ credential_id: id, memory: { mode: 'thread' } })));
  expect(played.error).toBeNull();
  expect(provider.heard.at(-1)).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${SECRET}` },
  });
  expect(played.output).toMatchObject({ content: 'it is ***, yes' });
  expect(played.of('node_completed', 'ask')[0]?.['usage']).toMatchObject({ total_tokens: 5, byok: true });
  const said = played
    .of('token', 'ask')
    .map((frame) => frame['delta'])
    .join('');
  expect(said).toBe('it is ***, yes');
  expect((await traces(played)).includes(SECRET)).toBe(false);
});

test('a service that echoes what it was sent leaves no trace either', async () => {
  const tag = randomUUID();
  const id = await store('http', 'bearer', { access_token: SECRET }, { hosts: [recorder.hostPort] });
  const reply = JSON.stringify({ echo: SECRET, [SECRET]: 1 });
  const played = await engine.play(
    chain(http('send', recorder.url(tag, { reply }), { credential_id: id, body: { a: 1 } })),
  );
  expect(recorder.calls(tag)[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  expect(played.output).toMatchObject({ data: { echo: '***', '***': 1 } });
  expect((await traces(played)).includes(SECRET)).toBe(false);
});

test.each([
  [
    'basic',
    { username: 'u', password: SECRET },
    'authorization',
    `Basic ${Buffer.from(`u:${SECRET}`).toString('base64')}`,
  ],
  ['api_key', { api_key: SECRET, header_name: 'X-Token' }, 'x-token', SECRET],
])('an HTTP account of type %s is placed where it belongs', async (authType, data, name, value) => {
  const tag = randomUUID();
  const id = await store('http', authType, data, { hosts: [recorder.hostPort] });
  const played = await engine.play(chain(http('send', recorder.url(tag), { credential_id: id })));
  expect(played.error).toBeNull();
  expect(recorder.calls(tag)[0]?.headers[name]).toBe(value);
});

test('a credential is not sent to a host that it does not name', async () => {
  const tag = randomUUID();
  const id = await store('http', 'bearer', { access_token: SECRET }, { hosts: ['api.example.com'] });
  const played = await engine.play(chain(http('send', recorder.url(tag), { credential_id: id })));
  expect(played.error).toMatchObject({ code: 'credential_host_not_allowed', node_id: 'send' });
  expect(recorder.calls(tag)).toEqual([]);
});

test('SEC-F10: a redirect to another origin goes without the credential, even to a host that it names', async () => {
  const tag = randomUUID();
  provider.answer = (_, response) => response.writeHead(307, { location: recorder.url(tag) }).end();
  const hosts = [recorder.hostPort, `127.0.0.1:${provider.port}`];
  const id = await store('http', 'bearer', { access_token: SECRET }, { hosts });
  const played = await engine.play(
    chain(http('send', `${provider.base}/start`, { credential_id: id, method: 'GET' })),
  );
  expect(played.error).toBeNull();
  expect(provider.heard.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  expect(recorder.calls(tag)[0]?.headers.authorization).toBeUndefined();
});

test('SEC-T16: a credential of another organization is not found at run time, and not decrypted', async () => {
  const [other] = await engine.db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Other', $1) RETURNING id`,
    [randomUUID()],
  );
  const id = await store(
    'openai',
    'api_key',
    { api_key: SECRET, base_url: `${provider.base}/v1` },
    {
      organizationId: other?.id ?? '',
    },
  );
  const before = provider.heard.length;
  const played = await engine.play(chain(llm({ credential_id: id })));
  expect(played.error).toMatchObject({ code: 'credential_not_found', node_id: 'ask' });
  expect(provider.heard).toHaveLength(before);
});

test('an account of another service is no model account', async () => {
  const id = await store('github', 'bearer', { access_token: SECRET, base_url: provider.base });
  expect((await engine.play(chain(llm({ credential_id: id })))).error).toMatchObject({
    code: 'credential_not_usable',
  });
});

test.each([
  [`status = 'revoked'`, 'credential_revoked'],
  [`expires_at = now() - interval '1 second'`, 'credential_expired'],
  [`key_id = 'gone'`, 'credential_unreadable'],
])('with %s the node fails with %s', async (change, code) => {
  const tag = randomUUID();
  const id = await store('http', 'bearer', { access_token: SECRET }, { hosts: [recorder.hostPort] });
  await engine.db.query(`UPDATE credentials SET ${change} WHERE id = $1`, [id]);
  const played = await engine.play(chain(http('send', recorder.url(tag), { credential_id: id })));
  expect(played.error).toMatchObject({ code });
  expect(recorder.calls(tag)).toEqual([]);
});

test('an integration sends what its template says, to the base of its account', async () => {
  const tag = randomUUID();
  const id = await store('github', 'bearer', { access_token: SECRET, base_url: `${recorder.origin}/${tag}` });
  const played = await engine.play(
    chain(
      node('open', 'tool', {
        kind: 'integration',
        integration: 'github',
        action: 'create_issue',
        credential_id: id,
        parameters: { owner: 'acme', repo: 'app', title: '{{input.title}}' },
      }),
    ),
    { title: 'Broken' },
  );
  expect(played.error).toBeNull();
  const [call] = recorder.calls(tag);
  expect(call).toMatchObject({ method: 'POST', body: { title: 'Broken' } });
  expect(call?.headers.authorization).toBe(`Bearer ${SECRET}`);
  expect((await traces(played)).includes(SECRET)).toBe(false);
});

test('a service that quotes the secret in its refusal is quoted without it', async () => {
  provider.answer = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error: `invalid_auth ${SECRET}` }));
  const id = await store('slack', 'bearer', { access_token: SECRET, base_url: provider.base });
  const parameters = { channel: '#a', text: 'x' };
  const send = {
    kind: 'integration',
    integration: 'slack',
    action: 'send_message',
    credential_id: id,
    parameters,
  };
  const played = await engine.play(chain(node('send', 'tool', send)));
  expect(played.error).toMatchObject({
    code: 'integration_error',
    message: 'The service returned an error: invalid_auth ***',
  });
  expect((await traces(played)).includes(SECRET)).toBe(false);
});

test('a tool of an MCP server is called with the account, and what it tells is scrubbed', async () => {
  const id = await store('mcp', 'bearer', { access_token: SECRET, server_url: mcp.url });
  const played = await engine.play(
    chain(
      node('call', 'tool', { kind: 'mcp', tool: 'echo', arguments: { a: '{{input.a}}' }, credential_id: id }),
    ),
    { a: [1] },
  );
  expect(played.error).toBeNull();
  expect(played.output).toMatchObject({ data: [{ type: 'text', text: '[{"a":[1]},"***"]' }] });
  expect(mcp.heard.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  expect((await traces(played)).includes(SECRET)).toBe(false);
});
