/** Listeners would be told of changes that were rolled back, or not hear of committed ones. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDb, openOwnPool, type Db } from '../../../src/base/db/client.ts';
import { listenTo } from '../../../src/base/db/listen.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/runs.ts';

const CHANNEL = 'notify_after_commit_test';

let database: TestDatabase;
let db: Db;
let listener: { close(): Promise<void> };
let heard: string[] = [];
beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url);
  await new Promise<void>((resolve) => {
    listener = listenTo(database.url, CHANNEL, {
      onMessage: (message) => heard.push(message),
      onConnect: resolve,
      onLost: () => undefined,
    });
  });
});
afterAll(async () => {
  await listener.close();
  await db.close();
  await database.drop();
});
beforeEach(() => {
  heard = [];
});

const heardOf = (message: string): Promise<void> => until(async () => heard.includes(message));

test('a transaction sends its notices after the commit', async () => {
  await db.transaction(async (tx) => {
    tx.notifyAfterCommit(CHANNEL, 'late');
    db.notifyAfterCommit(CHANNEL, 'early');
    await heardOf('early');
    expect(heard).toEqual(['early']);
  });
  await heardOf('late');
  expect(heard).toEqual(['early', 'late']);
});

test('a transaction that is rolled back sends no notice', async () => {
  const failing = db.transaction(async (tx) => {
    tx.notifyAfterCommit(CHANNEL, 'undone');
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  db.notifyAfterCommit(CHANNEL, 'end');
  await heardOf('end');
  expect(heard).toEqual(['end']);
});

test("notices that are sent together arrive one by one, each once, beyond PostgreSQL's limit of a payload", async () => {
  const messages = Array.from({ length: 500 }, (_, number) => `message-${number}-${'é'.repeat(40)}`);
  for (const message of [...messages, ...messages]) db.notifyAfterCommit(CHANNEL, message);
  await heardOf(messages.at(-1) ?? '');
  expect(heard).toEqual(messages);
});

test('a pool of its own sends notices with its own statement', async () => {
  const limits = { max: 1, statementTimeoutMs: 5_000, lockTimeoutMs: 5_000 };
  const other = openOwnPool(database.url, { ...limits, name: 'test' });
  other.notifyAfterCommit(CHANNEL, 'by itself');
  await heardOf('by itself');
  await other.close();
});

test('closing waits until all notices are sent', async () => {
  const another = openDb(database.url);
  another.notifyAfterCommit(CHANNEL, 'last words');
  await another.close();
  await heardOf('last words');
});

test('closing sends what waits for its turn', async () => {
  const another = openDb(database.url);
  const pace = { subject: 'run', isLast: false };
  for (const message of ['first', 'second', 'third', 'fourth'])
    another.notifyAfterCommit(CHANNEL, message, pace);
  await another.close();
  await heardOf('fourth');
  expect(heard).toEqual(['first', 'second', 'fourth']);
});

test('notices of a transaction keep their pace', async () => {
  const pace = { subject: 'another run', isLast: false };
  await db.transaction(async (tx) => {
    for (const message of ['first', 'second', 'third', 'fourth'])
      tx.notifyAfterCommit(CHANNEL, message, pace);
  });
  await heardOf('fourth');
  expect(heard).toEqual(['first', 'second', 'fourth']);
});
