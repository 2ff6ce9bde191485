/** What a service said when it refused would be lost, or tell a secret (SPEC SEC-F20). */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { readFailedRun } from '../../src/engine/runs/ledger/read/failed-run.ts';
import { END, START, chain, edge, http, node, transform, workflow } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { deploy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { recordedSteps, stepsOf, toolCallsOf } from '../support/records.ts';
import { storeCredential } from '../support/stored-credential.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel({
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  }));
});
afterAll(() => engine.close());

/** The address of a service that answers every call so. */
const refusing = (body: JsonObject, status = 422): string =>
  recorder.url(randomUUID(), { status, reply: JSON.stringify(body) });
const RESPONSE = {
  status: 422,
  headers: expect.objectContaining({ 'content-type': 'application/json' }) as JsonObject,
  data: { error: 'unknown channel', line: 3 },
  truncated: false,
};
const BODY = RESPONSE.data;

test('templates, the step and the frame have the response; an attempt has its status alone', async () => {
  const post = http('post', refusing(BODY));
  const played = await engine.play(
    workflow(
      [post, transform('tell', { why: '{{post.error.response.data.error}}', was: '{{post.error.status}}' })],
      [edge(START, 'post'), edge('post', 'tell', 'error'), edge('post', END), edge('tell', END)],
    ),
  );
  expect(played.output).toEqual({ why: 'unknown channel', was: 422 });
  const [step] = await recordedSteps(engine.db, played.accepted.runPk);
  expect(step?.error).toMatchObject({ message: 'The server responded with HTTP 422', response: RESPONSE });
  expect(step?.attempts).toMatchObject([{ error: { status: 422 } }]);
  expect(JSON.stringify(step?.attempts)).not.toContain('unknown channel');
  expect(played.of('node_failed', 'post')[0]).toMatchObject({ error: { status: 422, response: RESPONSE } });
});

test('a retried attempt tells what the service said', async () => {
  const flaky = recorder.url(randomUUID(), { fail: 1, status: 503 });
  const retry = { max_attempts: 2, initial_interval_ms: 1 };
  const played = await engine.play(chain(http('get', flaky, { method: 'GET' }, { retry })));
  expect(played.of('node_retry', 'get')[0]).toMatchObject({
    error: { response: { status: 503, data: { error: 'scripted', number: 1 } } },
  });
});

test('a body beyond 64 KiB is the beginning of its text, and the list of steps leaves it out', async () => {
  const url = recorder.url(randomUUID(), { status: 422, size: 100_000 });
  const played = await engine.play(chain(http('post', url)));
  const [step] = await stepsOf(engine.db, played.accepted.runPk, 'post');
  const response = step?.error?.['response'] as { data: string; truncated: boolean } | undefined;
  expect(response?.truncated).toBe(true);
  expect(response?.data.slice(0, 7)).toBe('{"tag":');
  expect(response?.data.length).toBeLessThan(65_536);
  const [listed] = await recordedSteps(engine.db, played.accepted.runPk);
  expect(listed).toMatchObject({ output: null, output_truncated: true, error: { status: 422 } });
  expect(listed?.error).not.toHaveProperty('response');
});

test('a frame without room for the body has the status', async () => {
  const url = recorder.url(randomUUID(), { status: 422, size: 65_400 });
  const played = await engine.play(chain(http('post', url)));
  const frame = played.of('node_failed', 'post')[0]?.['error'];
  expect(frame).toMatchObject({ response: { status: 422, data: null, truncated: true } });
  const [step] = await stepsOf(engine.db, played.accepted.runPk, 'post');
  expect(step?.error).toMatchObject({ response: { truncated: false } });
});

test('items of a map keep the response, and so does the node that one of them fails', async () => {
  const item = (onItemError: string): JsonObject =>
    http('post', refusing(BODY), {}, { for_each: { items: '{{input.rows}}', on_item_error: onItemError } });
  const kept = await engine.play(chain(item('continue')), { rows: [1, 2] });
  const failure = { code: 'http_error', status: 422, response: RESPONSE };
  expect(kept.output).toMatchObject({ errors: [{ error: failure }, { index: 1, error: failure }] });
  const failed = await engine.play(chain(item('fail')), { rows: [1] });
  const [step] = await stepsOf(engine.db, failed.accepted.runPk, 'post');
  expect(step?.error).toMatchObject({ ...failure, message: 'Item 0: The server responded with HTTP 422' });
});

test('the responses of many items are bounded together', async () => {
  const url = recorder.url(randomUUID(), { status: 422, size: 60_000 });
  const rows = Array.from({ length: 30 }, (_, at) => at);
  const each = { items: '{{input.rows}}', on_item_error: 'continue', max_concurrency: 10 };
  const played = await engine.play(chain(http('get', url, { method: 'GET' }, { for_each: each })), { rows });
  const { errors } = played.output as { errors: { error: { response: JsonObject } }[] };
  expect(errors).toHaveLength(30);
  expect(errors[0]?.error.response).toMatchObject({ status: 422, truncated: false });
  expect(errors[29]?.error.response).toEqual({ status: 422, headers: {}, data: null, truncated: true });
});

test('a sub-workflow hands on what its service said, and the error workflow gets it', async () => {
  const child = await deploy(engine, chain(http('post', refusing(BODY))));
  const failed = await engine.play(chain(node('sub', 'tool', { kind: 'workflow', workflow_id: child })));
  const { runPk } = failed.accepted;
  const [step] = await stepsOf(engine.db, runPk, 'sub');
  expect(step?.error).toMatchObject({ code: 'http_error', status: 422, response: RESPONSE });
  const { db, organizationId } = engine;
  await db.query('UPDATE workflows SET error_workflow_id = id WHERE id = $1', [child]);
  await db.query('UPDATE runs SET workflow_id = $2 WHERE id = $1', [runPk, child]);
  const run = await readFailedRun(db, { organizationId, runPk });
  expect(run?.facts).toMatchObject({ error: { code: 'http_error', node_id: 'sub', response: RESPONSE } });
});

test('the model of an agent reads what the service said', async () => {
  model.script({ toolCalls: [{ id: 'c1', name: 'ask', arguments: {} }] }, { text: ['No such channel.'] });
  const tools = [{ kind: 'http', name: 'ask', method: 'POST', url: refusing(BODY) }];
  const messages = [{ role: 'user', content: 'Post it' }];
  const played = await engine.play(
    chain(node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools })),
  );
  const response = { status: 422, data: BODY, truncated: false };
  expect(toolCallsOf(played)).toMatchObject([{ error: { code: 'http_error', response } }]);
  expect(JSON.stringify(model.requests.at(-1))).toContain('unknown channel');
});

test('the secret of a credential that a service echoes is struck out', async () => {
  const secret = `CANARY-${randomUUID()}`;
  const credential = await storeCredential(
    engine,
    'http',
    'bearer',
    { access_token: secret },
    { hosts: [recorder.hostPort] },
  );
  const url = recorder.url(randomUUID(), { status: 403, reply: JSON.stringify({ error: `No: ${secret}` }) });
  const played = await engine.play(chain(http('post', url, { credential_id: credential })));
  const [step] = await stepsOf(engine.db, played.accepted.runPk, 'post');
  expect(step?.error).toMatchObject({ response: { data: { error: 'No: ***' } } });
  expect(JSON.stringify(played.frames)).not.toContain(secret);
});

test('the request stands in a failed step as in a good one', async () => {
  const token = `CANARY-${randomUUID()}`;
  const url = recorder.url(randomUUID(), { status: 403, reply: JSON.stringify({ error: `No: ${token}` }) });
  const headers = { authorization: `Bearer ${token}` };
  const played = await engine.play(chain(http('post', url, { headers, body: { n: '{{input.n}}' } })), {
    n: 1,
  });
  const [step] = await stepsOf(engine.db, played.accepted.runPk, 'post');
  expect(step?.input).toMatchObject({ method: 'POST', headers: { authorization: '***' }, body: { n: 1 } });
  // The token is in the definition, where its author has written it, and the service has echoed it.
  expect(step?.error).toMatchObject({ response: { data: { error: 'No: ***' } } });
});

test('a step has the request that was not answered, and the prompt of a model that failed', async () => {
  const slow = http(
    'slow',
    recorder.url(randomUUID(), { delay_ms: 5_000 }),
    { body: { n: 2 } },
    { timeout_ms: 100 },
  );
  const timedOut = await engine.play(chain(slow));
  const [step] = await stepsOf(engine.db, timedOut.accepted.runPk, 'slow');
  expect(step).toMatchObject({ status: 'failed', input: { method: 'POST', body: { n: 2 } } });
  model.script({ status: 400 });
  const ask = { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] };
  const [llm, agent] = await Promise.all(
    ['llm', 'agent'].map((type) =>
      engine.play(chain(node('ask', type, ask, { retry: { max_attempts: 1 } }))),
    ),
  );
  for (const played of [llm, agent]) {
    const [failed] = await stepsOf(engine.db, played!.accepted.runPk, 'ask');
    expect(failed).toMatchObject({ status: 'failed', input: { messages: ask.messages } });
  }
});

test('an answer that says error with status 200 takes the error edge, also in a tool of an agent', async () => {
  const says = recorder.url(randomUUID(), {
    reply: JSON.stringify({ ok: false, error: 'channel_not_found' }),
  });
  const rules = [{ left: '{{response.data.ok}}', op: 'is_false' }];
  const config = { fail_when: { rules, code: 'slack_error', message: 'Slack: {{response.data.error}}' } };
  const played = await engine.play(
    workflow(
      [
        http('post', says, config),
        transform('tell', { code: '{{post.error.code}}', why: '{{post.error.message}}' }),
      ],
      [edge(START, 'post'), edge('post', 'tell', 'error'), edge('post', END), edge('tell', END)],
    ),
  );
  expect(played.output).toEqual({ code: 'slack_error', why: 'Slack: channel_not_found' });
  model.script({ toolCalls: [{ id: 'c1', name: 'ask', arguments: {} }] }, { text: ['No.'] });
  const tools = [{ kind: 'http', name: 'ask', method: 'POST', url: says, ...config }];
  const messages = [{ role: 'user', content: 'Post it' }];
  const agent = await engine.play(
    chain(node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools })),
  );
  expect(toolCallsOf(agent)).toMatchObject([{ error: { code: 'slack_error', response: { status: 200 } } }]);
});

test('a POST whose answer says that nothing was done is sent again', async () => {
  const name = randomUUID();
  const url = recorder.url(name, { fail: 1, status: 409 });
  const retry = { initial_interval_ms: 1, max_interval_ms: 1 };
  const rules = [{ left: '{{response.data.error}}', op: 'eq', right: 'scripted' }];
  const played = await engine.play(chain(http('post', url, { retry_when: rules }, { retry })));
  expect(played.output).toMatchObject({ status: 200 });
  expect(recorder.calls(name)).toHaveLength(2);
});
