/** A statement that ran in the context of another request would show one organization the rows of another, or record a wrong actor. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import type { RequestContext } from '../../../src/base/db/request-context.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';

let db: TestDb;
/** One connection, which all statements of a test share. */
let narrow: Db;
let owner: string;
let organizations: [string, string];
let workflows: [string, string];

const SEEN = `
  SELECT current_user::text AS role, coalesce(current_setting('app.organization_id', true), '') AS organization,
    coalesce(current_setting('app.request', true), '') AS request, ARRAY(SELECT name FROM workflows ORDER BY name) AS names`;

const contextOf = (organizationId: string): RequestContext => ({
  request: JSON.stringify({ request: organizationId }),
  organizationId,
});

async function makeWorkflow(name: string): Promise<{ organizationId: string; workflowId: string }> {
  const { id: organizationId } = await db.prisma.organization.create({ data: { name, slug: name } });
  const { id: workflowId } = await db.prisma.workflow.create({
    data: { id: randomUUID(), name, organizationId, workflowSchema: {} },
  });
  return { organizationId, workflowId };
}

beforeAll(async () => {
  db = await openTestDatabase(5);
  const [one, two] = [await makeWorkflow('one'), await makeWorkflow('two')];
  organizations = [one.organizationId, two.organizationId];
  workflows = [one.workflowId, two.workflowId];
  narrow = openDb(db.url, 1);
  const [row] = await db.query<{ role: string }>('SELECT current_user::text AS role');
  owner = row?.role ?? '';
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await narrow.close();
  await db.close();
});

test('SEC-T20: what two organizations look up by id in one tick is looked up within each', async () => {
  const lookUp = (organization: string, id: string): Promise<{ name: string } | null> =>
    db.within(contextOf(organization)).prisma.workflow.findUnique({ where: { id }, select: { name: true } });
  const [[one, two], [own, other]] = [organizations, workflows];
  const found = await Promise.all([
    lookUp(one, own),
    lookUp(two, other),
    lookUp(one, other),
    lookUp(two, own),
  ]);
  expect(found).toEqual([{ name: 'one' }, { name: 'two' }, null, null]);
});

/** Ways in which a statement or a transaction of the first organization ends. */
const ENDINGS: Record<string, (one: Db) => Promise<unknown>> = {
  'a statement that succeeds': (one) => one.query('SELECT 1'),
  'a statement with parameters': (one) => one.query('SELECT $1::int', [1]),
  'a statement that fails': (one) => one.query('SELECT 1 / $1::int', [0]),
  'a statement that cannot be parsed': (one) => one.query('SELECT nothing'),
  'a statement that is cancelled': (one) =>
    one.query('SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(9)'),
  'a connection that is ended': (one) => one.query('SELECT pg_terminate_backend(pg_backend_pid())'),
  'a batched read that fails': (one) => one.batched('SELECT 1 / unnest($1::int[]) AS place', [0]),
  'a transaction that commits': (one) => one.transaction((tx) => tx.query('SELECT 1')),
  'a transaction that throws': (one) => one.transaction(() => Promise.reject(new Error('thrown'))),
  'a transaction whose statement fails': (one) => one.transaction((tx) => tx.query('SELECT nothing')),
  'a transaction past its time': (one) =>
    one.transaction(async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 20');
      await tx.query('SELECT pg_sleep(9)');
    }),
  'a transaction whose connection is ended': (one) =>
    one.transaction((tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())')),
  'a commit that fails': async (one) => {
    await narrow.query(`CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)`);
    await narrow.query('GRANT ALL ON late TO workflow_tenant');
    await expect(
      one.query('INSERT INTO late SELECT $1::int FROM generate_series(1, 2)', [1]),
    ).rejects.toThrow('late');
    expect(await narrow.query('TABLE late')).toEqual([]);
  },
  'an operation of Prisma': (one) => one.prisma.workflow.count(),
  'an operation of Prisma that fails': (one) => one.prisma.$queryRawUnsafe('SELECT nothing'),
  'a transaction of Prisma': (one) => one.prisma.$transaction((tx) => tx.workflow.count()),
  'a transaction of Prisma that throws': (one) =>
    one.prisma.$transaction(() => Promise.reject(new Error('thrown'))),
  'a transaction of Prisma past its time': (one) =>
    one.prisma.$transaction((tx) => tx.$queryRawUnsafe('SELECT pg_sleep(0.2)::text'), { timeout: 50 }),
  'a transaction that is given back to the pool': () =>
    narrow.query(
      `BEGIN; SET LOCAL ROLE workflow_tenant; SET LOCAL app.organization_id = '${organizations[0]}'`,
    ),
};

describe('SEC-T20: no context is left on a connection by', () => {
  test.each(Object.entries(ENDINGS))('%s', async (_, end) => {
    await end(narrow.within(contextOf(organizations[0]))).catch(() => undefined);
    const all = { role: owner, organization: '', request: '', names: ['one', 'two'] };
    expect(await narrow.query(SEEN)).toEqual([all]);
    expect(await narrow.prisma.$queryRawUnsafe(SEEN)).toEqual([all]);
  });
});

test('SEC-T20: every way to a statement has the context of its request', async () => {
  const [one, two] = organizations.map((id) => narrow.within(contextOf(id)));
  for (const [at, within] of [one, two, one].entries()) {
    const organization = organizations[at % 2] ?? '';
    const own = {
      role: 'workflow_tenant',
      organization,
      request: contextOf(organization).request,
      names: [at % 2 === 0 ? 'one' : 'two'],
    };
    const seen = [
      await within?.query(SEEN),
      await within?.query(`${SEEN} WHERE $1`, [true]),
      await within?.transaction((tx) => tx.query(SEEN)),
      await within?.deferred(
        async () => undefined,
        (tx) => tx.query(SEEN),
      ),
      await within?.deferred(
        async () => undefined,
        (tx) => tx.queryWithoutBegin(SEEN),
      ),
      await within?.prisma.$queryRawUnsafe(SEEN),
      await within?.prisma.$transaction((tx) => tx.$queryRawUnsafe(SEEN)),
    ];
    expect(seen).toEqual(seen.map(() => [own]));
    const batched = await within?.batched(`${SEEN}, 1 AS place WHERE $1::int[] IS NOT NULL`, [1]);
    // Requests share batched statements.
    expect(batched).toMatchObject([{ ...own, request: '' }]);
  }
});

test('SEC-T20: a context needs nothing of its session, which a transaction pooler exchanges', async () => {
  await narrow.query('RESET ALL');
  const one = narrow.within(contextOf(organizations[0]));
  const own = [{ role: 'workflow_tenant', names: ['one'] }];
  expect(await one.query(SEEN)).toMatchObject(own);
  expect(await one.prisma.$queryRawUnsafe(SEEN)).toMatchObject(own);
});

test.each(['BEGIN', 'set_config'])('SEC-T20: a statement is not sent when its %s fails', async (part) => {
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const writes: Record<string, (one: Db) => Promise<unknown>> = {
    sql: (one) => one.query('DELETE FROM workflows RETURNING id'),
    transaction: (one) => one.transaction((tx) => tx.query('DELETE FROM workflows RETURNING id')),
    prisma: (one) => one.prisma.workflow.deleteMany(),
    'transaction of Prisma': (one) => one.prisma.$transaction((tx) => tx.workflow.deleteMany()),
  };
  for (const [way, write] of Object.entries(writes)) {
    const sent: string[] = [];
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
      sent.push(text);
      return query.apply(this, text.includes(part) ? ['SELECT nothing', ...args.slice(1)] : args) as never;
    });
    await expect(write(narrow.within(contextOf(organizations[0]))), way).rejects.toThrow('nothing');
    expect(sent.filter((text) => text.includes('DELETE'))).toEqual([]);
    vi.restoreAllMocks();
  }
  expect(await db.query('SELECT name FROM workflows ORDER BY name')).toEqual([
    { name: 'one' },
    { name: 'two' },
  ]);
});
