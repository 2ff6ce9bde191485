/** A run with hundreds of nodes that is cancelled would keep its process, its organization and the database busy for seconds. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '../../../../src/base/db/client.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import { createExecuteDeps } from '../../../../src/engine/runs/execute/deps.ts';
import { runItems } from '../../../../src/engine/runs/execute/map.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { FairSemaphore } from '../../../../src/base/shares/fair-semaphore.ts';
import {
  firstAdvance,
  firstTask,
  patientHost,
  startAdvancing,
  type Advancing,
} from '../../../support/advancing.ts';
import { END, START, chain, edge, http, workflow } from '../../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../support/http-recorder.ts';

const COUNT = 40;
const SLOTS = 5;

let advancing: Advancing;
let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
});
afterAll(async () => {
  await advancing.close();
  await recorder.close();
});

test('REL-cancelled-attempts: the attempts of a cancelled run end without a statement for each, those that wait for a slot, too', async () => {
  const { db, ...rest } = advancing.deps;
  const statements: string[] = [];
  const counting: Db = {
    ...db,
    query(text, params) {
      statements.push(text);
      return db.query(text, params);
    },
    share(write, item) {
      statements.push(write.name);
      return db.share(write, item);
    },
    transaction(work) {
      statements.push('transaction');
      return db.transaction(work);
    },
  };
  const slots = new FairSemaphore({ capacity: SLOTS, perOrganization: SLOTS });
  const deps = createExecuteDeps({ ...rest, db: counting, slots });
  const ids = Array.from({ length: COUNT }, (_, at) => `n${at}`);
  const definition = workflow(
    ids.map((id) => http(id, recorder.url('held', { hold: COUNT }), { method: 'GET' })),
    ids.flatMap((id) => [edge(START, id), edge(id, END)]),
  );
  const ref = await advancing.run(definition);
  const ends = ids.map((id) => runNode(deps, patientHost, { task: firstTask(ref, id) }));
  await recorder.waitFor('held', SLOTS);
  // The start of work without an effect is written after 50 ms.
  await vi.waitFor(() => expect(statements.filter((text) => text === 'steps')).toHaveLength(SLOTS));
  await advancing.db.query("UPDATE runs SET status = 'cancelled' WHERE id = $1", [ref.rootRunPk]);
  statements.length = 0;
  deps.running.cancelled(ref.rootRunPk);
  expect(new Set((await Promise.all(ends)).map(({ kind }) => kind))).toEqual(new Set(['gone']));
  expect(statements).toEqual([]);
  expect(slots.held).toBe(0);
  expect(recorder.calls('held')).toHaveLength(SLOTS);
});

test('items that run at a time give Node no reason to warn of a leak', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', hear);
  const each = http(
    'n',
    recorder.url('items', { hold: 20 }),
    { method: 'GET' },
    { for_each: { items: '{{input.rows}}', max_concurrency: 20 } },
  );
  const ref = await advancing.run(chain(each), { rows: Array.from({ length: 20 }, (_, at) => at) });
  await advance(advancing.deps, firstAdvance(ref));
  const host = { ...patientHost, signal: new AbortController().signal };
  const range = { ...firstTask(ref, 'n'), first: 0, end: 20, atOnce: 20 };
  const ended = runItems(advancing.deps, host, range);
  await recorder.waitFor('items', 20);
  recorder.release();
  expect(await ended).toMatchObject({ kind: 'done', result: { failed: false } });
  // A warning is emitted in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});
