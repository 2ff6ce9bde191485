/**
 * A secret of the service or of a tenant would be in a log, a metric, a table or a payload of Temporal (SPEC
 * SEC-Z01).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { findAnyPort } from '../../../src/processes/local/ports.ts';
import type { Answer, Call } from '../../support/api-server.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { chain, http, node } from '../../support/definitions.ts';
import { startEchoServer, type EchoServer } from '../../support/echo-server.ts';
import { EventStream } from '../../support/event-stream.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { Slot, startService, type Service } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { eventually } from '../../support/waiting.ts';
import { historiesOf, leaks, rowsOf } from './traces.ts';

const canary = (): string => `CANARY${randomBytes(18).toString('hex')}`;
/** Given by the operator. */
const OPERATORS = {
  api_key_secret: canary(),
  health_key: canary(),
  managed_key: canary(),
  database_password: canary(),
  stripe_key: canary(),
  stripe_webhook_secret: canary(),
  realtime_key: canary(),
  encryption_key: randomBytes(32).toString('base64'),
};
/** Given by tenants: into credentials. */
const TENANTS = {
  model: canary(),
  bearer: canary(),
  header: canary(),
  password: canary(),
  rotated: canary(),
};
/** Nobody's, but sent as if they were. */
const WRONG = { wrong_api_key: canary(), wrong_health_key: canary(), wrong_signature: canary() };
/** No secrets: they must be found where they belong, or the search would prove nothing. */
const INPUT = `marker-${randomUUID()}`;
const NAME = `Marker ${randomUUID()}`;
const ENCRYPTION_KEYS = `k1:${OPERATORS.encryption_key}`;

let database: TestDatabase;
let db: Db;
let echo: EchoServer;
let model: ModelServer;
let service: Service;
let realtime: Slot;
let logs: string;
const bodies: string[] = [];
const streams: string[] = [];

/** The same database for a user whose password is a canary. */
async function withPassword(url: string): Promise<string> {
  const role = `canary_${randomBytes(6).toString('hex')}`;
  await db.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD '${OPERATORS.database_password}'`);
  const own = new URL(url);
  own.username = role;
  own.password = OPERATORS.database_password;
  return own.href;
}

beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  [echo, model] = await Promise.all([startEchoServer(), startModelServer()]);
  const databaseUrl = await withPassword(database.url);
  const secrets = {
    API_KEY_SECRET: OPERATORS.api_key_secret,
    ENCRYPTION_KEYS,
    HEALTH_API_KEY: OPERATORS.health_key,
    REALTIME_ADMIN_API_KEY: OPERATORS.realtime_key,
    REALTIME_ADMIN_EMAIL: 'operator@example.com',
    STRIPE_SECRET_KEY: OPERATORS.stripe_key,
    STRIPE_WEBHOOK_SECRET: OPERATORS.stripe_webhook_secret,
    LOG_LEVEL: 'trace',
  };
  service = await startService({
    databaseUrl,
    temporalAddress: testTemporal().address,
    environment: {
      ...secrets,
      OUTBOUND_ALLOW: `${echo.hostPort},${model.hostPort}`,
      MANAGED_LLM_BASE_URL: model.baseUrl,
      MANAGED_LLM_API_KEY: OPERATORS.managed_key,
      MANAGED_LLM_MODEL: 'test-model',
    },
  });
  await db.query(`UPDATE organizations SET plan = 'enterprise'`);
  logs = mkdtempSync(join(tmpdir(), 'canaries-'));
  const port = await findAnyPort();
  realtime = new Slot({
    name: 'realtime',
    logs,
    entry: 'src/processes/serve-realtime.js',
    ready: 'the realtime server is listening',
    environment: {
      APP_ENV: 'test',
      DATABASE_URL: databaseUrl,
      REALTIME_PORT: String(port),
      APP_URL: 'http://app.example',
      ...secrets,
    },
  });
  await realtime.start();
  for (const path of [
    '/health',
    `/admin/stats?api_key=${OPERATORS.realtime_key}`,
    `/admin/stats?api_key=${WRONG.wrong_api_key}`,
  ]) {
    bodies.push(await (await fetch(`http://127.0.0.1:${port}${path}`)).text());
  }
});
afterAll(async () => {
  await realtime.kill();
  await service.close();
  await Promise.all([echo.close(), model.close()]);
  await db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'canary_%'`);
  await db.close();
  await database.drop();
  rmSync(logs, { recursive: true, force: true });
});

/** A request to one of the APIs; its answer is kept for the search. */
async function send(
  method: string,
  path: string,
  more: Pick<Call, 'body' | 'headers'> = {},
): Promise<Answer> {
  const answer = await service.call(service.apis[bodies.length % 2 === 0 ? 0 : 1], method, path, more);
  bodies.push(answer.text);
  return answer;
}

async function credential(
  integration: string,
  authType: string,
  data: JsonObject,
  allowedHosts?: string[],
): Promise<string> {
  const account = { name: 'x', integration, auth_type: authType, data };
  const body = { ...account, ...(allowedHosts === undefined ? {} : { allowed_hosts: allowedHosts }) };
  const made = await send('POST', '/credentials', { body });
  expect(made.status).toBe(201);
  return String(made.body.credential_id);
}

/** Reads a run to its end, then all that the API tells of it. */
async function follow(runId: string): Promise<string> {
  const stream = await EventStream.open(`${service.apis[0].url}/workflows/listen/${runId}`, {
    ...service.headers,
  });
  await stream.ended;
  streams.push(stream.lines.join('\n'));
  const { body } = await send('GET', '/workflow-runs?limit=100');
  const row = (body.runs as { id: string; run_id: string; status: string }[]).find(
    (run) => run.run_id === runId,
  );
  const record = await send('GET', `/workflow-runs/${row?.id}`);
  for (const step of record.body.steps as { step_id: string }[]) {
    await send('GET', `/workflow-runs/${row?.id}/steps/${step.step_id}`);
  }
  return row?.status ?? 'missing';
}

async function run(...nodes: JsonObject[]): Promise<string> {
  const workflow = { ...chain(...nodes), metadata: { name: NAME } };
  const { status, body, text } = await send('POST', '/workflows/run', {
    body: { workflow, input: { text: INPUT } },
  });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return follow(String(body.run_id));
}

const MESSAGES = [{ role: 'user', content: '{{input.text}}' }];
const llm = (more: JsonObject): JsonObject =>
  node('ask', 'llm', { provider: 'openai', model: 'm', messages: MESSAGES, ...more });

/** Runs that use each secret, succeed with an answer that says it back, and fail with one. */
async function runs(): Promise<void> {
  const [byok, refused] = await Promise.all([
    credential('openai', 'api_key', { api_key: TENANTS.model, base_url: model.baseUrl }),
    credential('openai', 'api_key', { api_key: TENANTS.model, base_url: `${echo.origin}/status/401/v1` }),
  ]);
  const hosts = [echo.hostPort];
  const bearer = await credential('http', 'bearer', { access_token: TENANTS.bearer }, hosts);
  const header = await credential(
    'http',
    'api_key',
    { api_key: TENANTS.header, header_name: 'X-Token' },
    hosts,
  );
  const basic = await credential('http', 'basic', { username: 'u', password: TENANTS.password }, hosts);

  model.script({
    text: [`your key is ${TENANTS.model.slice(0, 12)}`, `${TENANTS.model.slice(12)}, isn't it`],
  });
  expect(await run(llm({ credential_id: byok, memory: { mode: 'thread' } }))).toBe('succeeded');
  model.script({ text: [`and mine is ${OPERATORS.managed_key}`] });
  expect(await run(llm({ model: 'test-model' }))).toBe('succeeded');
  expect(await run(llm({ credential_id: refused }))).toBe('failed');
  for (const id of [bearer, header, basic]) {
    expect(
      await run(http('call', `${echo.origin}/ok`, { credential_id: id, body: { a: '{{input.text}}' } })),
    ).toBe('succeeded');
    expect(await run(http('call', `${echo.origin}/status/500`, { credential_id: id }))).toBe('failed');
  }
  model.script(
    { toolCalls: [{ id: 'c1', name: 'look', arguments: {} }] },
    { text: [`it says what I may not know, and my key is ${TENANTS.model}`] },
  );
  const look = {
    kind: 'http',
    name: 'look',
    description: 'x',
    method: 'POST',
    url: `${echo.origin}/ok`,
    credential_id: bearer,
    input_schema: { type: 'object' },
  };
  expect(
    await run(
      node('work', 'agent', {
        provider: 'openai',
        model: 'm',
        credential_id: byok,
        messages: MESSAGES,
        tools: [look],
      }),
    ),
  ).toBe('succeeded');

  // Rotated, tried, and used again; what it was before is gone as well.
  expect(
    (await send('PATCH', `/credentials/${bearer}`, { body: { data: { access_token: TENANTS.rotated } } }))
      .status,
  ).toBe(200);
  expect(await run(http('call', `${echo.origin}/status/403`, { credential_id: bearer }))).toBe('failed');
  await send('POST', `/credentials/${refused}/test`);
  for (const id of [byok, bearer, header, basic]) await send('GET', `/credentials/${id}`);
}

/** A run at a set time, by the same credential. */
async function schedule(): Promise<void> {
  const id = await credential('http', 'bearer', { access_token: TENANTS.bearer }, [echo.hostPort]);
  const definition = {
    ...chain(http('call', `${echo.origin}/status/500`, { credential_id: id })),
    metadata: { name: NAME },
  };
  const saved = await send('POST', '/workflows', { body: { name: NAME, workflow_schema: definition } });
  const workflowId = String(saved.body.id);
  await send('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  const planned = {
    workflow_id: workflowId,
    name: 'x',
    cron_expression: '0 0 1 1 *',
    input: { text: INPUT },
  };
  const made = await send('POST', '/schedules', { body: planned });
  expect(made.status).toBe(201);
  const path = `/schedules/${String(made.body.id)}`;
  await eventually('the schedule to be known to Temporal and fired', 60_000, async () => {
    const { status } = await send('POST', `${path}/trigger`);
    return status === 202 ? true : null;
  });
  const fired = await eventually('the run of the schedule', 60_000, async () => {
    const { body } = await send('GET', `${path}/runs`);
    return (body.runs as { run_id: string }[])[0]?.run_id;
  });
  expect(await follow(fired)).toBe('failed');
}

/** Requests that hold secrets where they do not belong, or wrong ones. */
async function mistakes(): Promise<void> {
  const { model: secret } = TENANTS;
  const wrongKey = { authorization: `Bearer svc_live_${WRONG.wrong_api_key}` };
  await send('GET', '/workflows', { headers: wrongKey });
  await send('GET', `/workflows?search=${secret}&api_key=${secret}`);
  await send('GET', `/credentials/${secret}`);
  await send('POST', '/credentials', {
    body: { name: 'x', integration: 'openai', auth_type: 'nope', data: { api_key: secret } },
  });
  await send('POST', '/credentials', {
    body: { name: 'x', integration: 'http', auth_type: 'bearer', data: { token: secret } },
  });
  await send('POST', '/credentials', {
    body: { name: 'x', integration: 'http', auth_type: 'bearer', data: secret },
  });
  await send('GET', '/system/health/oauth', { headers: { 'x-health-api-key': WRONG.wrong_health_key } });
  await send('GET', '/system/health/oauth', { headers: { 'x-health-api-key': OPERATORS.health_key } });
  await send('POST', '/webhooks/stripe', {
    headers: { 'stripe-signature': `t=1,v1=${WRONG.wrong_signature}` },
    body: {},
  });
}

test(
  'SEC-Z01, SEC-Z02: no secret is found in logs, streams, answers, rows, histories, metrics or documents',
  { timeout: 240_000 },
  async () => {
    const { body: made } = await service.call(service.apis[0], 'POST', '/api-keys', { body: { name: NAME } });
    const apiKey = String(made.key);
    const token = String(service.headers['authorization']).slice('Bearer '.length);
    expect((await send('GET', '/workflows', { headers: { authorization: `Bearer ${apiKey}` } })).status).toBe(
      200,
    );
    expect(
      (await send('GET', '/api-keys', { headers: { authorization: '', 'x-api-key': apiKey } })).status,
    ).toBe(200);
    await runs();
    await schedule();
    await mistakes();

    const metrics = await service.call(service.apis[0], 'GET', '/metrics', {
      headers: { 'x-health-api-key': OPERATORS.health_key },
    });
    const document = await service.call(service.apis[0], 'GET', '/openapi.json');
    const histories = await historiesOf(testTemporal().address, service.taskQueue, ENCRYPTION_KEYS);
    const processes = [...service.apis, ...service.workers, realtime];
    const places = {
      logs: processes.map((slot) => slot.said()).join('\n'),
      streams: streams.join('\n'),
      answers: bodies.join('\n'),
      rows: await rowsOf(db),
      'histories as Temporal has them': histories.closed,
      'histories opened': histories.opened,
      metrics: metrics.text,
      document: document.text,
    };

    // What must be there is: the search reads the right places, and the secrets were used.
    for (const slot of processes) expect([slot.name, slot.said().length > 0]).toEqual([slot.name, true]);
    expect(places.logs).toContain(service.organizationId);
    for (const place of ['streams', 'answers', 'rows'] as const)
      expect([place, places[place].includes(INPUT)]).toEqual([place, true]);
    expect(places['histories opened']).toContain(NAME);
    expect(metrics.text).toContain('http_request_duration_seconds');
    expect(document.text).toContain('/workflows/run');
    const heard = echo.said.join('\n') + JSON.stringify(model.requests.map((request) => request.headers));
    const { password, ...plain } = TENANTS;
    for (const secret of [...Object.values(plain), OPERATORS.managed_key]) expect(heard).toContain(secret);
    expect(heard).toContain(Buffer.from(`u:${password}`).toString('base64'));
    const planted = Buffer.from(`x${password}y`).toString('base64');
    expect(leaks({ password }, { here: planted, there: 'nothing' })).toEqual(['password in here']);

    const [, claims = '', signature = ''] = token.split('.');
    const secrets = {
      ...OPERATORS,
      ...TENANTS,
      ...WRONG,
      api_key: apiKey.slice('svc_live_'.length),
      claims,
      signature,
    };
    expect(leaks(secrets, places)).toEqual([]);
    // SPEC SEC-Z02: what is a name to the operator is nothing to Temporal's database.
    expect(places['histories as Temporal has them'].includes(NAME)).toBe(false);
  },
);
