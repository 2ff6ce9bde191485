/** A workflow could not start runs over the API, or its runs would not count towards the depth limit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { drain, listen, readPort } from '../../src/platform/http/server.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { MAX_STARTED_DEPTH } from '../../src/engine/runs/accept/limits.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';

let api: ApiServer;
let engine: TestEngine;
let recorder: HttpRecorder;
let server: Awaited<ReturnType<typeof listen>>;
let tenant: Tenant;
let url: string;
beforeAll(async () => {
  api = await startApi();
  const port = await findAnyPort();
  url = `http://127.0.0.1:${port}`;
  ({ engine, recorder } = await startEngineWithRecorder({
    DATABASE_URL: api.deps.config.databaseUrl,
    OUTBOUND_ALLOW: `127.0.0.1:${port}`,
  }));
  // Temporal is real here: what this API accepts is run.
  const deps = { ...api.deps, engine: engine.engine, dispatcher: engine.dispatcher };
  server = await listen(createApp(deps, allRoutes()), '127.0.0.1', port);
  tenant = await api.tenant();
  expect(readPort(server)).toBe(port);
});
afterAll(async () => {
  await drain(server, 1_000);
  await engine.close();
  await api.close();
});

/** A node that starts the workflow over the API, as its owner. */
const startOver = (workflowId: string, more: JsonObject = {}): JsonObject =>
  http('again', `${url}/workflows/run`, {
    headers: { Authorization: `Bearer ${tenant.token}`, 'X-Organization-ID': tenant.org, ...more },
    body: { workflow_id: workflowId },
  });

async function deploySelf(definition: (workflowId: string) => JsonObject): Promise<string> {
  const { body } = await tenant.call('POST', '/workflows', {
    body: { name: 'W', workflow_schema: chain(node('a', 'transformer', { mode: 'map', fields: {} })) },
  });
  const workflow_schema = definition(body.id);
  expect((await tenant.call('PATCH', `/workflows/${body.id}`, { body: { workflow_schema } })).status).toBe(
    200,
  );
  expect((await tenant.call('POST', `/workflows/${body.id}/deploy`)).status).toBe(201);
  return body.id;
}

const endsOf = (workflowId: string) =>
  api.deps.db.query<{ depth: number; status: string; code: string | null; message: string | null }>(
    `SELECT child_depth AS depth, status, error->>'code' AS code, error->>'message' AS message FROM runs
     WHERE workflow_id = $1 ORDER BY child_depth`,
    [workflowId],
  );
const WITHIN = { timeout: 60_000 };

test('RUN-4.10: a workflow that starts itself over the API fails at depth five with a reason', async () => {
  const self = await deploySelf((workflowId) => chain(startOver(workflowId)));
  await tenant.call('POST', '/workflows/run', { body: { workflow_id: self } });
  const deepest = {
    depth: MAX_STARTED_DEPTH,
    status: 'failed',
    code: 'run_too_deep',
    message: 'The run was not started: too many runs start one another',
  };
  const before = Array.from({ length: MAX_STARTED_DEPTH }, (_, depth) => {
    return { depth, status: 'completed', code: null, message: null };
  });
  await expect.poll(() => endsOf(self), WITHIN).toEqual([...before, deepest]);
});

test('RUN-4.10: starts over the API and sub-workflows are one count', async () => {
  const outer = await deploySelf((workflowId) => chain(startOver(workflowId)));
  const starter = await deploySelf((self) =>
    chain(node('child', 'tool', { kind: 'workflow', workflow_id: outer }), startOver(self)),
  );
  await tenant.call('POST', '/workflows/run', { body: { workflow_id: starter } });
  const deepest = async (workflowId: string) => {
    const ends = await endsOf(workflowId);
    const { depth, code } = ends.at(-1) ?? {};
    return { isOver: ends.every(({ status }) => status !== 'running'), depth, code };
  };
  const end = { isOver: true, code: 'run_too_deep' };
  // The sub-workflow of the fifth run stands five deep, and may start no other: its caller fails with it.
  await expect.poll(() => deepest(starter), WITHIN).toEqual({ ...end, depth: MAX_STARTED_DEPTH - 1 });
  await expect.poll(() => deepest(outer), WITHIN).toEqual({ ...end, depth: MAX_STARTED_DEPTH });
});

test('RUN-4.10: a request of an HTTP node and of an MCP node carries the depth of its run', async () => {
  const played = await engine.play(
    chain(
      http('plain', recorder.url('plain'), { method: 'GET' }),
      node(
        'mcp',
        'tool',
        { kind: 'mcp', server_url: recorder.url('mcp'), tool: 't' },
        { on_error: 'continue' },
      ),
    ),
  );
  expect(played.end.type).toBe('run_completed');
  const calls = [...recorder.calls('plain'), ...recorder.calls('mcp')];
  expect(calls.length).toBeGreaterThan(1);
  for (const { headers } of calls) expect(headers['x-run-depth']).toMatch(/^0\.\d+\.[\w-]{43}$/);
});
