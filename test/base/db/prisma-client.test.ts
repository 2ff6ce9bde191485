/**
 * An outage would be reported as a mistake of the client, or a time would change, depending on which of the two
 * database clients a route uses.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../../src/base/db/client.ts';
import { isTransientDatabaseError, readSqlState } from '../../../src/base/db/transient-error.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase(3);
});
afterAll(() => db.close());

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a connection that is ended, in and out of a transaction', async () => {
  const end = 'SELECT pg_terminate_backend(pg_backend_pid())';
  const { prisma } = db;
  const inTransaction = () => prisma.$transaction((tx) => tx.$queryRawUnsafe(end));
  for (const work of [() => prisma.$queryRawUnsafe(end), inTransaction]) {
    expect(isTransientDatabaseError(await failureOf(work()))).toBe(true);
  }
  expect(await prisma.user.count()).toBe(0);
});

test('a lock that is not given', async () => {
  await db.transaction(async (tx) => {
    await tx.query('LOCK TABLE users');
    const failure = await failureOf(
      db.prisma.$transaction(async (waiting) => {
        await waiting.$executeRawUnsafe('SET LOCAL lock_timeout = 50');
        return waiting.user.count();
      }),
    );
    expect(isTransientDatabaseError(failure)).toBe(true);
  });
});

test('a pool without a free connection', async () => {
  const narrow = openDb(db.url, 1);
  await narrow.transaction(async () => {
    const works = [narrow.prisma.user.count(), narrow.prisma.$transaction((tx) => tx.user.count())];
    for (const failure of await Promise.all(works.map(failureOf))) {
      expect(isTransientDatabaseError(failure)).toBe(true);
    }
  });
  await narrow.close();
});

test('a server that nobody can reach', async () => {
  const away = openDb('postgresql://nobody@127.0.0.1:1/none', 1);
  for (const work of [
    () => away.prisma.user.count(),
    () => away.prisma.$transaction((tx) => tx.user.count()),
  ]) {
    expect(isTransientDatabaseError(await failureOf(work()))).toBe(true);
  }
  await away.close();
});

test('a wrong statement is not transient', async () => {
  const failure = await failureOf(db.prisma.$queryRawUnsafe('SELECT nothing'));
  expect([readSqlState(failure), isTransientDatabaseError(failure)]).toEqual(['42703', false]);
});

test('a time is the same in Prisma and in SQL, whatever the time zone of the server', async () => {
  const name = new URL(db.url).pathname.slice(1);
  await db.query(`ALTER DATABASE ${name} SET TimeZone = 'Asia/Tokyo'`);
  const east = openDb(db.url, 1);
  const createdAt = new Date('2026-03-01T23:30:00.123Z');
  const { id } = await east.prisma.organization.create({ data: { name: 'East', slug: 'east', createdAt } });
  const [row] = await db.query('SELECT created_at FROM organizations WHERE id = $1', [id]);
  const read = await east.prisma.organization.findFirstOrThrow({ where: { id } });
  expect([row?.['created_at'], read.createdAt]).toEqual([createdAt, createdAt]);
  await east.close();
});
