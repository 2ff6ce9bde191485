/** An advance with long pure work would lose its transaction while the work of others takes its turns, and begin again without end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NODE_WORK, WorkBudget } from '../../src/language/graph/values/work-budget.ts';
import { nextTurn } from '../../src/language/nodes/turn.ts';
import { END, START, edge, http, transform, workflow } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { eventually } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

/** A second of other work for each turn that somebody else has, until it is stopped. */
function takeTurns(): () => Promise<void> {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  let isStopped = false;
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
    if (!isStopped) setImmediate(count);
  };
  const take = async (): Promise<void> => {
    const work = new WorkBudget(NODE_WORK);
    while (!isStopped) {
      const before = rounds;
      await nextTurn(work);
      if (rounds - before > 1) Atomics.wait(clock, 0, 0, 1_000);
    }
  };
  count();
  const taking = take();
  return () => {
    isStopped = true;
    return taking;
  };
}

test('a map of pure items beside a call under way ends while other work takes turns for longer than a silent transaction lasts', async () => {
  const [held, before] = [randomUUID(), randomUUID()];
  const run = await engine.accept(
    workflow(
      [
        http('h', recorder.url(held, { hold: 1 })),
        http('b', recorder.url(before, { hold: 1 })),
        transform('m', { v: '{{item}}' }, { for_each: { items: '{{input.rows}}', max_items: 10_000 } }),
      ],
      [edge(START, 'h'), edge(START, 'b'), edge('b', 'm'), edge('m', END), edge('h', END)],
    ),
    // Twelve turns.
    { rows: Array<number>(6_000).fill(1) },
  );
  await Promise.all([recorder.waitFor(held, 1), recorder.waitFor(before, 1)]);
  const stop = takeTurns();
  recorder.release(({ tag }) => tag === before);
  const ended = `SELECT 1 FROM run_steps WHERE root_run_pk = $1 AND node_id = 'm' AND item_index = -1 AND status = 'succeeded'`;
  try {
    await eventually(async () => (await engine.db.query(ended, [run.runPk]))[0]);
  } finally {
    await stop();
    recorder.release();
  }
  expect((await engine.follow(run)).end.type).toBe('run_completed');
});
