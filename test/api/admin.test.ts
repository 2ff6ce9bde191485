/** An operator's command would report success without a change, or change what it does not name. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { appendEvents } from '../../src/runs/ledger/events.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

// Each test starts processes: on a loaded machine that takes long.
vi.setConfig({ testTimeout: 120_000 });

const ADMIN = join(inject('builtService'), 'src', 'admin.js');

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const admin = (...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = {
      ...process.env,
      APP_ENV: 'test',
      DATABASE_URL: api.deps.config.databaseUrl,
      LOG_LEVEL: 'silent',
      // Nothing listens there.
      TEMPORAL_ADDRESS: '127.0.0.1:9',
    };
    execFile(process.execPath, [ADMIN, ...args], { env }, (error, out, err) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });

describe('admin', () => {
  test('org:set changes what is named and keeps the rest', async () => {
    const set = await admin(
      'org:set',
      tenant.org,
      '--plan',
      'pro',
      '--entitlement',
      'api=7',
      '--entitlement',
      'sync_exec=null',
    );
    expect(set.status).toBe(0);
    const again = await admin('org:set', tenant.org, '--suspended', '--entitlement', 'api=8');
    expect(JSON.parse(again.out)).toMatchObject({
      id: tenant.org,
      plan: 'pro',
      entitlements: { api: 8, sync_exec: null },
      is_suspended: true,
    });
    const kept = await admin('org:set', tenant.org, '--run-retention', '90');
    expect(JSON.parse(kept.out)).toMatchObject({ run_retention_days: 90, is_suspended: true });
    const forever = await admin('org:set', tenant.org, '--run-retention', 'off');
    expect(JSON.parse(forever.out)).toMatchObject({ run_retention_days: null });
    const open = await admin('org:set', tenant.org, '--not-suspended', '--plan', 'enterprise');
    expect(JSON.parse(open.out)).toMatchObject({ plan: 'enterprise', is_suspended: false });
  });

  test('org:set sets credits, overage and wallet, for the next request; the wallet by an entry of its ledger', async () => {
    const other = await api.tenant();
    const set = (...args: string[]): Promise<Outcome> => admin('org:set', other.org, ...args);
    await set(
      '--plan',
      'pro',
      '--credits-used',
      '4999',
      '--overage',
      'on',
      '--wallet',
      '7',
      '--not-suspended',
    );
    const { status, out } = await set('--wallet', '5', '--credits-used', '5000');
    expect([status, JSON.parse(out)]).toMatchObject([
      0,
      { plan: 'pro', used: 5_000, balance: 5, isOverageEnabled: true },
    ]);
    const seen = await other.call('GET', '/subscriptions');
    expect(seen.body).toMatchObject({
      plan: 'pro',
      credits: { used: 5_000, limit: 5_000 },
      wallet: { balance: 5, extra_usage_enabled: true },
    });
    const { body } = await other.call('GET', '/subscriptions/wallet/ledger');
    expect(
      body.items.map((item: { amount: number; balance: number }) => [item.amount, item.balance]),
    ).toEqual([
      [-2, 5],
      [7, 7],
    ]);
    await set('--overage', 'off');
    const refused = await other.call('POST', '/workflows/run', { body: { workflow: hello() } });
    expect(refused.body.code).toBe('wallet_overage_disabled');
  });

  test.each([
    [['org:set', randomUUID()], 1, /no organization/],
    [['org:set', 'nonsense'], 1, /no organization/],
    [['org:set', randomUUID(), '--plan', 'gold'], 2, /one of free/],
    [['org:set', randomUUID(), '--wallet', '5'], 1, /no organization/],
    [['org:set', randomUUID(), '--wallet', '-5'], 2, /--wallet/],
    [['org:set', randomUUID(), '--wallet', '0.5'], 2, /whole number of credits/],
    [['org:set', randomUUID(), '--credits-used', 'many'], 2, /whole number of credits/],
    [['org:set', randomUUID(), '--overage', 'yes'], 2, /on or off/],
    [['org:set', randomUUID(), '--entitlement', 'apis=1'], 2, /one of monthly_credits/],
    [['org:set', randomUUID(), '--entitlement', 'api'], 2, /KEY=VALUE/],
    [['org:set', randomUUID(), '--run-retention', '0'], 2, /1 to 3650 days/],
    [['org:set', randomUUID(), '--unknown'], 2, /unknown/i],
    [['explode'], 2, /unknown command/],
    [['key:create', '--user', 'nobody@example.test'], 1, /no active user/],
  ])('%j ends with %i', async (args, status, words) => {
    const outcome = await admin(...args);
    expect([outcome.status, outcome.out]).toEqual([status, '']);
    expect(outcome.err).toMatch(words);
  });

  test('org:list and org:find name organizations, also by a member', async () => {
    const listed = await admin('org:list', '--json');
    const rows = listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ id }) => id)).toContain(tenant.org);
    expect((await admin('org:list', '--limit', '1')).out.trim().split('\n')).toHaveLength(1);
    const { email } = (await tenant.call('GET', '/auth/me')).body;
    const { slug } = (await tenant.call('GET', '/organizations')).body[0];
    for (const text of [tenant.org, slug, email.toUpperCase()]) {
      const { status, out } = await admin('org:find', text, '--json');
      expect([status, JSON.parse(out)]).toMatchObject([0, { id: tenant.org, members: 1 }]);
    }
    expect(await admin('org:find', 'nobody at all')).toMatchObject({ status: 1, out: '' });
    expect(await admin('org:find')).toMatchObject({ status: 2, out: '' });
  });

  test('doctor passes what is well, and names a remedy for what is not', async () => {
    const { status, out } = await admin('doctor', '--json');
    const diagnosis = JSON.parse(out);
    const statusOf = (check: string): string =>
      diagnosis.checks.find((finding: { check: string }) => finding.check === check)?.status;
    expect([status, diagnosis.status]).toEqual([1, 'failed']);
    // The database of the tests does not wait for its disk.
    expect(statusOf('database')).toBe('warning');
    for (const check of ['schema', 'encryption keys', 'clock'])
      expect([check, statusOf(check)]).toEqual([check, 'ok']);
    expect(statusOf('identity provider')).toBe('warning');
    // The tests of this project have no Temporal.
    expect(statusOf('temporal')).toBe('failed');
    for (const { status: found, remedy } of diagnosis.checks)
      expect(typeof remedy === 'string').toBe(found !== 'ok');
    expect((await admin('doctor')).out).toMatch(/failed {3}temporal .*\n +→ Check TEMPORAL_ADDRESS/);
  });

  test('--help everywhere', async () => {
    expect((await admin('--help')).out).toContain('runs:reconcile');
    const commands = [
      'doctor',
      'org:list',
      'org:find',
      'temporal:adopt',
      'org:set',
      'key:create',
      'runs:stuck',
    ];
    for (const command of [...commands, 'runs:reconcile']) {
      const { status, out } = await admin(command, '--help');
      expect([status, out]).toEqual([0, expect.stringContaining(command)]);
    }
  });

  test('key:create prints a key that works', async () => {
    const me = await tenant.call('GET', '/auth/me');
    const { status, out } = await admin('key:create', '--user', me.body.email, '--org', tenant.org);
    expect(status).toBe(0);
    expect((await api.call('GET', '/workflow-runs', { token: out.trim(), org: tenant.org })).status).toBe(
      200,
    );
  });

  test('key:create takes the id of a user, ours or the provider`s, where an address is of several', async () => {
    const email = `${randomUUID()}@example.test`;
    const [one, other] = [await api.tenant({ email }), await api.tenant({ email })];
    const me = (await one.call('GET', '/auth/me')).body;
    const ambiguous = await admin('key:create', '--user', email);
    expect([ambiguous.status, ambiguous.out]).toEqual([1, '']);
    for (const name of [me.id, me.id.toUpperCase(), me.subject]) {
      const { out } = await admin('key:create', '--user', name);
      expect((await api.call('GET', '/auth/me', { token: out.trim() })).body.id).toBe(me.id);
    }
    expect((await other.call('GET', '/api-keys')).body.total).toBe(0);
  });

  test('runs:stuck lists quiet runs', async () => {
    const { body } = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
    const lively = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
    await api.deps.db.query(`UPDATE runs SET last_event_at = now() - interval '1 hour'`);
    const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
      lively.body.run_id,
    ]);
    await appendEvents(api.deps.db, row?.id ?? '', [{ type: 'progress', payload: {} }]);
    const { out } = await admin('runs:stuck', '--older-than', '600');
    const listed = out
      .trim()
      .split('\n')
      .map((line): { runId: string } => JSON.parse(line));
    expect(listed.map((run) => run.runId)).toEqual([body.run_id]);
  });
});
