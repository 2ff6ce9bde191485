/** A row would be lost to a concurrent writer, read by another organization, outgrow the plan, or stay behind its organization. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeStep } from '../../src/features/data/job-runner.ts';
import { insertJob, readJob } from '../../src/features/data/jobs.ts';
import { MAX_LOOKED, readRow, readRows } from '../../src/platform/tables/rows.ts';
import type { Sql } from '../../src/base/db/client.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
let tableId: string;
let count = 0;

const makeTable = async (who = tenant): Promise<string> =>
  (await who.call('POST', '/tables', { body: { name: `Table ${(count += 1)}` } })).body.id as string;
const rowPath = (key: string, table = tableId): string => `/tables/${table}/rows/${encodeURIComponent(key)}`;
const put = (key: string, value: unknown, more: object = {}, who = tenant): Promise<Answer> =>
  who.call('PUT', rowPath(key), { body: { value, ...more } });
const list = async (query: string): Promise<Answer['body']> =>
  (await tenant.call('GET', `/tables/${tableId}/rows?${query}`)).body;
const listKeys = (page: Answer['body']): string[] => page.rows.map(({ key }: { key: string }) => key);
const setPlan = (entitlements: object): Promise<unknown> =>
  api.deps.db.query('UPDATE organizations SET entitlements = $2 WHERE id = $1', [tenant.org, entitlements]);

beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  tableId = await makeTable();
});
afterAll(() => api.close());

describe('rows', () => {
  test.each(['a/b c', 'ä€𝄞', '%2F', 'https://company.example/x?y=1#z', ' ', 'x'.repeat(255)])(
    'a row with the key %j is written, read and deleted by its path',
    async (key) => {
      const written = await put(key, { a: [1, null] });
      expect([written.status, written.body]).toMatchObject([200, { key, value: { a: [1, null] } }]);
      expect((await tenant.call('GET', rowPath(key))).body).toEqual(written.body);
      expect((await tenant.call('DELETE', rowPath(key))).status).toBe(200);
      expect((await tenant.call('GET', rowPath(key))).status).toBe(404);
    },
  );

  test.each(['x'.repeat(256), '%00'])('a key that cannot be stored is refused: %s', async (key) => {
    const path = `/tables/${tableId}/rows/${key}`;
    expect((await tenant.call('PUT', path, { body: { value: 1 } })).status).toBe(400);
  });

  test('a write without a value is refused, and null is one', async () => {
    expect((await tenant.call('PUT', rowPath('null'), { body: {} })).status).toBe(422);
    expect((await put('null', null)).body.value).toBe(null);
  });

  test('a write with an expected version loses to whoever was first, and a deleted key does not get its old version again', async () => {
    const { version } = (await put('cas', 1, { expected_version: 0 })).body;
    const answers = await Promise.all(
      [2, 3].map((value) => put('cas', value, { expected_version: version })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const stale = await tenant.call('DELETE', `${rowPath('cas')}?expected_version=${version}`);
    expect([stale.status, stale.headers.get('x-error-code')]).toEqual([409, 'row_version_conflict']);
    expect((await tenant.call('DELETE', `${rowPath('cas')}?expected_version=${version + 1}`)).status).toBe(
      200,
    );
    expect((await put('cas', 4, { expected_version: version })).status).toBe(409);
    expect((await put('cas', 4)).body.version).toBeGreaterThan(version + 1);
  });

  test('of twenty concurrent creations of one key one creates the row, and it is counted once', async () => {
    tableId = await makeTable();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, value) => put('one', value, { expected_version: 0 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await tenant.call('GET', `/tables/${tableId}`)).body.row_count).toBe(1);
  });

  test('pages have each row once, in the order of bytes, with a prefix and an equal field', async () => {
    tableId = await makeTable();
    for (const key of ['b', 'a2', 'a1', 'ä', 'a', 'B'])
      await put(key, { kind: key.length, is: key === 'a2' });
    const first = await list('limit=4');
    const second = await list(`limit=4&cursor=${first.next_cursor}`);
    expect([listKeys(first), listKeys(second), second.next_cursor]).toEqual([
      ['B', 'a', 'a1', 'a2'],
      ['b', 'ä'],
      null,
    ]);
    expect(listKeys(await list('prefix=a'))).toEqual(['a', 'a1', 'a2']);
    expect(listKeys(await list('field=kind&equals=2'))).toEqual(['a1', 'a2']);
    expect(listKeys(await list('field=is&equals=true&prefix=a'))).toEqual(['a2']);
    expect((await tenant.call('GET', `/tables/${tableId}/rows?field=kind`)).status).toBe(422);
    const other = await tenant.call('GET', `/tables/${tableId}/rows?prefix=a&cursor=${first.next_cursor}`);
    expect([other.status, other.headers.get('x-error-code')]).toEqual([400, 'cursor_invalid']);
  });

  test('a page with a rare field stops after a bounded number of rows, and its cursor leads on', async () => {
    tableId = await makeTable();
    await api.deps.db.query(
      `INSERT INTO data_rows (table_id, organization_id, key, value, version)
       SELECT $1, $2, lpad(n::text, 6, '0'), json_build_object('rare', n = $3::int), 1 FROM generate_series(1, $3::int) n`,
      [tableId, tenant.org, MAX_LOOKED + 1],
    );
    const first = await list('field=rare&equals=true');
    expect([first.rows, typeof first.next_cursor]).toEqual([[], 'string']);
    const second = await list(`field=rare&equals=true&cursor=${first.next_cursor}`);
    expect([second.rows.length, second.next_cursor]).toEqual([1, null]);
  });

  test('a page ends early where its values are large, and no row is left out', async () => {
    tableId = await makeTable();
    await api.deps.db.query(
      `INSERT INTO data_rows (table_id, organization_id, key, value, version)
       SELECT $1, $2, lpad(n::text, 3, '0'), to_json(repeat('x', 65000)), 1 FROM generate_series(1, 100) n`,
      [tableId, tenant.org],
    );
    const first = await list('limit=100');
    const second = await list(`limit=100&cursor=${first.next_cursor}`);
    expect(first.rows.length).toBeLessThan(70);
    expect([first.rows.length + second.rows.length, second.next_cursor]).toEqual([100, null]);
  });
});

describe('limits of the plan', () => {
  const quota = (key: string, limit: number) => ({ code: 'quota_exceeded', key, limit });

  test('one table less than the plan allows can be made, and one more is refused', async () => {
    const { total } = (
      await api.deps.db.query<{ total: number }>(
        'SELECT count(*) AS total FROM data_tables WHERE organization_id = $1',
        [tenant.org],
      )
    )[0] as { total: number };
    await setPlan({ tables: total + 1 });
    const make = () => tenant.call('POST', '/tables', { body: { name: `Table ${(count += 1)}` } });
    expect((await make()).status).toBe(201);
    expect(await make()).toMatchObject({ status: 403, body: quota('tables', total + 1) });
    await setPlan({});
  });

  test('concurrent rows fill a table to its limit, writes of rows that are there go on, and a deletion makes place', async () => {
    tableId = await makeTable();
    await setPlan({ table_rows: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => put(`row ${index}`, index)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: quota('table_rows', 3),
    });
    const [first] = listKeys(await list(''));
    expect((await put(first ?? '', 'again')).status).toBe(200);
    expect((await tenant.call('DELETE', rowPath(first ?? ''))).status).toBe(200);
    expect((await put('another', 1)).status).toBe(200);
    await setPlan({});
  });

  test('a value as large as the plan allows is stored, and one byte more is refused', async () => {
    await setPlan({ table_row_bytes: 1_000 });
    expect((await put('large', 'x'.repeat(998))).status).toBe(200);
    expect(await put('large', 'x'.repeat(999))).toMatchObject({
      status: 403,
      body: { ...quota('table_row_bytes', 1_000), current: 1_001 },
    });
    await setPlan({});
  });
});

test('two tables cannot have one name, also after a change', async () => {
  const make = (name: string) => tenant.call('POST', '/tables', { body: { name } });
  expect((await make('Same')).status).toBe(201);
  const twice = await make('Same');
  expect([twice.status, twice.headers.get('x-error-code')]).toEqual([409, 'table_name_taken']);
  const { id } = (await make('Other')).body;
  expect((await tenant.call('PATCH', `/tables/${id}`, { body: { name: 'Same' } })).status).toBe(409);
  expect((await tenant.call('PATCH', `/tables/${id}`, { body: { description: 'x' } })).body).toMatchObject({
    name: 'Other',
    description: 'x',
  });
});

test('another organization reads and writes no row, and its table of the same name is another one', async () => {
  tableId = await makeTable();
  await put('mine', 1);
  for (const answer of [
    await put('mine', 2, {}, stranger),
    await stranger.call('GET', rowPath('mine')),
    await stranger.call('DELETE', rowPath('mine')),
    await stranger.call('GET', `/tables/${tableId}/rows`),
  ])
    expect([answer.status, answer.body.detail]).toEqual([404, 'Table not found']);
  const organizationId = stranger.org;
  expect(await readRow(api.deps.db, { organizationId, tableId }, 'mine')).toBe(null);
  expect((await tenant.call('GET', rowPath('mine'))).body.value).toBe(1);
});

test('a table of 100,000 rows is read by its key: a page and a row touch no others', async () => {
  tableId = await makeTable();
  const { db } = api.deps;
  await db.query(
    `INSERT INTO data_rows (table_id, organization_id, key, value, version)
     SELECT $1, $2, lpad(n::text, 8, '0'), '{}', 1 FROM generate_series(1, 100000) n`,
    [tableId, tenant.org],
  );
  await db.query('ANALYZE data_rows');
  const table = { organizationId: tenant.org, tableId };
  const countRead = async (sql: Sql, read: () => Promise<unknown>): Promise<number> => {
    const total = async () =>
      Number(
        (
          await sql.query<{ total: string }>(
            `SELECT (pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)
               + (SELECT sum(pg_stat_get_xact_tuples_fetched(i.indexrelid) + pg_stat_get_xact_tuples_returned(i.indexrelid))
                  FROM pg_index i WHERE i.indrelid = c.oid))::text AS total FROM pg_class c WHERE c.relname = 'data_rows'`,
          )
        )[0]?.total,
      );
    const before = await total();
    await read();
    return (await total()) - before;
  };
  const page = { prefix: null, field: null, equals: null, after: '00050000', limit: 50 };
  await db.transaction(async (tx) => {
    // Of 100,001 rows, counted in the transaction that reads.
    expect(await countRead(tx, () => tx.query('SELECT count(value) FROM data_rows'))).toBeGreaterThan(
      100_000,
    );
    expect(await countRead(tx, () => readRow(tx, table, '00050000'))).toBeLessThan(5);
    expect(await countRead(tx, () => readRows(tx, table, page))).toBeLessThan(200);
    expect(await countRead(tx, () => readRows(tx, table, { ...page, prefix: '0005' }))).toBeLessThan(200);
  });
});

test('an export has the rows, an erasure of their writer keeps them, and one of the organization deletes them', async () => {
  const { db } = api.deps;
  const someone = await api.tenant();
  const [owner] = await db.query<{ id: string }>(
    'SELECT user_id AS id FROM memberships WHERE organization_id = $1',
    [someone.org],
  );
  tableId = await makeTable(someone);
  await put('one', 1, {}, someone);
  await put('two', 2, {}, someone);
  const run = async (kind: 'export' | 'erasure', subject: Parameters<typeof insertJob>[1]['subject']) => {
    const job = { organization_id: someone.org, kind, subject, requested_by: null };
    const { id } = await insertJob(db, job);
    while (await takeStep(db, id));
    const counts = (await readJob(db, id))?.counts;
    return [counts?.['data_tables'], counts?.['data_rows']];
  };
  const organization = { type: 'organization' } as const;
  expect(await run('export', organization)).toEqual([1, 2]);
  expect(await run('erasure', { type: 'member', user_id: owner?.id ?? '' })).toEqual([1, 2]);
  expect(
    await db.query('SELECT 1 FROM data_rows WHERE table_id = $1 AND updated_by IS NOT NULL', [tableId]),
  ).toEqual([]);
  expect(await run('erasure', organization)).toEqual([1, 2]);
  expect(await db.query('SELECT 1 FROM data_rows WHERE table_id = $1', [tableId])).toEqual([]);
});
