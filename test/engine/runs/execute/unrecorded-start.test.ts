/** Work without an effect whose late start cannot be recorded would go on beside the attempt that follows, and use the bytes of nobody. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../../src/base/db/client.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import { createExecuteDeps } from '../../../../src/engine/runs/execute/deps.ts';
import { firstTask, patientHost, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { chain, http } from '../../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../support/http-recorder.ts';
import { eventsOf, stepsOf } from '../../../support/records.ts';
import { until } from '../../../support/runs.ts';

let advancing: Advancing;
let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
});
afterEach(() => recorder.release());
afterAll(async () => {
  await advancing.close();
  await recorder.close();
});

/** A process whose first write of a step fails like this. */
function failingOnce(code: string) {
  const { db, ...rest } = advancing.deps;
  let hasFailed = false;
  const failing: Db = {
    ...db,
    share(write, item) {
      if (hasFailed || write.name !== 'steps') return db.share(write, item);
      hasFailed = true;
      return Promise.reject(Object.assign(new Error('not written'), { code }));
    },
  };
  return createExecuteDeps({ ...rest, db: failing });
}

/** Waits until the first call of an attempt was given up. */
const untilAborted = (tag: string): Promise<void> =>
  until(async () => recorder.calls(tag)[0]?.aborted === true);

test('it ends, and another attempt is made when the database is back', async () => {
  const ref = await advancing.run(chain(http('h', recorder.url('outage', { hold: 2 }), { method: 'GET' })));
  const playing = runNode(failingOnce('08006'), patientHost, { task: firstTask(ref, 'h') });
  await recorder.waitFor('outage', 2);
  await untilAborted('outage');
  recorder.release();
  expect(await playing).toMatchObject({ kind: 'done' });
  expect(await stepsOf(advancing.db, ref.rootRunPk)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
  const started = (await eventsOf(advancing.db, ref.rootRunPk)).filter(({ type }) => type === 'node_started');
  expect(started).toHaveLength(1);
});

test('it ends before the error of the database is passed on', async () => {
  const ref = await advancing.run(chain(http('h', recorder.url('refused', { hold: 1 }), { method: 'GET' })));
  const task = firstTask(ref, 'h');
  await expect(runNode(failingOnce('22P05'), patientHost, { task })).rejects.toThrow('not written');
  await untilAborted('refused');
});
