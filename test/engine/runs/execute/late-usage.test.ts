/** A reply of a model would be charged to nobody when its run is cancelled before the reply is written (SPEC REL-G10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUsage } from '../../../../src/platform/billing/usage.ts';
import type { Db } from '../../../../src/base/db/client.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { takeAgentTurn } from '../../../../src/engine/runs/execute/agent/turn.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import { createExecuteDeps, type ExecuteDeps } from '../../../../src/engine/runs/execute/deps.ts';
import type { NodeTask } from '../../../../src/engine/runs/execute/protocol.ts';
import { cancelRun } from '../../../../src/engine/runs/ledger/write/cancel.ts';
import { firstTask, patientHost, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { chain, node } from '../../../support/definitions.ts';
import { managedModels } from '../../../support/engine-with-servers.ts';
import { startModelServer, type ModelServer } from '../../../support/model-server.ts';

let advancing: Advancing;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: model.hostPort, ...managedModels(model) });
});
afterAll(async () => {
  await advancing.close();
  await model.close();
});

const MODEL = { provider: 'openai', model: 'test-model' };
const llm = node('m', 'llm', { ...MODEL, messages: [{ role: 'user', content: 'x' }] });
const agent = node('m', 'agent', { ...MODEL, messages: [{ role: 'user', content: 'x' }], tools: [] });

/** Something happens between the reply of the model and the transaction that ends its attempt. */
function between(happens: () => Promise<unknown>): ExecuteDeps {
  const { db, ...rest } = advancing.deps;
  const asked = model.requests.length;
  let hasHappened = false;
  const late: Db = {
    ...db,
    async transaction(work) {
      if (model.requests.length > asked && !hasHappened) {
        hasHappened = true;
        await happens();
      }
      return db.transaction(work);
    },
  };
  return createExecuteDeps({ ...rest, db: late });
}

async function start(only: JsonObject): Promise<NodeTask & { readonly cancel: () => Promise<unknown> }> {
  model.script({ text: ['ok'], usage: { input: 812, output: 140 } });
  const ref = await advancing.run(chain(only));
  const cancel = () => cancelRun(advancing.db, { ...ref, runPk: ref.rootRunPk }, null);
  return { ...firstTask(ref, 'm'), cancel };
}
const usageOf = async ({ rootRunPk }: NodeTask): Promise<unknown> =>
  (await readUsage(advancing.db, rootRunPk)).map(({ kind, credits }) => [kind, credits]);

test('of a node', async () => {
  const { cancel, ...task } = await start(llm);
  expect(await runNode(between(cancel), patientHost, { task })).toEqual({ kind: 'gone' });
  expect(await usageOf(task)).toEqual([['llm', 1.232]]);
});

test('of a turn of an agent', async () => {
  const { cancel, ...task } = await start(agent);
  const end = await takeAgentTurn(between(cancel), patientHost, { ...task, turn: 1 });
  expect(end).toEqual({ kind: 'gone' });
  expect(await usageOf(task)).toEqual([['agent', expect.any(Number)]]);
});

test('of an attempt that another one has followed', async () => {
  const { cancel: _, ...task } = await start(llm);
  const overtake = () =>
    advancing.db.query(
      `UPDATE run_steps SET attempt = 2, status = 'succeeded', outcome = '{"taken": [0], "failed": false}'
       WHERE root_run_pk = $1`,
      [task.rootRunPk],
    );
  expect(await runNode(between(overtake), patientHost, { task })).toMatchObject({ kind: 'done' });
  expect(await usageOf(task)).toEqual([['llm', 1.232]]);
});

test('once, when the answer to its end is lost and the run is cancelled before the repetition', async () => {
  const { cancel, ...task } = await start(llm);
  const { db, ...rest } = advancing.deps;
  let isLost = false;
  const lossy: Db = {
    ...db,
    async transaction(work) {
      const result = await db.transaction(work);
      if (isLost) return result;
      isLost = true;
      await cancel();
      throw Object.assign(new Error('the connection is lost'), { code: '08006' });
    },
  };
  const deps = createExecuteDeps({ ...rest, db: lossy });
  expect(await runNode(deps, patientHost, { task })).toEqual({ kind: 'gone' });
  expect(await usageOf(task)).toEqual([['llm', 1.232]]);
});
