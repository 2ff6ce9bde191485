/** An operator's command would report success without a change, or change what it does not name. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { runAdmin } from '../../src/processes/admin-commands.ts';
import { formatDiagnosis, judgeTemporal } from '../../src/processes/doctor.ts';
import { appendEvents } from '../../src/engine/runs/ledger/write/events.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { configVariables } from '../support/variables.ts';

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

const admin = (...args: string[]): Promise<Outcome> => adminWith({}, ...args);

/** Runs a command in this process: a process of its own takes half a second to start. */
async function adminWith(more: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const variables = {
    APP_ENV: 'test',
    DATABASE_URL: api.deps.config.databaseUrl,
    LOG_LEVEL: 'silent',
    // Nothing listens there.
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ...more,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const [out, err] = (['log', 'error'] as const).map((stream) =>
    vi.spyOn(console, stream).mockImplementation(() => undefined),
  );
  try {
    const status = await runAdmin(args, process.env);
    const print = (spy: typeof out): string =>
      spy?.mock.calls.map(([line]) => `${String(line)}\n`).join('') ?? '';
    return { status, out: print(out), err: print(err) };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

/** The commands of the overview. */
const listCommands = async (): Promise<string[]> =>
  [...(await admin('--help')).out.matchAll(/^ {2}([a-z]+(?::[a-z]+)?) ?/gm)].map(([, name = '']) => name);

describe('admin', () => {
  test('as a process it prints the answer and ends with the status of the command', async () => {
    const program = join(inject('builtService'), 'src', 'processes', 'admin.js');
    const env = { PATH: process.env['PATH'], APP_ENV: 'test', DATABASE_URL: api.deps.config.databaseUrl };
    const start = (...args: string[]): Promise<Outcome> =>
      new Promise((resolve) => {
        execFile(process.execPath, [program, ...args], { env }, (error, out, err) =>
          resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
        );
      });
    expect(await start('org:list')).toMatchObject({ status: 0, out: expect.stringContaining(tenant.org) });
    const refused = { status: 2, out: '', err: expect.stringContaining('unknown command: explode') };
    expect(await start('explode')).toMatchObject(refused);
  });

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

  test('retention:set changes what it is given, of an organization or a workflow', async () => {
    const saved = await tenant.call('POST', '/workflows', {
      body: { name: 'Kept', workflow_schema: { nodes: [], edges: [] } },
    });
    const set = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await admin('retention:set', ...args, '--json')).out);
    const workflow = {
      organization_id: tenant.org,
      workflow_id: saved.body.id,
      run_retention_days: 9,
      value_retention_days: null,
      redacted_paths: ['a', 'b.c'],
      audit_retention_days: null,
    };
    expect(await set('--workflow', saved.body.id, '--runs', '9', '--redact', 'a,b.c')).toEqual(workflow);
    expect(await set('--workflow', saved.body.id, '--redact', 'off')).toEqual({
      ...workflow,
      redacted_paths: [],
    });
    const organization = { ...workflow, workflow_id: null, run_retention_days: null, redacted_paths: [] };
    expect(await set(tenant.org, '--audit', '90')).toEqual({ ...organization, audit_retention_days: 90 });
    expect(await set(tenant.org, '--audit', 'off')).toEqual(organization);
    expect((await admin('retention:set', tenant.org, '--audit', '89')).err).toMatch(/90 to 3650 days/);
    expect((await admin('retention:set', randomUUID(), '--runs', '1')).err).toMatch(/no organization/);
    expect((await admin('retention:set', '--workflow', randomUUID(), '--runs', '1')).err).toMatch(
      /no workflow/,
    );
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
    [['explode'], 2, /unknown command: explode\n\nnode dist/],
    // Only the usage of the command: the message must not scroll away.
    [['org:set', '--plan', 'pro'], 2, /^one org_id is needed\n\norg:set <org_id>[^\n]*\n(?! {2}doctor)/],
    // The person without --user: the whole organization would be erased.
    [['data:erase', randomUUID(), 'ada@example.test', '--yes'], 2, /one org_id is needed/],
    [['data:export', randomUUID(), 'ada@example.test', '--out', '/dev/null'], 2, /one org_id is needed/],
    [['data:jobs', randomUUID(), randomUUID()], 2, /one org_id is needed/],
    [['org:set', randomUUID(), '--suspended', '--not-suspended'], 2, /exclude each other/],
    [['codec:serve', '--port', '70000'], 2, /--port 70000: a port number is needed/],
    [['key:create', '--user', 'nobody@example.test'], 1, /no active user/],
    [['user:create'], 2, /^--email EMAIL is needed\n/],
    [['user:create', '--email', 'ada'], 2, /^--email ada: an email address is needed\n/],
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
    expect(formatDiagnosis(diagnosis)).toMatch(/failed {3}temporal .*\n +→ Check TEMPORAL_ADDRESS/);
  });

  test.each(['runs:reconcile', 'temporal:setup', 'temporal:adopt'])(
    '%s says that Temporal is away, and has no result and no stack',
    async (command) => {
      const { status, out, err } = await adminWith({ LOG_LEVEL: 'info' }, command);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^Temporal is unavailable: [^\n]*\. The command doctor tells what to do\.\n$/);
    },
  );

  test('the remedy of a check that broke is about what broke it', async () => {
    const remediesOf = async (databaseUrl: string): Promise<Record<string, string>> => {
      const { out } = await adminWith({ DATABASE_URL: databaseUrl }, 'doctor', '--json');
      const { checks } = JSON.parse(out) as { checks: { check: string; remedy: string }[] };
      return Object.fromEntries(checks.map(({ check, remedy }) => [check, remedy]));
    };
    const away = await remediesOf('postgresql://nobody@127.0.0.1:9/none');
    for (const check of ['database', 'schema', 'outbox']) expect(away[check]).toMatch(/^Check DATABASE_URL/);
    const empty = new URL(api.deps.config.databaseUrl);
    empty.pathname = '/postgres';
    expect((await remediesOf(empty.href))['outbox']).toBe('Run `node dist/src/base/db/migrate.js`.');
  });

  test('what shows private data is recorded, what shows none is not', async () => {
    const readNames = async (): Promise<unknown[]> =>
      (
        await api.deps.db.query<{ name: string }>(
          `SELECT object_name AS name FROM audit_log WHERE action = 'command.started' ORDER BY created_at, id`,
        )
      ).map(({ name }) => name);
    const before = (await readNames()).length;
    for (const args of [
      ['audit:export', '--action', 'x'],
      ['org:list'],
      ['runs:stuck'],
      ['data:jobs', tenant.org],
    ])
      expect((await admin(...args)).status, args[0]).toBe(0);
    // No port: it ends.
    expect((await admin('codec:serve', '--port', 'x')).status).toBe(2);
    expect((await readNames()).slice(before)).toEqual(['audit:export', 'codec:serve']);
    const away = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' };
    const unrecorded = await adminWith(away, 'codec:serve', '--port', 'x');
    expect([unrecorded.status, unrecorded.err]).toEqual([
      2,
      expect.stringMatching(/audit log has no entry of this command.*\n--port x: a port number is needed/),
    ]);
  });

  test('bundle reports on the installation, and has no secret of it', async () => {
    const database = new URL(api.deps.config.databaseUrl);
    const canary = (name: string): string => `canary-${name}-c0ffee`;
    const secrets: Record<string, string> = {
      API_KEY_SECRET: canary('api-key-secret').padEnd(32, 'x'),
      API_KEY_SECRET_PREVIOUS: canary('previous').padEnd(32, 'x'),
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')},k2:${Buffer.alloc(32, 9).toString('base64')}`,
      HEALTH_API_KEY: canary('health'),
      HEALTH_API_KEY_PREVIOUS: canary('former-health'),
      METRICS_TOKEN: canary('metrics-token'),
      METRICS_TOKEN_PREVIOUS: canary('former-metrics-token'),
      MANAGED_LLM_API_KEY: canary('llm'),
      MANAGED_EMBEDDING_API_KEY: canary('embedding'),
      REALTIME_ADMIN_API_KEY: canary('realtime'),
      REALTIME_ADMIN_API_KEY_PREVIOUS: canary('former-realtime'),
      STRIPE_SECRET_KEY: canary('stripe'),
      STRIPE_WEBHOOK_SECRET: canary('webhook'),
      TEMPORAL_API_KEY: canary('temporal'),
      TEMPORAL_TLS_KEY: `-----BEGIN PRIVATE KEY-----\n${canary('tls-key')}`,
      TEMPORAL_TLS_CERT: '-----BEGIN CERTIFICATE-----',
      SMTP_URL: `smtp://me:${canary('smtp')}@mail.example:587`,
      OAUTH_CLIENTS: JSON.stringify({ github: { client_id: 'id', client_secret: canary('oauth') } }),
    };
    // A new secret must be hidden, too: its name says what it is.
    const names = configVariables().filter((name) =>
      /SECRET|PASSWORD|TOKEN(?!S)|KEYS?$|SMTP|CLIENTS/.test(name),
    );
    expect([...Object.keys(secrets), 'DATABASE_PASSWORD']).toEqual(expect.arrayContaining(names));
    const settings = {
      APP_URL: 'https://app.example',
      MAIL_FROM: 'a@b.example',
      MANAGED_LLM_MODEL: 'm',
      MANAGED_EMBEDDING_BASE_URL: 'http://models.example/v1',
      MANAGED_EMBEDDING_MODEL: 'e',
      REALTIME_ADMIN_EMAIL: 'me@b.example',
      LOG_LEVEL: 'silent',
    };
    const { status, out } = await adminWith(
      { ...secrets, ...settings, MANAGED_LLM_BASE_URL: `http://u:${canary('url')}@models.example/v1` },
      'bundle',
      '--json',
      '--metrics',
      `${api.url}/metrics`,
    );
    expect(status).toBe(0);
    expect(out).not.toContain('c0ffee');
    for (const key of [7, 9].map((byte) => Buffer.alloc(32, byte).toString('base64')))
      expect(out).not.toContain(key);
    const report = JSON.parse(out) as Record<string, Record<string, unknown>>;
    expect(report['configuration']).toMatchObject({
      ...settings,
      API_KEY_SECRET: '***',
      DATABASE_URL: `postgresql://${database.host}${database.pathname}`,
      MANAGED_LLM_BASE_URL: 'http://models.example/v1',
    });
    expect(report['doctor']?.['checks']).toContainEqual(
      expect.objectContaining({ check: 'temporal', status: 'failed' }),
    );
    for (const part of ['migrations', 'tables', 'runs', 'outbox'])
      expect(report['database']?.[part], part).toEqual(expect.any(Array));
    // The API has another token.
    expect(report['metrics']).toEqual({ [`${api.url}/metrics`]: 'status 404' });
  });

  test('a file that cannot be written is named without a stack, by bundle before it collects', async () => {
    const nowhere = '/proc/no/such/file';
    const report = await admin('bundle', '--out', nowhere);
    expect(report).toMatchObject({ status: 1, out: '' });
    expect(report.err).toMatch(/^--out \/proc\/no\/such\/file: ENOENT.*--json$/m);
    const exported = await admin('data:export', tenant.org, '--out', nowhere);
    expect(exported.status).toBe(1);
    expect(exported.err).toMatch(/^ENOENT: no such file or directory, open '\/proc\/no\/such\/file'$/m);
  });

  test('data:export stores a file that only its owner reads, and no job for one that it cannot write', async () => {
    const { org } = await api.tenant();
    await admin('data:export', org, '--out', '/proc/no/such/file');
    expect(await admin('data:jobs', org)).toEqual({ status: 0, out: '', err: '' });
    const file = join(tmpdir(), `export-${randomUUID()}.jsonl.gz`);
    try {
      const { status, out } = await admin('data:export', org, '--out', file);
      const { mode } = statSync(file);
      const text = gunzipSync(readFileSync(file));
      const digest = createHash('sha256').update(text).digest('hex');
      expect([status, out, mode & 0o777]).toEqual([
        0,
        expect.stringContaining(`${file}: ${text.length} bytes of JSON Lines, SHA-256 ${digest}`),
        0o600,
      ]);
      expect((await admin('data:jobs', org)).out).toContain('export of organization: completed');
    } finally {
      rmSync(file, { force: true });
    }
  });

  test('a database that is away, or refuses, is named without a stack', async () => {
    const url = new URL(api.deps.config.databaseUrl);
    const withUrl = async (change: (there: URL) => void): Promise<Outcome> => {
      const there = new URL(url);
      change(there);
      return adminWith({ DATABASE_URL: there.href }, 'org:list');
    };
    const answers = [
      await withUrl((there) => (there.port = '9')),
      await withUrl((there) => (there.pathname = '/nowhere')),
      // It has no migrations.
      await withUrl((there) => (there.pathname = '/template1')),
    ];
    for (const { status, out, err } of answers) {
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^The database: .+\. The command doctor tells what to do\.\n$/);
    }
  });

  test('bundle writes a file that only its owner reads', async () => {
    const file = join(tmpdir(), `bundle-${randomUUID()}.json`);
    try {
      const { status, out } = await admin('bundle', '--out', file, '--metrics', `${api.url}/metrics`);
      expect([status, out]).toEqual([0, expect.stringContaining(file)]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('doctor');
    } finally {
      rmSync(file, { force: true });
    }
  });

  test('user:create makes somebody who works by a key, once', async () => {
    const { status, out } = await admin('user:create', '--email', 'Solo@Example.com');
    expect(status).toBe(0);
    const made = JSON.parse(out) as Record<'email' | 'organization_id' | 'api_key', string>;
    expect(made.email).toBe('solo@example.com');
    const answer = await api.call('GET', '/workflows', { token: made.api_key, org: made.organization_id });
    expect(answer.status).toBe(200);
    const again = await admin('user:create', '--email', 'solo@example.com');
    expect(again).toMatchObject({ status: 1, out: '' });
    expect(again.err).toContain('key:create');
    expect((await admin('user:create')).status).toBe(2);
  });

  test('--help everywhere', async () => {
    expect((await admin('--help')).out).toContain('runs:reconcile');
    const commands = await listCommands();
    expect(commands.length).toBeGreaterThanOrEqual(20);
    for (const command of commands) {
      const { status, out } = await admin(command, '--help');
      expect([status, out]).toEqual([0, expect.stringContaining(command)]);
    }
  });

  test('--json everywhere', async () => {
    for (const command of await listCommands()) {
      expect((await admin(command, '--help')).out, command).toContain('--json');
      // The first option that is unknown is the one that is named.
      const { status, err } = await admin(command, '--json', '--no-such-option');
      expect([command, status, err]).toEqual([
        command,
        2,
        expect.stringContaining("Unknown option '--no-such-option'"),
      ]);
    }
    const key = await admin(
      'key:create',
      '--user',
      (await tenant.call('GET', '/auth/me')).body.email,
      '--json',
    );
    expect(JSON.parse(key.out)).toMatchObject({ api_key: expect.stringMatching(/^svc_live_/) });
  });

  test('doctor reports an invalid configuration like any other finding', async () => {
    const bad = { PORT: 'many' };
    const { status, out } = await adminWith(bad, 'doctor', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([
      1,
      {
        status: 'failed',
        checks: [{ check: 'configuration', status: 'failed', message: expect.stringContaining('PORT') }],
      },
    ]);
    const read = await adminWith(bad, 'doctor');
    expect(read.out).toMatch(/failed {3}configuration .*PORT/s);
    expect(`${read.out}${read.err}`.match(/1 of 1 checks failed/g)).toHaveLength(1);
    expect(await adminWith(bad, 'org:list', '--json')).toMatchObject({ status: 1, out: '' });
  });

  test.each([
    [{}, 'HEALTH_API_KEY (health report, metrics)'],
    [{ METRICS_TOKEN: 'm'.repeat(32) }, 'HEALTH_API_KEY (health report)'],
  ])('doctor says which report %j leaves closed', async (variables, words) => {
    const { out } = await adminWith(variables, 'doctor', '--json');
    const { checks } = JSON.parse(out) as { checks: { check: string; message: string }[] };
    expect(checks.find(({ check }) => check === 'configuration')?.message).toContain(words);
  });

  test.each([
    ['1.28.9', 'warning'],
    ['1.29.0', 'ok'],
    ['1.32.0-148.1', 'ok'],
    ['2.0.0', 'ok'],
    ['0.99.0', 'warning'],
    ['unknown', 'ok'],
  ])('doctor finds a server of Temporal %s: %s', (serverVersion, status) => {
    const [server] = judgeTemporal(api.deps.config, {
      serverVersion,
      retentionDays: 7,
      missingAttributes: [],
      queues: [],
    });
    expect(server).toMatchObject({ check: 'temporal', status });
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
