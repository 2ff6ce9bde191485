/** A process that dies would lose a notification or an event of a webhook, or make it another one (SPEC REL-R41). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello } from '../support/api-server.ts';
import { PatientClient } from './support/client.ts';
import { startSituation, type Situation } from './support/situation.ts';

let situation: Situation;
beforeAll(async () => {
  situation = await startSituation({
    environment: { ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` },
  });
});
afterAll(() => situation.close());

test('kill -9 between the delivery and its record: it is delivered again, with the same webhook-id and body', async () => {
  const { service, recorder, db } = situation;
  const [first] = service.apis;
  const call = async (path: string, body: object) => {
    const answer = await service.call(first, 'POST', path, { body });
    expect(answer.status === 201 ? 201 : answer.body).toBe(201);
    return answer;
  };
  const workflow = (await call('/workflows', { workflow_schema: hello('Watched') })).body;
  const endpoint = (
    await call('/notification-endpoints', {
      name: 'On call',
      url: recorder.url('told', { hold: 1 }),
      event_types: ['deployment.activated'],
    })
  ).body;
  await call(`/workflows/${workflow.id}/deploy`, {});
  await recorder.waitFor('told', 1);
  // Either process may have sent it; the receiver has it, and no record of that is written.
  for (const api of service.apis) await api.kill();
  recorder.release();
  const [pending] = await db.query(
    `SELECT d.id, d.event_id AS "eventId" FROM notification_deliveries d WHERE endpoint_id = $1 AND status = 'pending'`,
    [endpoint.id],
  );
  expect(pending).toBeDefined();
  // The claim of the dead process expires after a minute, which the test does not wait for.
  await db.query('UPDATE notification_deliveries SET due_at = now() WHERE endpoint_id = $1', [endpoint.id]);
  for (const api of service.apis) await api.start();
  const [lost, again] = await recorder.waitFor('told', 2);
  expect(again?.headers['webhook-id']).toBe(lost?.headers['webhook-id']);
  expect(again?.headers['webhook-id']).toBe(pending?.['eventId']);
  expect(again?.body).toEqual(lost?.body);
  const readLog = async () =>
    (await service.call(first, 'GET', `/notification-endpoints/${endpoint.id}/deliveries`)).body.deliveries;
  await expect
    .poll(readLog)
    .toMatchObject([{ id: pending?.['id'], status: 'delivered', attempt_count: 2, error_code: null }]);
  expect(recorder.calls('told')).toHaveLength(2);
});

test('an API is killed while webhooks are delivered: each event, repeated by its sender, is one run', async () => {
  const client = new PatientClient(situation.service);
  const body = { name: 'Events', workflow_schema: hello('Events') };
  const workflowId: string = (await client.send('POST', '/workflows', { body })).body.id;
  await client.send('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  const hook = await client.send('POST', `/workflows/${workflowId}/hooks`, { body: { name: 'Events' } });
  const path = new URL(hook.body.url).pathname;
  const keys = Array.from({ length: 30 }, () => randomUUID());
  // A sender repeats an event that was not answered, under the same id.
  const deliveries = keys.map((key) =>
    client.send('POST', path, { body: { text: key }, headers: { 'Idempotency-Key': key } }),
  );
  await Promise.race(deliveries);
  const [first, second] = situation.service.apis;
  await first.kill();
  await first.start();
  await second.kill();
  await second.start();
  const answers = await Promise.all(deliveries);
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 202));
  const runs = answers.map(({ body }) => String(body.run_id));
  expect(new Set(runs).size).toBe(keys.length);
  const rows = await situation.db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM runs WHERE workflow_id = $1`,
    [workflowId],
  );
  expect(rows).toEqual([{ count: keys.length }]);
});
