/** If this fails, an organization does not learn that its runs fail, or a receiver that hangs delays others. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { NotificationSender } from '../../src/features/notifications/sender.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { Janitor } from '../../src/engine/runs/outbox/janitor.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';
import { approval, ask } from '../support/questions.ts';
import { eventually } from '../support/waiting.ts';
import { startReceiver, verifyMessage, type WebhookReceiver } from '../support/webhook-receiver.ts';

const HOUR_MS = 3_600_000;

let receiver: WebhookReceiver;
let inner: WebhookReceiver;
let api: ApiServer;
let lines: string[];
let tenant: Tenant;
let workflow: string;
beforeAll(async () => {
  [receiver, inner] = await Promise.all([startReceiver(), startReceiver()]);
  lines = [];
  const sink = { write: (line: string) => void lines.push(line) };
  api = await startApi({ OUTBOUND_ALLOW: receiver.hostPort }, sink);
});
afterAll(() => Promise.all([api.close(), receiver.close(), inner.close()]));

/** The clock of the sender: time stands still, and timeouts fire when a test says so. */
let nowMs: number;
let timers: Map<object, { readonly work: () => void; readonly ms: number }>;
const clock: Clock = {
  ...systemClock,
  now: () => nowMs,
  setTimeout(work, ms) {
    const timer = {};
    timers.set(timer, { work, ms });
    return timer;
  },
  clearTimeout: (timer) => void timers.delete(timer),
};
let sender: NotificationSender;
beforeEach(async () => {
  tenant = await api.tenant();
  workflow = await deployWorkflow(tenant, hello('Watched'));
  // Ahead of the database's clock, so that what a test has done is due.
  nowMs = Date.now() + 60_000;
  timers = new Map();
  receiver.received.length = 0;
  receiver.answer = (response) => void response.writeHead(204).end();
  sender = new NotificationSender({ db: api.deps.db, clock, log: api.deps.log, config: api.deps.config });
});
afterEach(async () => {
  await sender.stop();
  // What a test leaves pending would be sent by the next one.
  await api.deps.db.query('DELETE FROM notification_endpoints');
});

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

const create = (more: object = {}): Promise<Answer> =>
  tenant.call('POST', '/notification-endpoints', { body: { name: 'On call', url: receiver.url, ...more } });
async function createEndpoint(more: object = {}): Promise<Endpoint> {
  const { status, body } = await create(more);
  expect(status === 201 ? status : body).toBe(201);
  return body;
}
const path = ({ id }: Endpoint): string => `/notification-endpoints/${id}`;
const read = async (endpoint: Endpoint): Promise<Answer['body']> =>
  (await tenant.call('GET', path(endpoint))).body;
const readLog = async (endpoint: Endpoint): Promise<Answer['body'][]> =>
  (await tenant.call('GET', `${path(endpoint)}/deliveries`)).body.deliveries;

interface StartedRun {
  readonly runPk: string;
  readonly runId: string;
}

async function startRun(more: object = {}): Promise<StartedRun> {
  const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow_id: workflow, ...more } });
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    body.run_id,
  ]);
  return { runPk: row?.id ?? '', runId: body.run_id };
}
const FAILURE = { code: 'http_error', message: 'The server responded with HTTP 503', node_id: 'hello' };
const endRun = ({ runPk }: StartedRun, status: 'completed' | 'failed' = 'failed'): Promise<boolean> =>
  closeRun(api.deps.db, {
    runPk,
    from: ['running'],
    status,
    payload: {},
    ...(status === 'failed' ? { error: FAILURE } : { output: { secret_of_the_tenant: 1 } }),
  });
async function failRun(): Promise<StartedRun> {
  const run = await startRun();
  await endRun(run);
  return run;
}
const messages = (): Answer['body'][] => receiver.received.map(({ body }) => JSON.parse(body));

describe('an endpoint is told', () => {
  test('of a failed run, with a signature that its library verifies', async () => {
    const endpoint = await createEndpoint();
    const run = await failRun();
    expect(await sender.sendDue()).toBe(1);
    const [message] = receiver.received;
    if (message === undefined) throw new Error('nothing was received');
    expect(verifyMessage(endpoint.secret, message)).toMatchObject({
      type: 'run.failed',
      data: { run_id: run.runId, run_pk: run.runPk, workflow_id: workflow, error: FAILURE },
    });
    expect(() => verifyMessage(endpoint.secret, { ...message, body: `${message.body} ` })).toThrow(
      'No matching',
    );
    expect(await readLog(endpoint)).toMatchObject([
      {
        event_id: message.headers['webhook-id'],
        status: 'delivered',
        attempts: [{ status: 204, error_code: null }],
      },
    ]);
  });

  test('of a completed run without its output', async () => {
    await createEndpoint();
    await endRun(await startRun(), 'completed');
    await sender.sendDue();
    expect(messages()).toMatchObject([{ type: 'run.completed', data: { error: null, questions: null } }]);
    expect(receiver.received[0]?.body).not.toContain('secret_of_the_tenant');
  });

  test('of a run that waits, with the questions that it asks', async () => {
    await createEndpoint();
    const [interruptId] = await ask(api.deps.db, (await startRun()).runId, approval);
    await sender.sendDue();
    expect(messages()).toMatchObject([
      { type: 'run.waiting', data: { questions: [{ interrupt_id: interruptId, kind: 'approval' }] } },
    ]);
  });

  test('of a deployment, and of a schedule that was disabled', async () => {
    await createEndpoint();
    const { body } = await tenant.call('POST', `/workflows/${workflow}/deploy`);
    const planned = { workflow_id: workflow, name: 'Mornings', cron_expression: '0 6 * * 1' };
    const schedule = (await tenant.call('POST', '/schedules', { body: planned })).body.id;
    const reason = 'The schedule has failed 10 times in a row';
    await api.deps.db.query('UPDATE schedules SET enabled = false, disabled_reason = $2 WHERE id = $1', [
      schedule,
      reason,
    ]);
    await sender.sendDue();
    const told = messages().sort((a, b) => (a.type < b.type ? -1 : 1));
    expect(told).toMatchObject([
      { type: 'deployment.activated', data: { deployment_id: body.id, version: '2.0.0' } },
      { type: 'schedule.disabled', data: { schedule_id: schedule, name: 'Mornings', reason } },
    ]);
  });

  test('of nothing that it did not ask for', async () => {
    const endpoint = await createEndpoint({ event_types: ['run.completed'] });
    await failRun();
    await tenant.call('PATCH', path(endpoint), { body: { enabled: false } });
    await endRun(await startRun(), 'completed');
    expect(await sender.sendDue()).toBe(0);
  });

  test('of no private run, no test run and no run of another organization', async () => {
    await createEndpoint();
    await endRun(await startRun({ is_private: true }));
    await endRun(await startRun({ workflow_id: undefined, workflow: hello() }));
    const stranger = await api.tenant();
    const own = tenant;
    [tenant, workflow] = [stranger, await deployWorkflow(stranger)];
    await failRun();
    tenant = own;
    expect(await sender.sendDue()).toBe(0);
  });

  test('of the workflows that it names, and of facts of no workflow', async () => {
    const body = { workflow_schema: hello('Other') };
    const other = (await tenant.call('POST', '/workflows', { body })).body.id;
    const endpoint = await createEndpoint({ workflow_ids: [other] });
    await failRun();
    await api.deps.db.query('SELECT notify_endpoints($1, $2, $3::json, 0)', [
      tenant.org,
      'alert.fired',
      JSON.stringify({ workflow_id: null }),
    ]);
    await sender.sendDue();
    expect(messages().map(({ type }) => type)).toEqual(['alert.fired']);
    await tenant.call('PATCH', path(endpoint), { body: { workflow_ids: [workflow] } });
    await failRun();
    await sender.sendDue();
    expect(messages().at(-1)).toMatchObject({ type: 'run.failed', data: { workflow_id: workflow } });
    const all = await tenant.call('PATCH', path(endpoint), { body: { workflow_ids: null } });
    expect(all.body.workflow_ids).toBeNull();
    const [events] = await api.deps.db.query(
      'SELECT count(*)::int AS count FROM notification_events WHERE organization_id = $1',
      [tenant.org],
    );
    // An event that nobody is told of is not kept.
    expect(events).toEqual({ count: 2 });
    const foreign = await (await api.tenant()).call('POST', '/workflows', { body });
    expect((await create({ workflow_ids: [foreign.body.id] })).status).toBe(422);
  });

  test('of nothing that was rolled back', async () => {
    await createEndpoint();
    const { runPk } = await startRun();
    const rolledBack = api.deps.db.transaction(async (tx) => {
      await closeRun(tx, { runPk, from: ['running'], status: 'failed', payload: {}, error: FAILURE });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await sender.sendDue()).toBe(0);
  });

  test('by a request that makes the runs it starts here deeper', async () => {
    await createEndpoint();
    await failRun();
    await sender.sendDue();
    expect(receiver.received[0]?.headers['x-run-depth']).toMatch(/^0\.\d+\./);
  });
});

describe('a delivery', () => {
  test('whose process dies between claim and answer is attempted again with the same webhook-id and body', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    let isLost = true;
    receiver.answer = (response) => void (isLost ? undefined : response.writeHead(204).end());
    const dying = sender.sendDue();
    await eventually('the first attempt', 10_000, () => receiver.received[0]);
    // Another process sees the claim, and takes the delivery over when it has expired.
    const other = new NotificationSender({
      db: api.deps.db,
      clock,
      log: api.deps.log,
      config: api.deps.config,
    });
    expect(await other.sendDue()).toBe(0);
    isLost = false;
    nowMs += 60_000;
    expect(await other.sendDue()).toBe(1);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    for (const { work } of timers.values()) work();
    await Promise.all([dying, other.stop()]);
    // The late failure of the first attempt does not take the success back.
    expect(await readLog(endpoint)).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
  });

  test('is attempted until it is accepted', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    receiver.answer = (response) => void response.writeHead(503, { 'retry-after': '60' }).end('busy');
    await sender.sendDue();
    expect(await readLog(endpoint)).toMatchObject([
      {
        status: 'pending',
        error_code: 'status_not_successful',
        attempts: [{ status: 503, response: 'busy' }],
      },
    ]);
    nowMs += 59_000;
    expect(await sender.sendDue()).toBe(0);
    // Beyond the spread of the first attempt.
    nowMs += 4_000;
    receiver.answer = (response) => void response.writeHead(200).end('ok');
    expect(await sender.sendDue()).toBe(1);
    expect(await readLog(endpoint)).toMatchObject([
      { status: 'delivered', attempt_count: 2, error_code: null },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('fails for good after 24 hours, and may be replayed with the same webhook-id', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    receiver.answer = (response) => void response.writeHead(500).end();
    for (let hours = 0; hours < 30; hours += 1) {
      await sender.sendDue();
      nowMs += HOUR_MS;
    }
    const [delivery] = await readLog(endpoint);
    expect(delivery).toMatchObject({ status: 'failed', error_code: 'status_not_successful' });
    expect(delivery.attempts).toHaveLength(delivery.attempt_count);
    receiver.answer = (response) => void response.writeHead(204).end();
    const replay = await tenant.call('POST', `${path(endpoint)}/deliveries/${delivery.id}/replay`);
    expect([replay.status, replay.body.replay_of]).toEqual([202, delivery.id]);
    await sender.sendDue();
    expect((await readLog(endpoint))[0]).toMatchObject({ status: 'delivered', replay_of: delivery.id });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery.event_id]),
    );
  });

  test('and its event are kept for 7 days', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    await sender.sendDue();
    const janitor = new Janitor({ db: api.deps.db, log: api.deps.log });
    const age = (days: number): Promise<unknown> =>
      api.deps.db.query('UPDATE notification_events SET created_at = now() - make_interval(hours => $1)', [
        days * 24 - 1,
      ]);
    await age(7);
    await janitor.sweep();
    expect(await readLog(endpoint)).toHaveLength(1);
    await age(8);
    await janitor.sweep();
    expect(await readLog(endpoint)).toEqual([]);
  });
});

describe('a receiver', () => {
  test('that hangs is given up after 15 s, and delays nobody else', async () => {
    const hanging = await createEndpoint({ name: 'hangs' });
    for (let runs = 0; runs < 6; runs += 1) await failRun();
    receiver.answer = () => undefined;
    const held = sender.sendDue();
    await eventually('four attempts in flight', 10_000, () => (receiver.received.length === 4 ? true : null));
    // The hanging endpoint has its share; another organization's is delivered meanwhile.
    const own = tenant;
    tenant = await api.tenant();
    workflow = await deployWorkflow(tenant);
    const other = await createEndpoint();
    await failRun();
    receiver.answer = (response) => void response.writeHead(204).end();
    expect(await sender.sendDue()).toBe(1);
    expect(await readLog(other)).toMatchObject([{ status: 'delivered' }]);
    tenant = own;
    expect([...timers.values()].map(({ ms }) => ms)).toEqual([15_000, 15_000, 15_000, 15_000]);
    for (const { work } of timers.values()) work();
    await held;
    const codes = (await readLog(hanging)).map((delivery) => delivery.error_code);
    expect(codes.filter((code) => code === 'timeout')).toHaveLength(4);
    // It is failing now: one attempt at a time.
    expect(await sender.sendDue()).toBe(1);
  });

  test('that redirects is not followed, wherever it points', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    receiver.answer = (response) => void response.writeHead(307, { location: inner.url }).end();
    await sender.sendDue();
    expect(await readLog(endpoint)).toMatchObject([{ status: 'pending', error_code: 'redirect_refused' }]);
    expect(inner.received).toEqual([]);
  });

  test('that answers without end has its first kilobyte recorded', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    const page = 'x'.repeat(64 * 1024);
    let hasClosed = false;
    receiver.answer = (response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(page));
      };
      response.on('drain', write).on('close', () => (hasClosed = true));
      response.writeHead(200);
      write();
    };
    await sender.sendDue();
    const [delivery] = await readLog(endpoint);
    expect([delivery.status, delivery.attempts[0].response]).toEqual(['delivered', 'x'.repeat(1_024)]);
    await eventually('the connection to be closed', 10_000, () => (hasClosed ? true : null));
  });

  test('in a private network is not called', async () => {
    const refused = await create({ url: inner.url });
    expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'destination_not_allowed']);
    const endpoint = await createEndpoint();
    await failRun();
    await api.deps.db.query('UPDATE notification_endpoints SET url = $1', [inner.url]);
    await sender.sendDue();
    expect(await readLog(endpoint)).toMatchObject([{ error_code: 'destination_not_allowed' }]);
    expect(inner.received).toEqual([]);
  });
});

describe('an endpoint', () => {
  test('that accepts nothing for 5 days is disabled with the reason; enabled, it starts anew', async () => {
    const endpoint = await createEndpoint();
    receiver.answer = (response) => void response.writeHead(500).end();
    const fail = async (): Promise<void> => {
      await api.deps.db.query('UPDATE notification_deliveries SET due_at = $1 WHERE status = $2', [
        new Date(nowMs),
        'pending',
      ]);
      await sender.sendDue();
    };
    await failRun();
    await fail();
    await failRun();
    nowMs += 5 * 24 * 3_600_000 - 1_000;
    await fail();
    expect((await read(endpoint)).enabled).toBe(true);
    await failRun();
    nowMs += 2_000;
    await fail();
    expect(await read(endpoint)).toMatchObject({
      enabled: false,
      disabled_reason: 'Every delivery has failed for 5 days',
    });
    expect((await readLog(endpoint)).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    await tenant.call('PATCH', path(endpoint), { body: { enabled: true } });
    await failRun();
    await fail();
    expect(await read(endpoint)).toMatchObject({ enabled: true, disabled_reason: null });
  });

  test('that answers 410 is disabled', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    receiver.answer = (response) => void response.writeHead(410).end();
    await sender.sendDue();
    expect(await read(endpoint)).toMatchObject({
      enabled: false,
      disabled_reason: 'The endpoint responded with 410 Gone',
    });
  });

  test('whose address a person changes meanwhile is not judged by what the old one answers', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    receiver.answer = (response) =>
      void tenant
        .call('PATCH', path(endpoint), { body: { url: `${receiver.url}?new` } })
        .then(() => response.writeHead(410).end());
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
    expect(await read(endpoint)).toMatchObject({ enabled: true, failing_since: null });
    expect((await readLog(endpoint)).map(({ status }) => status)).toEqual(['pending']);
  });

  test('signs with both secrets until the overlap of a rotation ends', async () => {
    const endpoint = await createEndpoint();
    const body = { keep_previous_seconds: 3_600 };
    const rotated = (await tenant.call('POST', `${path(endpoint)}/rotate`, { body })).body;
    await failRun();
    await sender.sendDue();
    // The library compares with the real clock, so the end comes to the sender.
    await api.deps.db.query('UPDATE notification_endpoints SET previous_secret_until = $1', [
      new Date(nowMs),
    ]);
    await failRun();
    await sender.sendDue();
    const [during, after] = receiver.received;
    if (during === undefined || after === undefined) throw new Error('two messages were expected');
    expect(verifyMessage(endpoint.secret, during)).toEqual(verifyMessage(rotated.secret, during));
    expect(verifyMessage(rotated.secret, after)).toMatchObject({ type: 'run.failed' });
    expect(() => verifyMessage(endpoint.secret, after)).toThrow('No matching signature');
  });

  test('is tested by hand, also while it is disabled', async () => {
    const endpoint = await createEndpoint({ enabled: false, event_types: ['run.failed'] });
    const sent = await tenant.call('POST', `${path(endpoint)}/test`);
    expect([sent.status, sent.body.status]).toEqual([202, 'pending']);
    await sender.sendDue();
    expect(messages()).toMatchObject([{ type: 'endpoint.test', data: { endpoint_id: endpoint.id } }]);
    expect(await readLog(endpoint)).toMatchObject([{ id: sent.body.id, status: 'delivered' }]);
  });

  test('is tested and replayed by hand at most 100 times at once', async () => {
    const endpoint = await createEndpoint({ enabled: false });
    const { body } = await tenant.call('POST', `${path(endpoint)}/test`);
    await api.deps.db.query(
      `INSERT INTO notification_deliveries (organization_id, endpoint_id, event_id, replay_of)
       SELECT organization_id, endpoint_id, event_id, id FROM notification_deliveries, generate_series(2, $1::int)`,
      [100],
    );
    expect((await tenant.call('POST', `${path(endpoint)}/test`)).status).toBe(409);
    const again = await tenant.call('POST', `${path(endpoint)}/deliveries/${body.id}/replay`);
    expect([again.status, again.headers.get('x-error-code')]).toEqual([
      409,
      'notification_deliveries_pending',
    ]);
  });

  test('shows its secret at its creation alone: no row, list or log line has it', async () => {
    const endpoint = await createEndpoint();
    await failRun();
    receiver.answer = (response) => void response.writeHead(500).end();
    await sender.sendDue();
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rows = await Promise.all(
      ['notification_endpoints', 'notification_events', 'notification_deliveries'].map((table) =>
        api.deps.db.query(`SELECT to_json(t)::text AS row FROM ${table} t`),
      ),
    );
    const answers = [
      await read(endpoint),
      await readLog(endpoint),
      await tenant.call('GET', '/notification-endpoints'),
    ];
    const everything = JSON.stringify([rows, answers]) + lines.join('');
    expect(everything).not.toContain(endpoint.secret.slice('whsec_'.length));
    expect(JSON.stringify(rows)).not.toContain(
      Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64').toString('hex'),
    );
  });

  test('is one of 10, and of one organization alone', async () => {
    for (let count = 0; count < 10; count += 1) await createEndpoint();
    expect((await create()).status).toBe(409);
    const stranger = await api.tenant();
    const [first] = (await tenant.call('GET', '/notification-endpoints')).body.endpoints;
    expect((await stranger.call('GET', path(first))).status).toBe(404);
    expect((await stranger.call('GET', '/notification-endpoints')).body.endpoints).toEqual([]);
  });
});
