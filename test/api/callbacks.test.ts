/** If this fails, a stranger answers a run, a service's answer is lost or taken twice, or the address stands in the log. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_HOOK_BODY_BYTES } from '../../src/features/hooks/hook-request.ts';
import { buildCallbackUrl } from '../../src/engine/runs/accept/callback-address.ts';
import { Janitor } from '../../src/engine/runs/outbox/janitor.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { setTerms } from '../support/money.ts';
import { ask } from '../support/questions.ts';

const lines: string[] = [];
let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi({}, { write: (line) => void lines.push(line) });
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
});

interface Waiting {
  readonly runId: string;
  readonly runPk: string;
  /** Path of the address. */
  readonly path: string;
}

const startRun = (): Promise<Answer> =>
  tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });

/** A run that waits for a callback; or, without a question, one that may come to it. */
async function start(isWaiting = true): Promise<Waiting> {
  const started = await startRun();
  const runId: string = started.body.run_id;
  const [nodeId = 'paid'] = isWaiting ? await ask(api.deps.db, runId, { kind: 'callback', actions: [] }) : [];
  const [run] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  const runPk = run?.id ?? '';
  const place = { organizationId: tenant.org, rootRunPk: runPk, nodeId, visit: 1 };
  const key = { secret: api.deps.config.auth.apiKeySecret, origin: api.url };
  return { runId, runPk, path: new URL(buildCallbackUrl(key, place)).pathname };
}
const call = (path: string, more: object = { body: { amount: 1 } }): Promise<Answer> =>
  api.call('POST', path, more);
const readResponse = async ({ runPk }: Waiting): Promise<unknown> =>
  (
    await api.deps.db.query(
      'SELECT status, response, responded_by FROM run_interrupts WHERE root_run_pk = $1',
      [runPk],
    )
  )[0];

test('needs no account; the first request is the answer, and Temporal hears of it', async () => {
  const waiting = await start();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(waiting.path)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 410)]);
  expect(answers.find(({ status }) => status === 200)?.body).toEqual({ status: 'delivered' });
  const late = answers.find(({ status }) => status === 410);
  expect(late?.headers.get('x-error-code')).toBe('callback_closed');
  expect(await readResponse(waiting)).toEqual({
    status: 'claimed',
    response: { action: null, data: { amount: 1 } },
    responded_by: null,
  });
  const told = await api.deps.db.query(`SELECT kind FROM outbox WHERE subject_id = $1 AND kind = 'resume'`, [
    waiting.runPk,
  ]);
  expect(told).toHaveLength(1);
  const segments = await api.deps.db.query('SELECT 1 FROM runs WHERE root_run_pk = $1', [waiting.runPk]);
  expect(segments).toHaveLength(2);
});

test.each([
  ['nothing', {}, null],
  ['text', { raw: 'paid', headers: { 'content-type': 'text/plain' } }, 'paid'],
  [
    'a form',
    { raw: 'state=paid', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { state: 'paid' },
  ],
  ['half an emoji and an ordinary key', { raw: '{"constructor":"\\ud83d"}' }, { constructor: '\uFFFD' }],
  [
    'JSON in ISO-8859-1',
    {
      raw: Buffer.from('{"name":"Zoë"}', 'latin1'),
      headers: { 'content-type': 'application/json; charset=iso-8859-1' },
    },
    { name: 'Zoë' },
  ],
  ['what is no JSON', { raw: '{"a":' }, '{"a":'],
])('takes %s', async (_, body, data) => {
  const waiting = await start();
  expect((await call(waiting.path, body)).status).toBe(200);
  expect(await readResponse(waiting)).toMatchObject({ response: { action: null, data } });
});

test('API-events: its address may have any query', async () => {
  expect((await call(`${(await start()).path}?a=1&a=2&b[c]=%00`)).status).toBe(200);
});

test('keeps an answer for a node that does not wait yet, until the run has ended', async () => {
  const waiting = await start(false);
  expect((await call(waiting.path)).body).toEqual({ status: 'kept' });
  expect((await call(waiting.path)).status).toBe(410);
  const janitor = new Janitor({ db: api.deps.db, log: api.deps.log });
  const readKept = () =>
    api.deps.db.query('SELECT data FROM callback_answers WHERE root_run_pk = $1', [waiting.runPk]);
  await janitor.sweep();
  expect(await readKept()).toEqual([{ data: { amount: 1 } }]);
  await tenant.call('POST', `/workflows/cancel/${waiting.runId}`);
  expect((await call(waiting.path)).status).toBe(410);
  await janitor.sweep();
  expect(await readKept()).toEqual([]);
});

test('an expired one is gone, before its timer has fired too', async () => {
  const waiting = await start();
  await api.deps.db.query('UPDATE run_interrupts SET expires_at = now() WHERE root_run_pk = $1', [
    waiting.runPk,
  ]);
  const { status, body } = await call(waiting.path);
  expect([status, body.detail]).toEqual([410, 'The callback has timed out']);
});

test('what is refused leaves it open: an invalid or large body, the limits and the plan of the organization', async () => {
  const waiting = await start();
  expect((await call(waiting.path, { raw: '{"__proto__":1}', headers: {} })).status).toBe(422);
  expect((await call(waiting.path, { raw: 'x'.repeat(MAX_HOOK_BODY_BYTES + 1) })).status).toBe(413);
  await setTerms(api.deps.db, tenant.org, { entitlements: { api: 0 } });
  expect((await call(waiting.path)).status).toBe(429);
  await setTerms(api.deps.db, tenant.org, { suspended: true });
  expect((await call(waiting.path)).status).toBe(402);
  expect(await readResponse(waiting)).toMatchObject({ status: 'pending' });
});

test('a forged address is not found, nor one of an organization that is no longer active', async () => {
  const waiting = await start();
  expect((await call(`${waiting.path.slice(0, -1)}${waiting.path.endsWith('A') ? 'B' : 'A'}`)).status).toBe(
    404,
  );
  expect((await call('/callbacks/unknown')).status).toBe(404);
  await api.deps.db.query('UPDATE organizations SET is_active = false WHERE id = $1', [tenant.org]);
  expect((await call(waiting.path)).status).toBe(404);
});

test('members see calls that came late with the question, and the operator sees their run in the log', async () => {
  const waiting = await start();
  const read = async (): Promise<unknown> => {
    const { interrupts } = (await tenant.call('GET', `/workflows/runs/${waiting.runId}`)).body;
    const { late_call_count: count, last_late_call_at: lastAt } = interrupts[0];
    return [count, lastAt === null ? null : typeof lastAt];
  };
  await call(waiting.path);
  expect(await read()).toEqual([0, null]);
  expect((await call(waiting.path)).status).toBe(410);
  expect(await read()).toEqual([1, 'string']);
  const age = () =>
    api.deps.db.query(
      'UPDATE run_interrupts SET last_late_call_at = $2, expires_at = now() WHERE root_run_pk = $1',
      [waiting.runPk, new Date(0)],
    );
  await age();
  await tenant.call('POST', `/workflows/cancel/${waiting.runId}`);
  expect((await call(waiting.path)).status).toBe(410);
  expect(await read()).toEqual([2, 'string']);
  await age();
  expect((await call(waiting.path, { raw: '{"__proto__":1}', headers: {} })).status).toBe(422);
  expect(await read()).toEqual([2, 'string']);
  const late = lines.filter((line) => line.includes(waiting.runPk) && line.includes('"status":410'));
  expect(late).toHaveLength(2);
});

test('members read the address with the question while it waits, and find no other there', async () => {
  const waiting = await start();
  await ask(api.deps.db, (await startRun()).body.run_id, {});
  const readAll = async (): Promise<unknown[]> => {
    const { interrupts } = (await tenant.call('GET', '/interrupts')).body;
    const records = await Promise.all(
      [`/workflow-runs/${waiting.runPk}`, `/workflows/runs/${waiting.runId}`].map((path) =>
        tenant.call('GET', path),
      ),
    );
    return [...interrupts, ...records.flatMap(({ body }) => body.interrupts)].map(
      ({ kind, callback_url: url }) => [kind, url === null ? null : new URL(url).pathname],
    );
  };
  const own = ['callback', waiting.path];
  expect(await readAll()).toEqual([['approval', null], own, own, own]);
  const other = await api.tenant();
  expect((await other.call('GET', '/interrupts')).body.interrupts).toEqual([]);
  expect((await other.call('GET', `/workflow-runs/${waiting.runPk}`)).status).toBe(404);
  await call(waiting.path);
  expect(await readAll()).toEqual([
    ['approval', null],
    ['callback', null],
    ['callback', null],
  ]);
});

test('the address is in no line of the log', async () => {
  const waiting = await start();
  await call(waiting.path);
  await call(waiting.path);
  expect(lines.some((line) => line.includes('/callbacks/:token'))).toBe(true);
  expect(lines.join('\n')).not.toContain(waiting.path.slice('/callbacks/'.length));
});

test('SEC-H09: a call counts before its body is parsed', async () => {
  const { path } = await start();
  await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { api: 1 } });
  expect((await call(path, { raw: '['.repeat(100) })).status).toBe(422);
  expect((await call(path, { raw: '['.repeat(100) })).status).toBe(429);
});
