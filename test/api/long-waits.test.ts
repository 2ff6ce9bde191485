/** If this fails, a client that waits for the answer of a long run waits for ever, or is told that it has failed. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { drain, listen, readPort } from '../../src/platform/http/server.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { deployWorkflow, hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

/** As the official clients of OpenAI wait, less some seconds. */
const OPENAI_WAIT_MS = 590_000;

let api: ApiServer;
let tenant: Tenant;
let server: Awaited<ReturnType<typeof listen>>;
let url: string;
let timers: Map<object, { readonly work: () => void; readonly ms: number }>;
/** Timeouts fire when a test says so. */
const clock: Clock = {
  ...systemClock,
  setTimeout(work, ms) {
    const timer = {};
    timers.set(timer, { work, ms });
    return timer;
  },
  clearTimeout: (timer) => void timers.delete(timer),
};
beforeAll(async () => {
  api = await startApi();
  server = await listen(createApp({ ...api.deps, clock }, allRoutes()), '127.0.0.1', 0);
  url = `http://127.0.0.1:${readPort(server)}`;
  tenant = await api.tenant();
  const input_parameters = [{ name: 'message', type: 'string', required: true }];
  await deployWorkflow(tenant, { ...hello('Long'), input_parameters });
});
afterAll(async () => {
  await drain(server, 1_000);
  await api.close();
});
beforeEach(() => {
  timers = new Map();
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tenant.token}`,
      'X-Organization-ID': tenant.org,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** Lets the time of the wait pass. The run never ends: no worker is there. */
async function letPass(ms: number): Promise<void> {
  const find = () => [...timers.values()].find((timer) => timer.ms === ms);
  await expect.poll(find).toBeDefined();
  find()?.work();
}

test('a chat completion whose run outlives the wait is 504, which the client does not repeat', async () => {
  const call = post('/openai/chat/completions', {
    model: 'long',
    messages: [{ role: 'user', content: 'Hello' }],
  });
  await letPass(OPENAI_WAIT_MS);
  const answer = await call;
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([504, 'false']);
  expect(await answer.json()).toMatchObject({ error: { code: 'run_not_ended' } });
});

test('a response whose run outlives the wait is in progress, and can be retrieved', async () => {
  const call = post('/openai/responses', { model: 'long', input: 'Hello' });
  await letPass(OPENAI_WAIT_MS);
  const answer = await call;
  expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'in_progress' }]);
});

test('a start is 202 after its wait, and no timer is left', async () => {
  const call = post('/workflows/run', { workflow: hello(), wait: 7 });
  await letPass(7_000);
  expect((await call).status).toBe(202);
  expect([...timers.values()].filter(({ ms }) => ms === 7_000)).toEqual([]);
});
