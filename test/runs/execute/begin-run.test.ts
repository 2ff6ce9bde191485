/** A run that is begun from what the claim of its start has read: one statement, and what has changed since is noticed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { cancelTree } from '../../../src/runs/ledger/cancel.ts';
import { currentSegment, lockToAdvance, type RunToBegin } from '../../../src/runs/ledger/segments.ts';
import { beginRun } from '../../../src/runs/execute/advance.ts';
import { executeDeps, type ExecuteDeps } from '../../../src/runs/execute/deps.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import { startAdvancing, type Advancing } from '../../support/advancing.ts';
import { chain, http, node, transform } from '../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../support/http-recorder.ts';
import { eventsOf } from '../../support/records.ts';

let advancing: Advancing;
let recorder: HttpRecorder;
let db: Db;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
  ({ db } = advancing);
});
afterAll(async () => {
  await advancing.close();
  await recorder.close();
});

const onCalls = (): void => undefined;
const get = (id: string, tag: string) => http(id, recorder.url(tag), { method: 'GET' });
const model = node('m', 'llm', {
  provider: 'openai',
  model: 'test-model',
  messages: [{ role: 'user', content: 'x' }],
});

/** A run as a claim reads it. */
async function read(ref: RunRef): Promise<RunToBegin> {
  const run = await lockToAdvance(db, ref);
  if (run === null || run.segment === null) throw new Error('There is no run');
  return { ...run, segment: run.segment };
}

async function cancel(ref: RunRef): Promise<void> {
  await db.transaction(async (tx) => {
    const segment = await currentSegment(tx, ref, true);
    if (segment !== null) await cancelTree(tx, segment, 'test');
  });
}

/** Dependencies that count their statements; a transaction of several is one `transaction`. */
function counting(): { readonly deps: ExecuteDeps; readonly statements: string[] } {
  const statements: string[] = [];
  const counted: Db = {
    ...db,
    query: (text, params) => {
      statements.push(text.trim().split(/\s+/u, 2).join(' '));
      return db.query(text, params);
    },
    transaction: (work) => {
      statements.push('transaction');
      return db.transaction(work);
    },
    deferred: (begun, work) =>
      db.deferred(
        (tx) => {
          statements.push('transaction');
          return begun(tx);
        },
        (tx) =>
          work({
            ...tx,
            queryLast: (text, params) => {
              statements.push('advance');
              return tx.queryLast(text, params);
            },
          }),
      ),
  };
  const { tools, log } = advancing.deps;
  return { deps: executeDeps({ db: counted, tools, log, home: 'counted' }), statements };
}

// A machine that stands still for 300 ms makes a short call a long one, which is another case.
test(
  'a line of calls is a statement for each commit, from its beginning to its end',
  { retry: 3 },
  async () => {
    const tag = randomUUID();
    const ref = await advancing.run(
      chain(get('a', tag), get('b', tag), transform('t', { v: '{{b.status}}' })),
    );
    const { deps, statements } = counting();
    const { answer } = await beginRun(deps, await read(ref), { onCalls });
    expect(answer).toMatchObject({ state: 'closed', status: 'completed', advance: 3 });
    expect(statements).toEqual(['SELECT definition', 'advance', 'advance', 'advance']);
    const [row] = await db.query<{ isInOrder: boolean; usage: unknown; handled: number }>(
      `SELECT created_at <= started_at AND started_at <= completed_at AS "isInOrder", usage,
            handled_error_count AS handled FROM runs WHERE id = $1`,
      [ref.rootRunPk],
    );
    expect(row).toEqual({ isInOrder: true, usage: null, handled: 0 });
    expect((await eventsOf(db, ref.rootRunPk)).at(-1)).toMatchObject({
      type: 'run_completed',
      payload: { usage: null, credits: 0, handled_error_count: 0 },
    });
  },
);

test.each([
  ['calls', () => get('a', randomUUID())],
  ['is pure', () => transform('a')],
  ['waits for a model, which its first advance says nothing of', () => model],
] as const)('a run that was cancelled since it was read is not begun: it %s', async (_, first) => {
  const ref = await advancing.run(chain(first()));
  const run = await read(ref);
  await cancel(ref);
  const told = (await eventsOf(db, ref.rootRunPk)).length;
  const { answer, called } = await beginRun(advancing.deps, run, { onCalls });
  expect(answer).toMatchObject({ state: 'closed', status: 'cancelled' });
  expect(called).toEqual([]);
  expect(await eventsOf(db, ref.rootRunPk)).toHaveLength(told);
});

test('a run that others have begun since it was read is gone on with, not begun again', async () => {
  const tag = randomUUID();
  const ref = await advancing.run(chain(get('a', tag), transform('t')));
  const run = await read(ref);
  await beginRun(advancing.deps, run, { onCalls });
  const told = (await eventsOf(db, ref.rootRunPk)).length;
  const { answer } = await beginRun(advancing.deps, run, { onCalls });
  expect(answer).toMatchObject({ state: 'closed', status: 'completed', repeated: true });
  expect(recorder.calls(tag)).toHaveLength(1);
  expect(await eventsOf(db, ref.rootRunPk)).toHaveLength(told);
});
