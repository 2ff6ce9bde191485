/** If this fails, a client that waits for the result of its start gets a wrong one, none at all, or starts the run twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { MAX_WEBHOOK_WAITS } from '../../src/engine/runs/stream/stream-semaphore.ts';
import { deployWorkflow, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';
import { startEngineWithRecorder, type EngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { serveEngine, type ServedEngine } from '../support/served-engine.ts';

let served: ServedEngine<EngineWithRecorder>;
let api: ApiServer;
let recorder: HttpRecorder;
let tenant: Tenant;
let url: string;
beforeAll(async () => {
  served = await serveEngine(startEngineWithRecorder);
  ({ api, tenant, url } = served);
  ({ recorder } = served.started);
});
afterAll(() => served.close());

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

/** Deploys a workflow with a webhook that answers so. @returns the path of its address */
async function deployHook(
  definition: JsonObject,
  response: JsonObject,
  more: JsonObject = {},
): Promise<string> {
  const workflowId = await served.deploy('W', definition);
  const hook = { name: 'H', response, ...more };
  const made = await tenant.call('POST', `/workflows/${workflowId}/hooks`, { body: hook });
  return new URL(made.body.url).pathname;
}
const send = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'Ada' }),
  });

describe('a webhook that answers with the result', () => {
  test('sends the output of the run', async () => {
    const answer = await send(await deployHook(greet(), { mode: 'result' }));
    expect([answer.status, await answer.json()]).toEqual([200, { said: 'Hello Ada' }]);
  });

  test('sends the status, the headers and the body that the hook says', async () => {
    const body = { reply: '{{output.said}}!' };
    const response = { mode: 'result', status: 201, headers: { 'X-Greeting': 'yes' }, body };
    const answer = await send(await deployHook(greet(), response));
    expect([answer.status, answer.headers.get('x-greeting'), await answer.json()]).toEqual([
      201,
      'yes',
      { reply: 'Hello Ada!' },
    ]);
  });

  test('says 500 of a run that failed, and not why', async () => {
    const failing = chain(http('call', recorder.url('hooked', { status: 404 })));
    const answer = await send(await deployHook(failing, { mode: 'result' }));
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { status: 'failed', run_id: expect.any(String) },
    ]);
  });

  test('says 202 of a run that asks people', async () => {
    const asking = chain(
      node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions: [{ id: 'yes' }] }),
    );
    const answer = await send(await deployHook(asking, { mode: 'result' }));
    expect([answer.status, await answer.json()]).toMatchObject([202, { status: 'accepted' }]);
  });
});

describe('a webhook that responds as a node says', () => {
  const respond = { mode: 'respond' };
  const reply = (setting: JsonObject): JsonObject =>
    node('reply', 'transformer', {
      mode: 'map',
      fields: { said: 'Hello {{input.name}}' },
      respond: setting,
    });

  test('sends its status, headers and body, before the run has ended', async () => {
    const path = await deployHook(
      chain(
        reply({ status: 201, headers: { 'X-Name': '{{input.name}}' }, body: { reply: 'Hi {{input.name}}' } }),
        http('later', recorder.url('later', { hold: 1 })),
      ),
      respond,
    );
    const answer = await send(path);
    expect([answer.status, answer.headers.get('x-name'), await answer.json()]).toEqual([
      201,
      'Ada',
      { reply: 'Hi Ada' },
    ]);
    await recorder.waitFor('later', 1);
    recorder.release(({ tag }) => tag === 'later');
  });

  test('sends the output of the node without a body, and the same to a sender that repeats the request', async () => {
    const path = await deployHook(chain(reply({ status: 404 })), respond);
    const id = { 'Idempotency-Key': crypto.randomUUID() };
    for (const answer of [await send(path, id), await send(path, id)])
      expect([answer.status, await answer.json()]).toEqual([404, { said: 'Hello Ada' }]);
  });

  test('sends a text inertly', async () => {
    const setting = { content_type: 'text/xml', body: '<Say>{{input.name}}</Say>' };
    const answer = await send(await deployHook(chain(reply(setting)), respond));
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'text/xml; charset=utf-8',
      '<Say>Ada</Say>',
    ]);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('sends the first response of several, and the output of a run without one', async () => {
    const two = chain(
      reply({ body: 'first' }),
      node('again', 'transformer', { mode: 'map', fields: {}, respond: { body: 'second' } }),
    );
    expect(await (await send(await deployHook(two, respond))).json()).toBe('first');
    const answer = await send(await deployHook(greet(), respond));
    expect([answer.status, await answer.json()]).toEqual([200, { said: 'Hello Ada' }]);
  });

  test('says 500 of a run whose response is none, and the log has what was sent', async () => {
    const wrong = await send(await deployHook(chain(reply({ status: '{{input.name}}' })), respond));
    expect([wrong.status, await wrong.json()]).toMatchObject([500, { status: 'failed' }]);
    const workflowId = await served.deploy('W', chain(reply({ status: 202 })));
    const body = { name: 'H', response: respond };
    const hook = (await tenant.call('POST', `/workflows/${workflowId}/hooks`, { body })).body;
    await send(new URL(hook.url).pathname);
    const log = await tenant.call('GET', `/workflows/${workflowId}/hooks/${hook.id}/deliveries`);
    expect(log.body.deliveries).toMatchObject([
      { response: { status: 202, content_type: 'application/json', body: { said: 'Hello Ada' } } },
    ]);
  });

  test('answers as before where the webhook does not wait for it', async () => {
    const path = await deployHook(chain(reply({ status: 418 })), { mode: 'accepted' });
    expect((await send(path)).status).toBe(202);
  });

  test.each([
    [{ status: 302 }, /respond\.status/],
    [{ status: 100 }, /respond\.status/],
    [{ headers: { 'Set-Cookie': 'a=b' } }, /respond\.headers/],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, /respond\.headers/],
    [{ content_type: 'text/html' }, /respond\.content_type/],
  ])('is not deployed with %j', async (setting, problem) => {
    const body = { name: 'W', workflow_schema: chain(reply(setting)) };
    const { id } = (await tenant.call('POST', '/workflows', { body })).body;
    const refused = await tenant.call('POST', `/workflows/${id}/deploy`);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringMatching(problem)]);
  });
});

describe('a webhook that finds no place among the streams and waits', () => {
  const holding = (tag: string): JsonObject =>
    chain(greetNode(), http('held', recorder.url(tag, { hold: 1 })));
  /** Takes places as other requests to webhooks of the organization would. */
  const take = (count: number): (() => void) => {
    const taken = Array.from({ length: count }, () => api.deps.feed.semaphore.acquireForWebhook(tenant.org));
    expect(taken).not.toContain(null);
    return () => {
      for (const release of taken) release?.();
    };
  };

  test.each(['result', 'respond'])('%s: waits in the last place, and gives it back', async (mode) => {
    const path = await deployHook(greet(), { mode });
    const { open } = api.deps.feed.semaphore;
    const release = take(MAX_WEBHOOK_WAITS - 1);
    const answer = await send(path);
    expect([answer.status, await answer.json()]).toEqual([200, { said: 'Hello Ada' }]);
    release();
    expect(api.deps.feed.semaphore.open).toBe(open);
  });

  test.each(['result', 'respond'])(
    '%s: is answered 202 while its run goes on, and a repeated request gets what is there',
    async (mode) => {
      const tag = `no-place-${mode}`;
      const path = await deployHook(holding(tag), { mode });
      const id = { 'Idempotency-Key': crypto.randomUUID() };
      const release = take(MAX_WEBHOOK_WAITS);
      const answer = await send(path, id);
      expect([answer.status, await answer.json()]).toMatchObject([202, { status: 'accepted' }]);
      await recorder.waitFor(tag, 1);
      recorder.release((request) => request.tag === tag);
      await expect.poll(async () => (await send(path, id)).status).toBe(200);
      expect(api.deps.feed.semaphore.acquireForWebhook(tenant.org)).toBeNull();
      release();
    },
    // Shorter than a wait of the webhook, whose run is held until the answer.
    25_000,
  );

  test('a run that nobody waits for takes none', async () => {
    const release = take(MAX_WEBHOOK_WAITS);
    const answer = await send(await deployHook(greet(), { mode: 'accepted' }));
    expect(await answer.json()).toMatchObject({ status: 'accepted' });
    release();
  });
});

function greetNode(): JsonObject {
  return node('greet', 'transformer', { mode: 'map', fields: { said: 'Hello {{input.name}}' } });
}

describe('a batch', () => {
  test('runs the live deployment once for each input, and each run ends with its own output', async () => {
    const workflowId = await deployWorkflow(tenant, greet());
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
