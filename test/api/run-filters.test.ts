/** A saved filter would list other runs than its name says, be read by another organization, or stay when its maker is erased. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeStep } from '../../src/features/data/job-runner.ts';
import { insertJob, readJob } from '../../src/features/data/jobs.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const save = (query: object, name = 'Acme'): Promise<Answer> =>
  tenant.call('POST', '/run-filters', { body: { name, query } });
const start = async (customer: string): Promise<void> => {
  const body = { workflow: hello(), metadata: { customer } };
  expect((await tenant.call('POST', '/workflows/run', { body })).status).toBe(200);
};

test('the path of a filter lists the runs that it is about', async () => {
  await start('acme & sons');
  await start('other');
  const { body: filter, status } = await save({ metadata: 'customer:acme & sons', segments: 'newest' });
  expect([status, filter]).toMatchObject([
    201,
    { name: 'Acme', query: { metadata: 'customer:acme & sons', segments: 'newest' } },
  ]);
  const listed = (await tenant.call('GET', filter.path)).body.runs as { metadata: object }[];
  expect(listed.map(({ metadata }) => metadata)).toEqual([{ customer: 'acme & sons' }]);
});

test.each([
  [{ status: 'unknown' }, 'status'],
  [{ metadata: 'no pair' }, 'metadata'],
  [{ from: 'yesterday' }, 'from'],
  [{ workflow_id: 'x' }, 'workflow_id'],
])('a filter that the list would refuse is not saved: %j', async (query, field) => {
  const { status, body } = await save(query);
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'query', field]]);
});

test('a page of the list is no part of a filter, and the answer says so', async () => {
  const { body } = await save({ status: 'failed', cursor: 'x' });
  expect(body).toMatchObject({ query: { status: 'failed' }, path: '/workflow-runs?status=failed' });
  expect(body.warnings).toMatchObject([{ loc: ['body', 'query', 'cursor'] }]);
});

test('a change replaces the filters that it names, and keeps the rest', async () => {
  const { id } = (await save({ status: 'failed' }, 'Before')).body;
  const change = (body: object): Promise<Answer> => tenant.call('PATCH', `/run-filters/${id}`, { body });
  expect((await change({ name: 'After' })).body).toMatchObject({
    name: 'After',
    query: { status: 'failed' },
  });
  expect((await change({ query: { q: 'x' } })).body).toMatchObject({ name: 'After', query: { q: 'x' } });
  expect((await tenant.call('DELETE', `/run-filters/${id}`)).status).toBe(200);
  expect((await tenant.call('GET', `/run-filters/${id}`)).status).toBe(404);
});

test('an organization has at most 200 filters, listed by name', async () => {
  await api.deps.db.query('DELETE FROM run_filters');
  await api.deps.db.query(
    `INSERT INTO run_filters (organization_id, name, query) SELECT $1, lpad(n::text, 3, '0'), '{}' FROM generate_series(1, 199) n`,
    [tenant.org],
  );
  expect((await save({}, '000')).status).toBe(201);
  const refused = await save({}, 'one more');
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([409, 'run_filter_limit_reached']);
  const names = (await tenant.call('GET', '/run-filters')).body.filters.map(
    ({ name }: { name: string }) => name,
  );
  expect([names.length, names[0], names[199]]).toEqual([200, '000', '199']);
});

test('an export has the filters page by page, and an erasure removes first their maker and then them', async () => {
  const { db } = api.deps;
  await db.query('DELETE FROM run_filters');
  const [owner] = await db.query<{ id: string }>(
    'SELECT user_id AS id FROM memberships WHERE organization_id = $1',
    [tenant.org],
  );
  // More than a page of the job, and some that nobody has made.
  await db.query(
    `INSERT INTO run_filters (organization_id, name, query, created_by)
     SELECT $1, n::text, '{}', CASE WHEN n <= 501 THEN $2::uuid END FROM generate_series(1, 502) n`,
    [tenant.org, owner?.id],
  );
  const run = async (kind: 'export' | 'erasure', subject: Parameters<typeof insertJob>[1]['subject']) => {
    const job = { organization_id: tenant.org, kind, subject, requested_by: null };
    const { id } = await insertJob(db, job);
    while (await takeStep(db, id));
    return (await readJob(db, id))?.counts['run_filters'];
  };
  const organization = { type: 'organization' } as const;
  expect(await run('export', organization)).toBe(502);
  expect(await run('erasure', { type: 'member', user_id: owner?.id ?? '' })).toBe(501);
  expect(await db.query('SELECT 1 FROM run_filters WHERE created_by IS NOT NULL')).toEqual([]);
  expect(await run('erasure', organization)).toBe(502);
  expect(await db.query('SELECT 1 FROM run_filters')).toEqual([]);
});
