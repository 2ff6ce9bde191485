/** An organization would see a wrong balance or plan, or use the wallet without a paid plan. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/base/db/client.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { booksOf, setTerms } from '../support/money.ts';

let api: ApiServer;
let db: Db;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  db = api.deps.db;
});
beforeEach(async () => {
  tenant = await api.tenant();
});
afterAll(() => api.close());

const post = (what: string, body: unknown): Promise<Answer> =>
  tenant.call('POST', `/subscriptions/wallet/${what}`, { body });

test('GET /subscriptions tells plan, credits, wallet and entitlements', async () => {
  await setTerms(db, tenant.org, {
    plan: 'pro',
    used: 12,
    overage: true,
    wallet: 7,
    entitlements: { api: 5, sync_exec: null },
  });
  const { status, body } = await tenant.call('GET', '/subscriptions');
  expect(status).toBe(200);
  expect(body).toEqual({
    organization_id: tenant.org,
    plan: 'pro',
    is_suspended: false,
    period_start: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
    period_end: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
    credits: { used: 12, reserved: 0, limit: 5_000, remaining: 4_988 },
    wallet: { balance: 7, extra_usage_enabled: true },
    entitlements: {
      api: 5,
      sync_exec: null,
      knowledge_bases: 20,
      tables: 20,
      table_rows: 20_000,
      table_row_bytes: 65_536,
      file_bytes: 10_737_418_240,
      file_size_bytes: 104_857_600,
      integration_types: 50,
    },
  });
});

describe('the paid gate', () => {
  test.each([{ amount: -100 }, { amount: '100' }, {}, { enabled: true }, 'no object', { amount: 100 }])(
    'SEC-B08: on the free plan comes before the body %j',
    async (body) => {
      await setTerms(db, tenant.org, { plan: 'free' });
      for (const what of ['topup', 'extra-usage']) {
        const answer = await post(what, body);
        expect([answer.status, answer.body]).toEqual([
          402,
          { detail: { reason: 'paid_subscription_required' } },
        ]);
      }
      const broken = await tenant.call('POST', '/subscriptions/wallet/topup', {
        raw: '{"amount":1e309',
        headers: { 'content-type': 'application/json' },
      });
      expect(broken.status).toBe(402);
      expect(await booksOf(db, tenant.org)).toMatchObject({ wallet: 0 });
    },
  );

  test('comes behind the role', async () => {
    await setTerms(db, tenant.org, { plan: 'free' });
    await db.query(`UPDATE memberships SET role = 'member' WHERE organization_id = $1`, [tenant.org]);
    expect((await post('topup', { amount: 100 })).status).toBe(403);
  });
});

test('extra usage is turned on and off', async () => {
  await setTerms(db, tenant.org, { plan: 'pro' });
  expect((await post('extra-usage', { enabled: 'yes' })).status).toBe(422);
  for (const enabled of [true, false]) {
    const { status, body } = await post('extra-usage', { enabled });
    expect([status, body.wallet.extra_usage_enabled]).toEqual([200, enabled]);
  }
});

test('a top-up without a payment provider is refused, and a wrong amount before that', async () => {
  await setTerms(db, tenant.org, { plan: 'pro' });
  for (const amount of [-100, 0, 1.5, '100', null, 1e12]) {
    expect([amount, (await post('topup', { amount })).status]).toEqual([amount, 422]);
  }
  const { status, body } = await post('topup', { amount: 100 });
  expect([status, body]).toEqual([
    503,
    { detail: 'Top-ups are not available: no payment provider is configured on this deployment' },
  ]);
  expect(await booksOf(db, tenant.org)).toMatchObject({ wallet: 0 });
});

test('the ledger in pages, newest first, each entry once', async () => {
  for (let amount = 1; amount <= 5; amount += 1) {
    await db.query(
      `INSERT INTO wallet_ledger (organization_id, kind, amount_mc, extra_metadata) VALUES ($1, 'adjustment', $2, '{"a": 1}')`,
      [tenant.org, amount * 1_000],
    );
  }
  const amounts: number[] = [];
  let cursor = '';
  let pages = 0;
  do {
    const { body } = await tenant.call('GET', `/subscriptions/wallet/ledger?limit=2${cursor}`);
    amounts.push(...body.items.map((item: { amount: number }) => item.amount));
    expect(body.items[0]).toMatchObject({ kind: 'adjustment', extra_metadata: { a: 1 } });
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    pages += 1;
  } while (cursor !== '');
  expect([pages, amounts.toSorted()]).toEqual([3, [1, 2, 3, 4, 5]]);
  const stranger = await api.tenant();
  expect((await stranger.call('GET', '/subscriptions/wallet/ledger')).body.items).toEqual([]);
});

describe('use by day', () => {
  const daily = (days: string, who = tenant): Promise<Answer> =>
    who.call('GET', `/subscriptions/usage/daily${days}`);
  const dayOf = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

  test('tells credits, runs and tokens of each day in UTC, and zeros of the others', async () => {
    // The first moment of a day, and the last: neither belongs to a neighbour.
    const use = (at: string, mc: number): Promise<unknown> =>
      db.query(
        `INSERT INTO credit_usage (organization_id, subject_id, step_id, kind, model, is_byok, input_tokens, output_tokens, credits_mc, created_at)
         VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'llm', 'm', false, 10, 2, $3, $2)`,
        [tenant.org, at, mc],
      );
    await use(`${dayOf(2)}T00:00:00Z`, 1_500);
    await use(`${dayOf(2)}T23:59:59.999Z`, 250);
    await use(`${dayOf(7)}T12:00:00Z`, 9_000);
    for (const ago of [2, 2, 0]) {
      const started = await tenant.call('POST', '/workflows/run', { body: { workflow: hello(), input: {} } });
      await db.query('UPDATE runs SET created_at = $2 WHERE run_id = $1', [
        started.body.run_id,
        `${dayOf(ago)}T00:00:01Z`,
      ]);
    }
    // A resumed segment, and the run of a sub-workflow, are not runs of their own.
    await db.query(
      `INSERT INTO runs (root_run_pk, parent_run_pk, organization_id, definition_hash, workflow_name, workflow_version, workflow_source, trigger_type, is_ad_hoc)
       SELECT CASE more.kind WHEN 'segment' THEN r.root_run_pk ELSE gen_random_uuid() END,
              CASE more.kind WHEN 'child' THEN r.id END, r.organization_id, r.definition_hash, r.workflow_name,
              r.workflow_version, r.workflow_source, r.trigger_type, r.is_ad_hoc
       FROM (SELECT * FROM runs WHERE organization_id = $1 LIMIT 1) AS r, (VALUES ('segment'), ('child')) AS more(kind)`,
      [tenant.org],
    );
    const { status, body } = await daily('?days=4');
    expect(status).toBe(200);
    const nothing = { credits: 0, runs: 0, input_tokens: 0, output_tokens: 0 };
    expect(body).toEqual({
      days: [
        { ...nothing, day: dayOf(3) },
        { day: dayOf(2), credits: 1.75, runs: 2, input_tokens: 20, output_tokens: 4 },
        { ...nothing, day: dayOf(1) },
        { ...nothing, day: dayOf(0), runs: 1 },
      ],
    });
    const stranger = await api.tenant();
    expect((await daily('?days=1', stranger)).body).toEqual({ days: [{ ...nothing, day: dayOf(0) }] });
  });

  test.each([
    ['', 30],
    ['?days=1', 1],
    ['?days=90', 90],
  ])('%j is %i days', async (days, count) => {
    const { body } = await daily(days);
    expect([body.days.length, body.days[0].day, body.days.at(-1).day]).toEqual([
      count,
      dayOf(count - 1),
      dayOf(0),
    ]);
  });

  test.each(['0', '91', '-1', '1.5', 'x', ''])('%j days are refused', async (days) => {
    expect((await daily(`?days=${days}`)).status).toBe(422);
  });
});
