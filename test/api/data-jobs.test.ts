/** An erasure would leave data behind, stop half-way after a crash, or delete what belongs to somebody else. */
import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEntries } from '../../src/platform/audit/audit-log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { dataJobHandler, takeStep } from '../../src/features/data/job-runner.ts';
import {
  insertJob,
  readJob,
  readParts,
  type DataJob,
  type DataSubject,
} from '../../src/features/data/jobs.ts';
import { closeOrganization } from '../../src/features/data/request-job.ts';
import { findPlainTable } from '../../src/features/data/plain-tables.ts';
import { STORED_TABLES } from '../../src/features/data/tables.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { startApi } from '../support/api-server.ts';
import { openTestDatabase, type TestDb } from '../support/database.ts';
import { approval, ask } from '../support/questions.ts';
import { accept } from '../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
beforeEach(() => db.query('TRUNCATE organizations, users, runs, outbox, chats, data_jobs CASCADE'));
afterAll(() => db.close());

interface House {
  readonly organizationId: string;
  readonly owner: string;
  readonly member: string;
  readonly email: string;
}

/** An organization with something in many tables, by its owner and by a member, and runs of both. */
async function furnish(name: string): Promise<House> {
  const email = `${name}@example.com`;
  const [row] = await db.query<Omit<House, 'email'>>(
    `WITH o AS (INSERT INTO organizations (name, slug) VALUES ($1, $1) RETURNING id),
          u AS (INSERT INTO users (subject, email) VALUES ('owner ' || $1, 'owner-' || $2), ('member ' || $1, $2) RETURNING id, email),
          m AS (INSERT INTO memberships (user_id, organization_id, role) SELECT u.id, o.id, 'admin' FROM u, o),
          w AS (INSERT INTO workflows (organization_id, creator_id, name, workflow_schema) SELECT o.id, u.id, $1, '{}' FROM u, o RETURNING *),
          e AS (INSERT INTO workflow_edits (workflow_id, user_id, edit_version, patches, contributors)
                SELECT id, creator_id, 1, '[]', ARRAY[creator_id] FROM w),
          r AS (INSERT INTO workflow_retention (workflow_id, organization_id, run_retention_days) SELECT id, organization_id, 9 FROM w),
          s AS (INSERT INTO schedules (organization_id, workflow_id, name, cron_expression, timezone, created_by)
                SELECT organization_id, id, 'Nightly', '0 0 * * *', 'UTC', creator_id FROM w),
          k AS (INSERT INTO api_keys (user_id, name, fingerprint, key_hint, organization_id)
                SELECT u.id, 'Key', sha256(u.id::text::bytea), 'hint', o.id FROM u, o),
          q AS (INSERT INTO support_requests (user_id, organization_id, subject, message) SELECT u.id, o.id, 'S', 'M' FROM u, o),
          c AS (INSERT INTO credentials (organization_id, name, integration, auth_type, allowed_hosts, key_id, wrapped_key, ciphertext, created_by)
                SELECT o.id, 'Secret', 'http', 'bearer', '{}', 'k', 'CANARY', 'CANARY', u.id FROM u, o),
          h AS (INSERT INTO hooks (organization_id, workflow_id, name, token_hash, key_id, wrapped_key, ciphertext, created_by)
                SELECT organization_id, id, 'Hook', sha256(id::text::bytea), 'k', 'CANARY', 'CANARY', creator_id FROM w RETURNING *),
          d AS (INSERT INTO hook_deliveries (organization_id, hook_id, outcome, request)
                SELECT organization_id, id, 'filtered', '{"method": "POST", "body": "CANARY request"}' FROM h),
          n AS (INSERT INTO notification_endpoints (organization_id, name, url, event_types, key_id, wrapped_key, ciphertext, created_by)
                SELECT o.id, 'Endpoint', 'https://example.com', '{run.failed}', 'k', 'CANARY', 'CANARY', u.id FROM u, o),
          v AS (INSERT INTO notification_events (organization_id, type, payload) SELECT id, 'run.failed', '{}' FROM o),
          b AS (INSERT INTO knowledge_bases (organization_id, name, embedding_config, chunking_config) SELECT id, 'Base', '{}', '{}' FROM o)
     SELECT o.id AS "organizationId", (SELECT id FROM u WHERE email <> $2) AS owner, (SELECT id FROM u WHERE email = $2) AS member FROM o`,
    [name, email],
  );
  if (row === undefined) throw new Error('not furnished');
  const { organizationId, owner, member } = row;
  await accept(db, { organizationId, createdBy: member, runInput: { text: 'CANARY run' } });
  await accept(db, { organizationId, createdBy: member, isPrivate: true });
  await accept(db, { organizationId, createdBy: owner, metadata: { customer: '42' } });
  const waiting = await accept(db, { organizationId, createdBy: owner });
  await ask(db, waiting.runId, approval);
  const ended = await accept(db, { organizationId, createdBy: owner });
  await closeRun(db, { runPk: ended.runPk, from: ['running'], status: 'completed', payload: {} });
  return { ...row, email };
}

/** The rows of an organization by table, as text: those that the list of tables knows, and its runs. */
async function readRows(organizationId: string): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const { name, organizationCondition } of [
    ...STORED_TABLES,
    { name: 'runs', organizationCondition: undefined },
    {
      name: 'run_steps',
      organizationCondition: 't.run_pk IN (SELECT id FROM runs WHERE organization_id = $1)',
    },
  ]) {
    const rows = await db.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${name} t WHERE ${organizationCondition ?? 't.organization_id = $1'} ORDER BY 1`,
      [organizationId],
    );
    if (rows.length > 0) found[name] = rows.map(({ row }) => row);
  }
  return found;
}

async function request(
  house: House,
  kind: DataJob['kind'],
  subject: DataSubject,
): Promise<{ id: string; run(): Promise<DataJob> }> {
  const { id } = await insertJob(db, {
    organization_id: house.organizationId,
    kind,
    subject,
    requested_by: house.owner,
  });
  const run = async (): Promise<DataJob> => {
    while (await takeStep(db, id));
    const job = await readJob(db, id);
    if (job === null) throw new Error('the receipt is gone');
    return job;
  };
  return { id, run };
}

describe('data jobs', () => {
  test('every table with rows of an organization is in the list, is told by its columns, or goes with a run', async () => {
    const tables = await db.query<{ name: string }>(
      `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND c.column_name = 'organization_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const known = new Set(STORED_TABLES.map(({ name }) => name));
    for (let name = await findPlainTable(db, ''); name !== null; name = await findPlainTable(db, name))
      known.add(name);
    const others = tables.map(({ name }) => name).filter((name) => !known.has(name));
    // Receipts and the audit log stay, and entries of the outbox end with their delivery.
    expect(others).toEqual(['audit_log', 'data_jobs', 'outbox', 'runs']);
  });

  test('a table tells by its columns that it is exported and erased, unless it may have secrets', async () => {
    const common = 'id uuid, organization_id uuid, created_by uuid';
    await db.query(`CREATE TABLE plain_one (${common}, name text)`);
    await db.query(`CREATE TABLE plain_sealed (${common}, ciphertext bytea)`);
    await db.query('CREATE TABLE plain_unmade (id uuid, organization_id uuid)');
    try {
      expect(await findPlainTable(db, 'plain')).toBe('plain_one');
      expect(await findPlainTable(db, 'plain_one')).not.toMatch(/^plain/);
    } finally {
      await db.query('DROP TABLE plain_one, plain_sealed, plain_unmade');
    }
  });

  test('an erased organization is gone but for its charges, and another one is as it was', async () => {
    const [house, other] = [await furnish('gone'), await furnish('other')];
    await db.query(
      `INSERT INTO credit_usage (subject_id, step_id, model, is_byok, organization_id, kind, credits_mc) VALUES ($1, $1, 'm', false, $2, 'llm', 7)`,
      [randomUUID(), house.organizationId],
    );
    const before = await readRows(other.organizationId);
    await closeOrganization(db, house.organizationId);
    const job = await (await request(house, 'erasure', { type: 'organization' })).run();
    expect(Object.keys(await readRows(house.organizationId))).toEqual(['credit_usage']);
    expect(await readRows(other.organizationId)).toEqual(before);
    expect(job).toMatchObject({
      status: 'completed',
      completed_at: expect.any(Date),
      counts: { organizations: 1, runs: 5, workflows: 2, credentials: 2, api_keys: 2 },
    });
    expect(job.counts).not.toHaveProperty('credit_usage');
    // What was running is cancelled in Temporal, too.
    const entries = await db.query<{ kind: string; n: number }>(
      `SELECT kind, count(*)::int AS n FROM outbox WHERE organization_id = $1 GROUP BY kind ORDER BY kind`,
      [house.organizationId],
    );
    expect(Object.fromEntries(entries.map(({ kind, n }) => [kind, n]))).toMatchObject({
      cancel: 4,
      schedule: 4,
    });
  });

  test('a member is erased from what stays, and loses what is their own', async () => {
    const [house, other] = [await furnish('team'), await furnish('elsewhere')];
    await db.query(`INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'member')`, [
      house.member,
      other.organizationId,
    ]);
    const readLog = async ({ organizationId }: House): Promise<string> =>
      JSON.stringify(await readEntries(db, organizationId, { after: null, limit: 100 }));
    expect(await readLog(house)).toContain(`"${house.email}"`);
    const before = await readRows(other.organizationId);
    const job = await (await request(house, 'erasure', { type: 'member', user_id: house.member })).run();
    const after = await readRows(house.organizationId);
    expect(JSON.stringify(after)).not.toContain(house.member);
    expect(JSON.stringify(after)).toContain(house.owner);
    expect(after).toMatchObject({ workflows: [expect.any(String), expect.any(String)] });
    expect(job.counts).toMatchObject({ runs: 1, runs_without_their_starter: 1, memberships: 1, api_keys: 1 });
    expect(after['runs']).toHaveLength(4);
    expect(await readRows(other.organizationId)).toEqual(before);
    expect(await db.query('SELECT 1 FROM users WHERE id = $1', [house.member])).toHaveLength(1);
    expect(await readLog(house)).not.toContain(`"${house.email}"`);
    expect(await readLog(house)).toContain(`"owner-${house.email}"`);
    expect(await readLog(other)).toContain(`"${house.email}"`);
    // A person who comes back has a name again, from then on.
    await db.query('SELECT pg_sleep(0.01)');
    await db.query(`INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'member')`, [
      house.member,
      house.organizationId,
    ]);
    expect((await readLog(house)).split(`"${house.email}"`)).toHaveLength(2);
    await db.query('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [
      house.member,
      other.organizationId,
    ]);
    const account = { type: 'member', user_id: house.member, with_account: true } as const;
    await (await request(house, 'erasure', account)).run();
    expect(await db.query('SELECT 1 FROM users WHERE id = $1', [house.member])).toHaveLength(0);
  });

  test('the runs of a customer are found by their metadata', async () => {
    const [house, other] = [await furnish('shop'), await furnish('rival')];
    const before = await readRows(other.organizationId);
    const job = await (
      await request(house, 'erasure', { type: 'metadata', metadata: { customer: '42' } })
    ).run();
    expect(job.counts).toEqual({ runs: 1 });
    expect((await readRows(house.organizationId))['runs']).toHaveLength(4);
    expect(await readRows(other.organizationId)).toEqual(before);
  });

  test('an erasure that is killed in any step goes on from it, and counts each row once', async () => {
    const houses = [await furnish('one'), await furnish('two')];
    const [whole, broken] = await Promise.all(
      houses.map((house) => request(house, 'erasure', { type: 'organization' })),
    );
    const expected = await whole?.run();
    // A process that dies in a step rolls it back; its claim expires, and the next one begins that step anew.
    const killed: typeof db.transaction = (work) =>
      db.transaction(async (tx) => {
        await work(tx);
        throw new Error('killed');
      });
    const id = broken?.id ?? '';
    for (let isOpen = true; isOpen;) {
      await expect(takeStep({ transaction: killed }, id)).rejects.toThrow('killed');
      isOpen = await takeStep(db, id);
    }
    expect((await readJob(db, id))?.counts).toEqual(expected?.counts);
  });

  test('two processes that deliver the same entry do its steps once', async () => {
    const house = await furnish('both');
    const { id } = await request(house, 'erasure', { type: 'organization' });
    const handler = dataJobHandler({ db, clock: systemClock });
    const entry = {
      outboxId: 1,
      kind: 'data_job',
      organizationId: house.organizationId,
      subjectId: id,
    } as const;
    const delivery = { ...entry, tries: 1, ageSeconds: 0, traceparent: null };
    await Promise.all([handler.deliver(delivery), handler.deliver(delivery)]);
    expect(await readJob(db, id)).toMatchObject({
      status: 'completed',
      counts: { organizations: 1, runs: 5 },
    });
  });

  test('an export has every row of its organization once, and no secrets', async () => {
    const house = await furnish('exported');
    await furnish('hidden');
    const job = await (await request(house, 'export', { type: 'organization' })).run();
    const parts: Buffer[] = [];
    for await (const part of readParts(db, job)) parts.push(part);
    const text = gunzipSync(Buffer.concat(parts)).toString();
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
    const count = (table: string): number => lines.filter((line) => line.table === table).length;
    expect(Object.fromEntries(Object.keys(job.counts).map((table) => [table, count(table)]))).toEqual(
      job.counts,
    );
    expect(job).toMatchObject({
      counts: { runs: 5, workflows: 2, credentials: 2 },
      content_digest: createHash('sha256').update(text).digest('hex'),
    });
    expect(text).toContain('CANARY run');
    for (const secret of ['ciphertext', 'wrapped_key', 'fingerprint', 'rival', 'hidden@example.com'])
      expect(text).not.toContain(secret);
    expect(job.bytes).toBe(Buffer.byteLength(text));
  });
});

describe('over the API', () => {
  test('what is handed out of an export is what its receipt proves, whatever the client accepts', async () => {
    const api = await startApi();
    try {
      const owner = await api.tenant();
      const body = { kind: 'export', subject: 'organization' };
      const { id } = (await owner.call('POST', '/data-jobs', { body })).body;
      while (await takeStep(api.deps.db, id));
      const receipt = (await owner.call('GET', `/data-jobs/${id}`)).body;
      for (const encoding of ['identity', 'gzip', 'gzip, deflate, br', '*']) {
        const answer = await fetch(`${api.url}/data-jobs/${id}/file`, {
          headers: { authorization: `Bearer ${owner.token}`, 'accept-encoding': encoding },
        });
        expect(answer.headers.get('content-length')).toBe(String(receipt.bytes));
        const file = Buffer.from(await answer.arrayBuffer());
        expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([
          receipt.bytes,
          receipt.sha256,
        ]);
      }
    } finally {
      await api.close();
    }
  });

  test('a subject has one open export, three a day; an organization has twenty, and erasures are not counted', async () => {
    const api = await startApi();
    try {
      const owner = await api.tenant();
      const { db } = api.deps;
      const ask = async (more: object): Promise<readonly [number, string | null, string | null]> => {
        const body = { kind: 'export', ...more };
        const { status, headers } = await owner.call('POST', '/data-jobs', { body });
        return [status, headers.get('x-error-code'), headers.get('retry-after')];
      };
      const all = { subject: 'organization' };
      const of = (customer: number): object => ({
        subject: 'metadata',
        metadata: { customer: `${customer}` },
      });
      const [accepted, isOpen] = [
        [202, null, null],
        [409, 'data_job_open', null],
      ];
      const end = (): Promise<unknown> => db.query(`UPDATE data_jobs SET status = 'completed'`);
      // Sixty at once are one.
      const statuses = (await Promise.all(Array.from({ length: 60 }, () => ask(all)))).map(
        ([status]) => status,
      );
      expect(statuses.filter((status) => status === 202)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(59);
      expect(await ask(of(1))).toEqual(accepted);
      expect(await ask(of(1))).toEqual(isOpen);
      for (let more = 0; more < 2; more += 1) {
        await end();
        expect(await ask(all)).toEqual(accepted);
      }
      await end();
      expect(await ask(all)).toEqual([429, 'export_limit_reached', expect.stringMatching(/^8\d{4}$/)]);
      // Four are there.
      for (let customer = 2; customer <= 17; customer += 1) expect(await ask(of(customer))).toEqual(accepted);
      expect((await ask(of(18)))[1]).toBe('export_limit_reached');
      expect(await ask({ ...of(18), kind: 'erasure' })).toEqual(accepted);
      expect(await ask({ ...of(18), kind: 'erasure' })).toEqual(isOpen);
      // Own exports are counted by person.
      const own = { kind: 'export', organization_id: owner.org };
      const mine = async (): Promise<number> =>
        (await owner.call('POST', '/auth/me/data-jobs', { body: own })).status;
      expect([await mine(), await mine()]).toEqual([202, 409]);
      await db.query(
        `UPDATE data_jobs SET status = 'completed', created_at = created_at - interval '24 hours'`,
      );
      expect(await ask(all)).toEqual(accepted);
    } finally {
      await api.close();
    }
  });

  test('an owner sets retention, exports and erases; strangers see nothing, and the receipt stays', async () => {
    const api = await startApi();
    try {
      const [owner, stranger] = [await api.tenant(), await api.tenant()];
      const days = { run_retention_days: 90, value_retention_days: 7 };
      expect((await owner.call('PATCH', '/retention', { body: days })).body).toMatchObject({
        ...days,
        workflows: [],
      });
      const saved = await owner.call('POST', '/workflows', {
        body: { name: 'Sort', workflow_schema: { nodes: [], edges: [] } },
      });
      const change = { workflow_id: saved.body.id, value_retention_days: 1 };
      expect((await owner.call('PATCH', '/retention', { body: change })).body.workflows).toEqual([
        { ...change, name: 'Sort', run_retention_days: null, redacted_paths: [] },
      ]);
      expect((await stranger.call('PATCH', '/retention', { body: change })).status).toBe(404);

      const refused = await owner.call('PATCH', '/retention', {
        body: { redacted_paths: ['a.b', 'items[].c'] },
      });
      expect(refused.status).toBe(422);
      expect(refused.body.detail[0]).toMatchObject({ loc: ['body', 'redacted_paths', 1] });
      const paths = { redacted_paths: ['customer.ssn', '**.password'] };
      expect((await owner.call('PATCH', '/retention', { body: paths })).body).toMatchObject({
        ...days,
        ...paths,
      });
      const card = { workflow_id: saved.body.id, redacted_paths: ['card'], value_retention_days: null };
      expect((await owner.call('PATCH', '/retention', { body: card })).body.workflows).toEqual([
        { ...card, name: 'Sort', run_retention_days: null },
      ]);

      const draft = {
        nodes: [{ id: 'a', type: 'transformer', config: { mode: 'map', fields: { x: '{{input.card}}' } } }],
        edges: [],
      };
      const read = await owner.call('PATCH', `/workflows/${saved.body.id}`, {
        body: { workflow_schema: draft },
      });
      expect(read.body.problems).toContainEqual(
        expect.objectContaining({ severity: 'warning', code: 'redacted_path', node_id: 'a' }),
      );

      // One key and one body start one run, although what is stored is not what was sent.
      const input = { customer: { ssn: 'CANARY 078-05-1120' }, message: 'CANARY' };
      const body = { workflow: { nodes: [], edges: [] }, input };
      const headers = { 'Idempotency-Key': 'once' };
      const started = await owner.call('POST', '/workflows/run', { body, headers });
      expect(started).toMatchObject({ status: 200 });
      expect((await owner.call('POST', '/workflows/run', { body, headers })).body).toEqual(started.body);
      const [stored] = await api.deps.db.query<{ input: object; config: string }>(
        'SELECT input, config::text AS config FROM runs WHERE run_id = $1',
        [started.body.run_id],
      );
      expect(stored?.input).toEqual({ customer: { ssn: '[redacted]' }, message: 'CANARY' });
      expect(stored?.config).not.toContain('078');

      const mine = await owner.call('POST', '/auth/me/data-jobs', {
        body: { kind: 'export', organization_id: owner.org },
      });
      expect(mine).toMatchObject({ status: 202, body: { subject: 'member', kind: 'export' } });
      const foreign = { kind: 'export', organization_id: stranger.org };
      expect((await owner.call('POST', '/auth/me/data-jobs', { body: foreign })).status).toBe(404);
      const leaving = { kind: 'erasure', organization_id: owner.org, confirm: 'x' };
      expect((await owner.call('POST', '/auth/me/data-jobs', { body: leaving })).status).toBe(409);
      await api.deps.db.query('DELETE FROM data_jobs');

      const finish = async (jobId: string): Promise<void> => {
        while (await takeStep(api.deps.db, jobId));
      };
      const exported = await owner.call('POST', '/data-jobs', {
        body: { kind: 'export', subject: 'organization' },
      });
      expect(exported).toMatchObject({ status: 202, body: { kind: 'export', subject: 'organization' } });
      await finish(exported.body.id);
      const address = `/data-jobs/${exported.body.id}`;
      expect((await owner.call('GET', address)).body).toMatchObject({
        status: 'completed',
        counts: { workflows: 2 },
      });
      expect((await owner.call('GET', '/data-jobs')).body.jobs).toHaveLength(1);
      for (const path of [address, `${address}/file`])
        expect((await stranger.call('GET', path)).status).toBe(404);
      const file = await fetch(`${api.url}${address}/file`, {
        headers: { authorization: `Bearer ${owner.token}` },
      });
      expect((await file.text()).trim().split('\n').length).toBeGreaterThan(3);

      const erasure = { kind: 'erasure', subject: 'organization' };
      expect((await owner.call('POST', '/data-jobs', { body: erasure })).status).toBe(422);
      const { name } = (await owner.call('GET', `/organizations/${owner.org}`)).body;
      const erased = await owner.call('POST', '/data-jobs', { body: { ...erasure, confirm: name } });
      expect(erased.status).toBe(202);
      expect((await owner.call('GET', '/retention')).status).toBe(403);
      await finish(erased.body.id);
      expect((await owner.call('GET', `/data-jobs/${erased.body.id}`)).body).toMatchObject({
        status: 'completed',
        counts: { organizations: 1 },
      });
    } finally {
      await api.close();
    }
  });
});
