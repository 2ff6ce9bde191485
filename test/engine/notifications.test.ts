/** If this fails, the interpreter ends or pauses a run in a way that endpoints and error workflows do not learn of. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { drain, listen } from '../../src/platform/http/server.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { NotificationSender } from '../../src/features/notifications/sender.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { deployWorkflow, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { eventually } from '../support/waiting.ts';
import { startReceiver, verifyMessage, type WebhookReceiver } from '../support/webhook-receiver.ts';

let recorder: HttpRecorder;
let receiver: WebhookReceiver;
let api: ApiServer;
let engine: TestEngine;
let server: Awaited<ReturnType<typeof listen>>;
let sender: NotificationSender;
let tenant: Tenant;
let url: string;
beforeAll(async () => {
  [recorder, receiver] = await Promise.all([startHttpRecorder(), startReceiver()]);
  api = await startApi({ OUTBOUND_ALLOW: receiver.hostPort });
  const { databaseUrl } = api.deps.config;
  engine = await startEngine({ DATABASE_URL: databaseUrl, OUTBOUND_ALLOW: recorder.hostPort });
  const deps = { ...api.deps, engine: engine.engine, dispatcher: engine.dispatcher };
  const port = await findAnyPort();
  url = `http://127.0.0.1:${port}`;
  server = await listen(createApp(deps, allRoutes()), '127.0.0.1', port);
  const { db, log, config } = api.deps;
  sender = new NotificationSender({ db, clock: systemClock, log, config });
  sender.start();
  tenant = await api.tenant();
});
afterAll(async () => {
  await sender.stop();
  await drain(server, 1_000);
  await engine.close();
  await api.close();
  await Promise.all([recorder.close(), receiver.close()]);
});

const deploy = (definition: JsonObject): Promise<string> => deployWorkflow(tenant, definition);
async function start(workflowId: string): Promise<string> {
  const answer = await fetch(`${url}/workflows/run`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.token}`,
      'x-organization-id': tenant.org,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ workflow_id: workflowId }),
  });
  return ((await answer.json()) as { run_id: string }).run_id;
}
const received = (): Answer['body'][] => receiver.received.map(({ body }) => JSON.parse(body));

test('a run that fails is told of and starts the error workflow; a question is told of with its node', async () => {
  const told = {
    name: 'On call',
    url: receiver.url,
    event_types: ['run.failed', 'run.waiting', 'run.completed'],
  };
  const { secret } = (await tenant.call('POST', '/notification-endpoints', { body: told })).body;
  const failing = await deploy(chain(http('call', recorder.url('failing', { status: 404 }))));
  const onError = await deploy(
    chain(transform('note', { node: '{{input.failed_node.name}}', code: '{{input.error.code}}' })),
  );
  const chosen = { body: { error_workflow_id: onError } };
  await tenant.call('PUT', `/workflows/${failing}/error-workflow`, chosen);
  const runId = await start(failing);

  const completed = await eventually('the error workflow to complete', 30_000, () =>
    received().find(({ type }) => type === 'run.completed'),
  );
  expect(completed.data).toMatchObject({ workflow_id: onError, trigger_type: 'error' });
  // Each message is sent for itself: that of the failure may arrive last.
  const failed = await eventually('the failure', 30_000, () => {
    const messages = received().filter(({ type }) => type === 'run.failed');
    return messages.length === 0 ? null : messages;
  });
  expect(failed).toMatchObject([{ data: { run_id: runId, error: { node_id: 'call' } } }]);
  for (const message of receiver.received) expect(verifyMessage(secret, message)).toHaveProperty('type');
  const record = (await tenant.call('GET', `/workflow-runs/${completed.data.run_pk}`)).body;
  expect(record.output).toEqual({ node: 'call', code: failed[0].data.error.code });

  const question = { kind: 'approval', title: 'Go on?', actions: [{ id: 'yes' }] };
  const askingId = await start(await deploy(chain(node('ask', 'interrupt', question))));
  const waiting = await eventually('the question', 30_000, () =>
    received().find(({ type }) => type === 'run.waiting'),
  );
  expect(waiting.data).toMatchObject({
    run_id: askingId,
    questions: [{ interrupt_id: expect.any(String), node_id: 'ask', kind: 'approval' }],
  });
});
