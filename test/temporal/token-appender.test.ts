/** Streamed text would be lost, out of order, or written after its step has ended. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/base/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../src/base/db/client.ts';
import { createLog } from '../../src/base/log.ts';
import { TokenAppender, type TokenStream } from '../../src/engine/runs/execute/tokens.ts';
import { openTestDatabase, type TestDb } from '../support/database.ts';
import { accept, until } from '../support/runs.ts';

const log = createLog('silent', 'test');
/** Longer than any test waits: what is written in spite of it was asked for. */
const NEVER_MS = 600_000;

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

interface Speaking {
  readonly runPk: string;
  readonly stepId: string;
  readonly stream: TokenStream;
  readonly fenced: () => boolean;
}

/** A node at work, in a run of its own. */
async function speaking(appender: TokenAppender, batchIntervalMs = 0): Promise<Speaking> {
  const { runPk } = await accept(db);
  const stepId = randomUUID();
  await db.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect)
     VALUES ($1, $2, $2, 'n', 'llm', 'n', 1, 1, 1, 'running', 'at_least_once')`,
    [stepId, runPk],
  );
  let fenced = false;
  const speaker = { runPk, stepId, attempt: 1, batchIntervalMs, fields: { node_id: 'n' } };
  return { runPk, stepId, stream: appender.open(speaker, () => (fenced = true)), fenced: () => fenced };
}

/** What the stream of a run shows, without its first event. */
async function said(runPk: string): Promise<string[]> {
  const rows = await db.query<{ seq: number; type: string; delta: string | null }>(
    `SELECT seq, type, payload->>'delta' AS delta FROM run_events WHERE run_pk = $1 AND seq > 1 ORDER BY seq`,
    [runPk],
  );
  expect(rows.map((row) => row.seq)).toEqual(rows.map((_, at) => at + 2));
  return rows.map(({ type, delta }) => delta ?? type);
}

/** The database, whose writes wait until they are let through, and fail when that is asked for. */
function held(): { sql: Tx; begun: () => number; letGo: (error?: Error) => void } {
  let begun = 0;
  const waiting: ((error?: Error) => void)[] = [];
  const query = async <Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> => {
    if (!text.includes('said AS')) return db.query<Row>(text, params);
    begun += 1;
    await new Promise<void>((resolve, reject) => {
      waiting.push((error) => (error === undefined ? resolve() : reject(error)));
    });
    return db.query<Row>(text, params);
  };
  return {
    sql: { query, notifyAfterCommit: db.notifyAfterCommit },
    begun: () => begun,
    letGo: (error) => waiting.shift()?.(error),
  };
}

test('the first word is written at once; those that follow within the interval wait, as one event', async () => {
  const node = await speaking(new TokenAppender(db, { log, clock: systemClock }), NEVER_MS);
  node.stream.token('a', 'content');
  await until(async () => (await said(node.runPk)).length > 0);
  node.stream.token('b', 'content');
  node.stream.token('c', 'content');
  node.stream.token('d', 'reasoning');
  node.stream.append('token_reset', { reason: 'retry' });
  expect(await said(node.runPk)).toEqual(['a']);
  await node.stream.drain();
  expect(await said(node.runPk)).toEqual(['a', 'bc', 'd', 'token_reset']);
  expect([node.stream.seq, node.stream.tokens]).toEqual([5, 4]);
  node.stream.close();
});

test('what is due is written by itself, of each node in its own run', async () => {
  const appender = new TokenAppender(db, { log, clock: systemClock });
  const nodes = await Promise.all(Array.from({ length: 5 }, () => speaking(appender, 20)));
  for (let word = 0; word < 30; word += 1) {
    for (const { stream } of nodes) stream.token(`${word} `, 'content');
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  const whole = Array.from({ length: 30 }, (_, word) => `${word} `).join('');
  for (const { runPk, stream } of nodes) {
    await until(async () => (await said(runPk)).join('') === whole);
    stream.close();
  }
});

test('a drain waits for words that are being written', async () => {
  const { sql, begun, letGo } = held();
  const node = await speaking(new TokenAppender(sql, { log, clock: systemClock }));
  node.stream.token('last', 'content');
  await until(async () => begun() === 1);
  let isDrained = false;
  const drained = node.stream.drain().then(() => (isDrained = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDrained).toBe(false);
  letGo();
  await drained;
  expect(await said(node.runPk)).toEqual(['last']);
  node.stream.close();
});

test('a drain leaves the words of others to their own time', async () => {
  const appender = new TokenAppender(db, { log, clock: systemClock });
  const [mine, other] = [await speaking(appender, NEVER_MS), await speaking(appender, NEVER_MS)];
  for (const { stream } of [mine, other]) {
    stream.token('first', 'content');
    await stream.drain();
    stream.token('second', 'content');
  }
  await mine.stream.drain();
  expect(await said(mine.runPk)).toEqual(['first', 'second']);
  expect(await said(other.runPk)).toEqual(['first']);
  for (const { stream } of [mine, other]) stream.close();
});

test('what could not be written is written later, before what was said since', async () => {
  const { sql, begun, letGo } = held();
  const node = await speaking(new TokenAppender(sql, { log, clock: systemClock }));
  node.stream.token('a', 'content');
  await until(async () => begun() === 1);
  node.stream.token('b', 'content');
  letGo(new Error('the database is away'));
  await until(async () => begun() === 2);
  letGo();
  await until(async () => (await said(node.runPk)).length === 2);
  expect(await said(node.runPk)).toEqual(['a', 'b']);
  node.stream.close();
});

test('text of a fenced attempt is not written, and its node is told', async () => {
  const appender = new TokenAppender(db, { log, clock: systemClock });
  const [stale, current] = [await speaking(appender), await speaking(appender)];
  await db.query('UPDATE run_steps SET attempt = 2 WHERE step_id = $1', [stale.stepId]);
  for (const { stream } of [stale, current]) stream.token('x', 'content');
  await Promise.all([stale.stream.drain(), current.stream.drain()]);
  expect([await said(stale.runPk), await said(current.runPk)]).toEqual([[], ['x']]);
  expect([stale.fenced(), current.fenced()]).toEqual([true, false]);
  stale.stream.token('y', 'content');
  await stale.stream.drain();
  expect(await said(stale.runPk)).toEqual([]);
  for (const { stream } of [stale, current]) stream.close();
});

test('a run that is locked keeps its words until it is free, and does not delay those of others', async () => {
  const appender = new TokenAppender(db, { log, clock: systemClock });
  const [locked, other] = [await speaking(appender, NEVER_MS), await speaking(appender)];
  let drained: Promise<void> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE', [locked.runPk]);
    locked.stream.token('a', 'content');
    drained = locked.stream.drain();
    for (const word of ['x', 'y', 'z']) {
      other.stream.token(word, 'content');
      await other.stream.drain();
    }
    locked.stream.token('b', 'content');
    expect([await said(locked.runPk), await said(other.runPk)]).toEqual([[], ['x', 'y', 'z']]);
  });
  await drained;
  expect([(await said(locked.runPk)).join(''), locked.fenced()]).toEqual(['ab', false]);
  for (const { stream } of [locked, other]) stream.close();
});

test('a locked run is tried at most once per gap, however many of its nodes end', async () => {
  let writes = 0;
  const query: Tx['query'] = (text, params) => {
    if (text.includes('said AS')) writes += 1;
    return db.query(text, params);
  };
  let nowMs = 0;
  const clock = { ...systemClock, monotonic: () => nowMs };
  const sql = { query, notifyAfterCommit: db.notifyAfterCommit };
  const node = await speaking(new TokenAppender(sql, { log, clock }), NEVER_MS);
  let drains: Promise<void>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE', [node.runPk]);
    node.stream.token('a', 'content');
    drains = Array.from({ length: 20 }, () => node.stream.drain());
    await until(async () => writes > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // Time stands still: nothing is tried again.
    expect(writes).toBe(1);
  });
  nowMs = 1_000;
  await Promise.all(drains);
  expect(await said(node.runPk)).toEqual(['a']);
  node.stream.close();
});

test('a run that ends while it is locked fences its streams', async () => {
  const appender = new TokenAppender(db, { log, clock: systemClock });
  const node = await speaking(appender);
  let drained: Promise<void> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE', [node.runPk]);
    node.stream.token('a', 'content');
    drained = node.stream.drain();
    await appender.flush(null);
    await tx.query("UPDATE runs SET status = 'cancelled' WHERE id = $1", [node.runPk]);
  });
  await drained;
  expect([await said(node.runPk), node.fenced()]).toEqual([[], true]);
  node.stream.close();
});
