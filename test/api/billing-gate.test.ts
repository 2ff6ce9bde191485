/**
 * An organization would run beyond its plan or its credits, or be refused what it has paid for (SPEC API-limits;
 * SEC-B).
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeApiRequest } from '../../src/platform/billing/windows.ts';
import { openDb, type Db } from '../../src/base/db/client.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { drain, listen, readPort } from '../../src/platform/http/server.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { booksOf, setTerms, type Terms } from '../support/money.ts';

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

const run = (by: Tenant, headers: Record<string, string> = {}): Promise<Answer> =>
  by.call('POST', '/workflows/run', { body: { workflow: hello() }, headers });

/** Rows of the organization that a run writes. */
async function rowsOf(org: string): Promise<Record<string, number>> {
  const [counts] = await db.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM runs WHERE organization_id = $1) AS runs,
            (SELECT count(*) FROM run_events WHERE run_pk IN (SELECT id FROM runs WHERE organization_id = $1)) AS events,
            (SELECT count(*) FROM outbox WHERE organization_id = $1) AS outbox,
            (SELECT count(*) FROM definitions WHERE organization_id = $1) AS definitions,
            (SELECT count(*) FROM chats WHERE organization_id = $1) AS chats,
            (SELECT count(*) FROM idempotency_keys WHERE organization_id = $1) AS keys,
            (SELECT count(*) FROM credit_reservations WHERE organization_id = $1) AS reservations`,
    [org],
  );
  return counts ?? {};
}

const REFUSALS: readonly [string, Terms, number, object][] = [
  [
    'the free plan is used up',
    { plan: 'free', used: 500 },
    402,
    { code: 'credit_plan_exhausted', layer: 'credit', key: 'monthly_credits', current: 500, limit: 500 },
  ],
  [
    'the free plan has a wallet, which it may not use',
    { plan: 'free', used: 500, overage: true, wallet: 50 },
    402,
    { code: 'credit_plan_exhausted', layer: 'credit', key: 'monthly_credits', current: 500, limit: 500 },
  ],
  [
    'the subscription is suspended',
    { plan: 'enterprise', suspended: true },
    402,
    { code: 'credit_plan_exhausted', layer: 'credit', key: null, current: null, limit: null },
  ],
  [
    'overage is off',
    { plan: 'pro', used: 5_000, wallet: 50 },
    402,
    {
      code: 'wallet_overage_disabled',
      layer: 'wallet',
      key: 'monthly_credits',
      current: 5_000,
      limit: 5_000,
    },
  ],
  [
    'the wallet is empty',
    { plan: 'pro', used: 6_000, overage: true },
    402,
    { code: 'wallet_insufficient', layer: 'wallet', key: 'wallet', current: 0, limit: null },
  ],
  [
    'an overridden allowance is used up',
    { plan: 'max', used: 7, entitlements: { monthly_credits: 7 } },
    402,
    { code: 'wallet_overage_disabled', layer: 'wallet', key: 'monthly_credits', current: 7, limit: 7 },
  ],
  [
    'SEC-B07: the run rate is 0',
    { plan: 'pro', entitlements: { sync_exec: 0 } },
    429,
    { code: 'rate_limit_exceeded', layer: 'rate', key: 'sync_exec', current: 0, limit: 0 },
  ],
  [
    'the run rate of an unlimited plan is 0',
    { plan: 'enterprise', entitlements: { sync_exec: 0 } },
    429,
    { code: 'rate_limit_exceeded', layer: 'rate', key: 'sync_exec', current: 0, limit: 0 },
  ],
];

describe('POST /workflows/run', () => {
  test.each(REFUSALS)('SEC-B04: refused and nothing written when %s', async (_, terms, status, denial) => {
    await setTerms(db, tenant.org, terms);
    const before = [await rowsOf(tenant.org), await booksOf(db, tenant.org)];
    for (const headers of [{}, { 'idempotency-key': 'once' }]) {
      const answer = await run(tenant, headers);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ ...denial, reason: (denial as { code: string }).code });
      expect(answer.headers.get('retry-after') !== null).toBe(status === 429);
    }
    const thread = await tenant.call('POST', '/workflows/run', {
      body: { workflow: hello(), config: { thread_id: 'mine' } },
    });
    expect(thread.status).toBe(status);
    expect([await rowsOf(tenant.org), await booksOf(db, tenant.org)]).toEqual(before);
  });

  test('SEC-B09: the headers of a refusal by the run rate', async () => {
    await setTerms(db, tenant.org, { entitlements: { sync_exec: 1 } });
    expect((await run(tenant)).status).toBe(200);
    const { status, headers } = await run(tenant);
    expect(status).toBe(429);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['1', '0']);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
  });

  test('SEC-B05: of 100 at once with credit for one, one is admitted', async () => {
    await setTerms(db, tenant.org, { used: 499, entitlements: { api: null, sync_exec: null } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => run(tenant)));
    const codes = answers.map((answer) => (answer.status === 200 ? 'admitted' : answer.body.code)).sort();
    expect(codes).toEqual(['admitted', ...Array.from({ length: 99 }, () => 'credit_plan_exhausted')]);
    expect((await rowsOf(tenant.org))['runs']).toBe(1);
    expect(await booksOf(db, tenant.org)).toMatchObject({ reserved: 1_000, reservations: 1_000 });
  });

  test('a wallet with credit for one admits one', async () => {
    await setTerms(db, tenant.org, { plan: 'pro', used: 5_000, overage: true, wallet: 1 });
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => run(tenant)))).map((a) => a.status);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 402)]);
  });

  test('of ten at once on a run rate of four, four are admitted and reserve', async () => {
    await setTerms(db, tenant.org, { plan: 'pro', entitlements: { sync_exec: 4 } });
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => run(tenant)))).map((a) => a.status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
    expect(await booksOf(db, tenant.org)).toMatchObject({ reserved: 4_000, reservations: 4_000 });
  });

  test('SEC-B07: unlimited means that nothing is counted and nothing reserved', async () => {
    await setTerms(db, tenant.org, { plan: 'enterprise', used: 1_000_000 });
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => run(tenant)))).map((a) => a.status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await booksOf(db, tenant.org)).toMatchObject({ reserved: 0 });
  });

  test('a stored answer passes no gate and costs nothing', async () => {
    await setTerms(db, tenant.org, { used: 499, entitlements: { sync_exec: 1 } });
    const first = await run(tenant, { 'idempotency-key': 'again' });
    const second = await run(tenant, { 'idempotency-key': 'again' });
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(await booksOf(db, tenant.org)).toMatchObject({ reserved: 1_000 });
  });

  test('what fails validation is neither charged nor counted', async () => {
    await setTerms(db, tenant.org, { entitlements: { sync_exec: 1 } });
    const wrong = [
      { workflow: { ...hello(), nodes: 'none' } },
      { workflow: 'no object' },
      { workflow_id: randomUUID() },
      {},
    ];
    for (const body of wrong) {
      const { status } = await tenant.call('POST', '/workflows/run', { body });
      expect([400, 404, 422]).toContain(status);
    }
    expect(await booksOf(db, tenant.org)).toMatchObject({ reserved: 0 });
    expect((await run(tenant)).status).toBe(200);
  });

  test('last month is over', async () => {
    await setTerms(db, tenant.org, { used: 500 });
    await db.query(
      `UPDATE credit_accounts SET period = period - interval '1 month' WHERE organization_id = $1`,
      [tenant.org],
    );
    expect((await run(tenant)).status).toBe(200);
  });
});

describe('the api class of an organization', () => {
  let second: Awaited<ReturnType<typeof listen>>;
  let secondUrl: string;
  let secondDb: Db;
  beforeAll(async () => {
    secondDb = openDb(api.deps.config.databaseUrl);
    second = await listen(createApp({ ...api.deps, db: secondDb }, allRoutes()), '127.0.0.1', 0);
    secondUrl = `http://127.0.0.1:${readPort(second)}`;
  });
  afterAll(async () => {
    await drain(second, 1_000);
    await secondDb.close();
  });

  const list = async (url: string): Promise<number> => {
    const headers = { authorization: `Bearer ${tenant.token}`, 'x-organization-id': tenant.org };
    const response = await fetch(`${url}/workflow-runs`, { headers });
    await response.arrayBuffer();
    return response.status;
  };

  test('of 400 at once against 300, over two processes, exactly 300 are admitted', async () => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const statuses = await Promise.all(
      Array.from({ length: 400 }, (_, index) => list(index % 2 === 0 ? api.url : secondUrl)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
  });

  test('shape B, with every header', async () => {
    await setTerms(db, tenant.org, { entitlements: { api: 2 } });
    expect([await list(api.url), await list(api.url)]).toEqual([200, 200]);
    const { status, body, headers } = await tenant.call('GET', '/workflows');
    expect([status, body]).toEqual([
      429,
      {
        detail: {
          code: 'rate_limited',
          layer: 'rate',
          key: 'api',
          current: 2,
          limit: 2,
          reason: 'rate_limit_exceeded',
        },
      },
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['2', '0']);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
  });

  test('a lowered limit tells how much was used', async () => {
    await setTerms(db, tenant.org, { entitlements: { api: 5 } });
    for (let count = 0; count < 3; count += 1) await list(api.url);
    await setTerms(db, tenant.org, { entitlements: { api: 1 } });
    expect((await tenant.call('GET', '/workflows')).body.detail).toMatchObject({ current: 3, limit: 1 });
  });

  test('stands behind the organization checks with the role, and before validation and gate', async () => {
    await setTerms(db, tenant.org, { plan: 'free', used: 500, entitlements: { api: 0 } });
    const stranger = await api.tenant();
    const call = (by: Tenant, org: string | undefined): Promise<Answer> =>
      by.call('POST', '/workflows/run', { org, body: { workflow: 'no object' } });
    expect((await call(tenant, undefined)).status).toBe(400);
    expect((await call(stranger, tenant.org)).status).toBe(403);
    expect((await call(tenant, tenant.org)).body.detail.code).toBe('rate_limited');
    const setRole = (role: string): Promise<unknown> =>
      db.query(`UPDATE memberships SET role = $2 WHERE organization_id = $1`, [tenant.org, role]);
    await setRole('member');
    expect((await tenant.call('POST', '/workflows', { body: {} })).status).toBe(403);
    await setRole('owner');
    expect((await tenant.call('POST', '/workflows', { body: {} })).status).toBe(429);
    await setTerms(db, tenant.org, { plan: 'free', used: 500 });
    expect((await call(tenant, tenant.org)).status).toBe(422);
    expect((await run(tenant)).status).toBe(402);
  });

  test('is not asked on administrative rows, nor without an organization', async () => {
    await setTerms(db, tenant.org, { entitlements: { api: 0 } });
    const rows = [
      '/subscriptions',
      '/subscriptions/wallet/ledger',
      '/auth/me',
      '/organizations',
      '/api-keys',
    ];
    const statuses = await Promise.all(rows.map(async (path) => (await tenant.call('GET', path)).status));
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const invited = await tenant.call('POST', `/organizations/${tenant.org}/invitations`, {
      body: { email: 'somebody@example.test', role: 'admin' },
    });
    expect(invited.status).toBe(201);
  });
});

describe('SEC-B03: a limiter that cannot count', () => {
  let locker: pg.Client;
  beforeEach(async () => {
    locker = new pg.Client({ connectionString: api.deps.config.databaseUrl });
    await locker.connect();
  });
  afterEach(() => locker.end());

  test('lets organizations pass, and keys and users as far as this process has counted', async () => {
    const { body: key } = await tenant.call('POST', '/api-keys', {
      body: { name: 'x', rate_limit_per_minute: 1 },
    });
    await setTerms(db, tenant.org, { entitlements: { api: 0 } });
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE rate_windows IN ACCESS EXCLUSIVE MODE');
    const statuses: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      const call = { token: key.key, org: tenant.org };
      statuses.push((await api.call('GET', '/workflows', call)).status);
    }
    expect(statuses).toEqual([200, 429]);
    await locker.query('ROLLBACK');
    expect((await tenant.call('GET', '/workflows')).status).toBe(429);
  });

  test('a flood does not switch off its own limit: one statement waits for it, and waits twice', async () => {
    const organizationId = randomUUID();
    const subscription = { plan: 'pro', overrides: { api: 10 }, isSuspended: false };
    const scope = { organizationId, subscription };
    await db.query('INSERT INTO rate_windows (subject) VALUES ($1)', [`api:${organizationId}`]);
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM rate_windows WHERE subject = $1 FOR UPDATE', [`api:${organizationId}`]);
    let statements = 0;
    const query: Db['query'] = async (text, params) => {
      statements += 1;
      try {
        return await db.query(text, params);
      } catch (error) {
        await locker.query('ROLLBACK');
        throw error;
      }
    };
    const share: Db['share'] = (write, item) => {
      const run: typeof write.run = (sql, items) => write.run({ ...sql, query }, items);
      return db.share({ ...write, name: 'counted', run }, item);
    };
    const deps = { ...api.deps, db: { ...db, share } };
    const flood = Array.from({ length: 30 }, () => takeApiRequest(deps, scope));
    const statuses = (await Promise.allSettled(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(10);
    expect(statements).toBe(2);
  });
});
