/** A process that dies while it delivers a notification would lose it, or make it another one (SPEC REL-R41). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello } from '../support/api-server.ts';
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
