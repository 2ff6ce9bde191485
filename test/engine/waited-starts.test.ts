/** If this fails, a client that waits for the result of its start gets a wrong one, none at all, or starts the run twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/graph/value.ts';
import { findAnyPort } from '../../src/local/ports.ts';
import { createApp } from '../../src/http/app.ts';
import { drain, listen } from '../../src/http/server.ts';
import { allRoutes } from '../../src/resources/tables.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';

let api: ApiServer;
let engine: TestEngine;
let recorder: HttpRecorder;
let server: Awaited<ReturnType<typeof listen>>;
let tenant: Tenant;
let url: string;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  api = await startApi();
  const port = await findAnyPort();
  url = `http://127.0.0.1:${port}`;
  engine = await startEngine({
    DATABASE_URL: api.deps.config.databaseUrl,
    OUTBOUND_ALLOW: recorder.hostPort,
  });
  // Temporal is real here: what this API accepts is run.
  const deps = { ...api.deps, engine: engine.engine, dispatcher: engine.dispatcher };
  server = await listen(createApp(deps, allRoutes()), '127.0.0.1', port);
  api.deps.feed.start();
  tenant = await api.tenant();
});
afterAll(async () => {
  await api.deps.feed.stop();
  await drain(server, 1_000);
  await engine.close();
  await api.close();
  await recorder.close();
});

interface Started {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: Headers;
}

async function start(
  workflow: JsonObject,
  more: JsonObject = {},
  headers: Record<string, string> = {},
): Promise<Started> {
  const answer = await fetch(`${url}/workflows/run`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tenant.token}`,
      'X-Organization-ID': tenant.org,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ workflow, ...more }),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject, headers: answer.headers };
}

const greet = (): JsonObject =>
  chain(node('greet', 'transformer', { mode: 'map', fields: { said: 'Hello {{input.name}}' } }));

// The waits are as long as a test may take: one that is not woken by the end of its run fails.
describe('a start with wait', () => {
  test('answers 200 with the output of the run', async () => {
    const { status, body, headers } = await start(greet(), { input: { name: 'Ada' }, wait: 60 });
    expect([status, body['status'], headers.get('Preference-Applied')]).toEqual([
      200,
      'completed',
      'wait=60',
    ]);
    expect(body['output']).toEqual({ said: 'Hello Ada' });
    expect(body).toMatchObject({ output_truncated: false, error: null, interrupts: [] });
  });

  test('reads the header Prefer of RFC 7240, among other preferences', async () => {
    const { status, body } = await start(
      greet(),
      { input: { name: 'Bob' } },
      { Prefer: 'return=representation, wait=60' },
    );
    expect([status, body['output']]).toEqual([200, { said: 'Hello Bob' }]);
  });

  test('answers 200 with the error of a run that fails', async () => {
    const failing = chain(http('call', recorder.url('failing', { status: 404 })));
    const { status, body } = await start(failing, { wait: 60 });
    expect([status, body['status'], body['output']]).toEqual([200, 'failed', null]);
    expect(body['error']).toMatchObject({ node_id: 'call' });
  });

  test('answers 200 with the open questions of a run that asks people', async () => {
    const asking = chain(
      node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions: [{ id: 'yes' }] }),
    );
    const { status, body } = await start(asking, { wait: 60 });
    expect([status, body['status']]).toEqual([200, 'interrupted']);
    expect(body['interrupts']).toEqual([{ interrupt_id: expect.any(String), node_id: 'ask' }]);
  });

  test('answers 202 with the start of a run that outlives the wait, and the run goes on', async () => {
    const asleep = chain(node('pause', 'interrupt', { kind: 'wait', duration_seconds: 4 }), greetNode());
    const { status, body } = await start(asleep, { input: { name: 'Eve' }, wait: 1 });
    expect([status, body['status']]).toEqual([202, 'running']);
    const readStatus = async (): Promise<unknown> => {
      const { runs } = (await tenant.call('GET', `/workflow-runs?run_id=${String(body['run_id'])}`)).body;
      return runs[0]?.status;
    };
    await expect.poll(readStatus).toBe('succeeded');
  });

  test('answers 200 as before without a wait', async () => {
    const { status, body } = await start(greet(), { input: { name: 'Ada' }, wait: 0 });
    expect([status, body['status'], body['output']]).toEqual([200, 'running', undefined]);
  });

  test('a retry with the same Idempotency-Key waits for the first run, whatever its own wait is', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await start(greet(), { input: { name: 'Ada' } }, key);
    const again = await start(greet(), { input: { name: 'Ada' }, wait: 60 }, key);
    expect(first.body['status']).toBe('running');
    expect(again.body).toMatchObject({ run_id: first.body['run_id'], status: 'completed' });
  });

  test.each([61, -1, 1.5, '30'])('refuses a wait of %s', async (wait) => {
    expect((await start(greet(), { wait })).status).toBe(422);
  });
});

describe('a webhook that answers with the result', () => {
  async function deploy(definition: JsonObject, response: JsonObject): Promise<string> {
    const body = { name: 'W', workflow_schema: definition };
    const workflowId = (await tenant.call('POST', '/workflows', { body })).body.id;
    await tenant.call('POST', `/workflows/${workflowId}/deploy`);
    const hook = { name: 'H', response };
    const made = await tenant.call('POST', `/workflows/${workflowId}/hooks`, { body: hook });
    return new URL(made.body.url).pathname;
  }
  const send = (path: string): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Ada' }),
    });

  test('sends the output of the run', async () => {
    const answer = await send(await deploy(greet(), { mode: 'result' }));
    expect([answer.status, await answer.json()]).toEqual([200, { said: 'Hello Ada' }]);
  });

  test('sends the status, the headers and the body that the hook says', async () => {
    const body = { reply: '{{output.said}}!' };
    const response = { mode: 'result', status: 201, headers: { 'X-Greeting': 'yes' }, body };
    const answer = await send(await deploy(greet(), response));
    expect([answer.status, answer.headers.get('x-greeting'), await answer.json()]).toEqual([
      201,
      'yes',
      { reply: 'Hello Ada!' },
    ]);
  });

  test('says 500 of a run that failed, and not why', async () => {
    const failing = chain(http('call', recorder.url('hooked', { status: 404 })));
    const answer = await send(await deploy(failing, { mode: 'result' }));
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { status: 'failed', run_id: expect.any(String) },
    ]);
  });

  test('says 202 of a run that asks people', async () => {
    const asking = chain(
      node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions: [{ id: 'yes' }] }),
    );
    const answer = await send(await deploy(asking, { mode: 'result' }));
    expect([answer.status, await answer.json()]).toMatchObject([202, { status: 'accepted' }]);
  });
});

function greetNode(): JsonObject {
  return node('greet', 'transformer', { mode: 'map', fields: { said: 'Hello {{input.name}}' } });
}

describe('a batch', () => {
  test('runs the live deployment once for each input, and each run ends with its own output', async () => {
    const workflowId = (
      await tenant.call('POST', '/workflows', { body: { name: 'W', workflow_schema: greet() } })
    ).body.id;
    await tenant.call('POST', `/workflows/${workflowId}/deploy`);
    const inputs = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}` }));
    const answer = await fetch(`${url}/workflows/run/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tenant.token}`,
        'X-Organization-ID': tenant.org,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ workflow_id: workflowId, inputs }),
    });
    const { runs } = (await answer.json()) as { runs: { run_id: string }[] };
    await expect
      .poll(async () => {
        const rows = await api.deps.db.query<{ said: string }>(
          `SELECT output->>'said' AS said FROM runs WHERE run_id = ANY($1::uuid[]) AND status = 'completed'
           ORDER BY array_position($1::uuid[], run_id)`,
          [runs.map(({ run_id }) => run_id)],
        );
        return rows.map(({ said }) => said);
      })
      .toEqual(inputs.map(({ name }) => `Hello ${name}`));
  });
});
