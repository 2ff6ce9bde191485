/** A person could not see or answer the question of a sub-workflow from the run that waits for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { writeRecord } from '../../src/engine/runs/api/record.ts';
import { addOutbox } from '../../src/engine/runs/ledger/write/outbox-entry.ts';
import { chain, node, transform } from '../support/definitions.ts';
import { startEngine, type Played, type TestEngine } from '../support/engine.ts';
import { answer, cancel, childOf, deploy, eventually, owner, questionsOf } from '../support/journeys.ts';
import { answerOf } from '../support/records.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const sub = (id: string, workflowId: string, more: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  node(id, 'tool', { kind: 'workflow', workflow_id: workflowId, ...more }, envelope);
const ask = (more: JsonObject = {}): JsonObject =>
  node('ask', 'interrupt', {
    kind: 'approval',
    title: 'Refund?',
    actions: [{ id: 'yes', label: 'Yes' }],
    assignees: { roles: ['owner'], user_ids: [] },
    ...more,
  });

/** What the stream of a run has told of the runs that it waits for, in its order. */
async function told(run: AcceptedRun): Promise<{ node_id: string; waits_for: JsonObject[] }[]> {
  const rows = await engine.db.query<{ payload: { node_id: string; data: { waits_for: JsonObject[] } } }>(
    `SELECT payload FROM run_events WHERE run_pk = $1 AND type = 'progress' ORDER BY seq`,
    [run.runPk],
  );
  return rows.map(({ payload: { node_id, data } }) => ({ node_id, waits_for: data.waits_for }));
}
const lastTold = async (run: AcceptedRun): Promise<JsonObject[] | undefined> =>
  (await told(run)).at(-1)?.waits_for;
const recorded = async ({ runPk }: AcceptedRun): Promise<unknown> => {
  const { signal } = new AbortController();
  return (await answerOf(writeRecord(engine, owner(engine), { runPk, signal })))['waits_for'];
};

/** The run as those above it show it, with its one question. */
const shown = ({ accepted, ...played }: Played) => ({
  run_id: accepted.runId,
  run_pk: accepted.runPk,
  workflow_name: 'Sub',
  interrupts: [
    {
      interrupt_id: questionsOf({ accepted, ...played })['ask'],
      node_id: 'ask',
      kind: 'approval',
      title: 'Refund?',
      assignees: { roles: ['owner'], user_ids: [] },
      expires_at: null,
    },
  ],
});
const yes = (played: Played): JsonObject => ({
  interrupt_id: questionsOf(played)['ask'] ?? '',
  action: 'yes',
});
const tells = (run: AcceptedRun, expected: unknown) =>
  expect.poll(() => lastTold(run), { timeout: 20_000 }).toEqual(expected);
const child = (run: AcceptedRun): Promise<AcceptedRun> => eventually(() => childOf(engine, run));
const stepOf = async (run: AcceptedRun, nodeId: string): Promise<string> => {
  const rows = await engine.db.query<{ step_id: string }>(
    'SELECT step_id FROM run_steps WHERE root_run_pk = $1 AND node_id = $2',
    [run.runPk, nodeId],
  );
  return rows[0]?.step_id ?? '';
};

test('RUN-3.6: a run shows in its stream and its record that its sub-workflow waits for an answer, and that it continues', async () => {
  const asking = await deploy(engine, chain(ask()));
  const run = await engine.accept(chain(sub('s', asking), transform('t', { said: '{{s.data.action}}' })));
  const waiting = await engine.follow(await child(run));
  await tells(run, [shown(waiting)]);
  expect(await recorded(run)).toEqual([{ step_id: await stepOf(run, 's'), node_id: 's', ...shown(waiting) }]);
  expect(await recorded(waiting.accepted)).toEqual([]);
  await answer(engine, waiting, yes(waiting));
  const played = await engine.follow(run);
  expect(played.output).toEqual({ said: 'yes' });
  const frames = await told(run);
  expect(frames.map(({ node_id: nodeId }) => nodeId)).toEqual(frames.map(() => 's'));
  expect(frames[0]?.waits_for).toEqual([shown(waiting)]);
  // The node may have ended before the news: its end says the same.
  expect(frames.slice(1).map(({ waits_for: waits }) => waits)).toEqual(frames.length > 1 ? [[]] : []);
  expect(await recorded(run)).toEqual([]);
});

test('RUN-3.6: every run above shows the question of a run at any depth', async () => {
  const asking = await deploy(engine, chain(ask(), ask2()));
  const middle = await deploy(engine, chain(sub('m', asking)));
  const run = await engine.accept(chain(sub('s', middle)));
  const between = await child(run);
  const waiting = await engine.follow(await child(between));
  for (const above of [run, between]) await tells(above, [shown(waiting)]);
  expect(await recorded(run)).toMatchObject([{ node_id: 's', run_id: waiting.accepted.runId }]);
  expect(await recorded(between)).toMatchObject([{ node_id: 'm', run_id: waiting.accepted.runId }]);
  const resumed = await engine.follow(await answer(engine, waiting, yes(waiting)));
  for (const above of [run, between])
    await expect
      .poll(async () => (await lastTold(above))?.map(({ run_id: runId }) => runId), { timeout: 20_000 })
      .toEqual([resumed.accepted.runId]);
  expect(await recorded(run)).toMatchObject([
    { run_id: resumed.accepted.runId, interrupts: [{ node_id: 'ask2' }] },
  ]);
  await cancel(engine, run);
  expect(await recorded(run)).toEqual([]);
});
const ask2 = (): JsonObject => ({ ...ask(), id: 'ask2', name: 'ask2' });

test('RUN-3.6: a run below that is cancelled, or whose question expires, is not waited for any more', async () => {
  const asking = await deploy(engine, chain(ask()));
  const hold = node('hold', 'interrupt', { kind: 'wait', duration_seconds: 3_600 });
  const middle = await deploy(engine, chain(sub('m', asking, {}, { on_error: 'continue' }), hold));
  const run = await engine.accept(chain(sub('s', middle)));
  const waiting = await engine.follow(await child(await child(run)));
  await tells(run, [shown(waiting)]);
  await cancel(engine, waiting.accepted);
  await tells(run, []);
  expect(await recorded(run)).toEqual([]);
  await cancel(engine, run);

  // The news is on its way for up to half a second; a question that has expired by then is not told of.
  const brief = await deploy(
    engine,
    chain(ask({ timeout_seconds: 5, on_timeout: 'default', default_response: { action: 'yes' } }), hold),
  );
  const second = await engine.accept(chain(sub('s', brief)));
  await expect
    .poll(async () => (await told(second)).map(({ waits_for: waits }) => waits.length), { timeout: 20_000 })
    .toEqual([1, 0]);
  await cancel(engine, second);
});

test('RUN-3.6: each item of a map shows its question, and a caller that does not wait shows none', async () => {
  const asking = await deploy(engine, chain(ask()));
  const run = await engine.accept(chain(sub('each', asking, {}, { for_each: { items: [1, 2] } })));
  const waits = async () => (await recorded(run)) as { step_id: string; run_pk: string }[];
  await expect.poll(async () => (await waits()).length, { timeout: 20_000 }).toBe(2);
  expect(new Set((await waits()).map(({ step_id: stepId }) => stepId)).size).toBe(2);
  await expect
    .poll(async () => (await told(run)).map(({ waits_for: list }) => list.length), { timeout: 20_000 })
    .toEqual([1, 1]);
  await cancel(engine, run);

  const loose = await engine.play(chain(sub('s', asking, { wait: false })));
  await engine.follow(await child(loose.accepted));
  expect([await told(loose.accepted), await recorded(loose.accepted)]).toEqual([[], []]);
});

test('RUN-3.6: news that is delivered twice is one event', async () => {
  const asking = await deploy(engine, chain(ask()));
  const run = await engine.accept(chain(sub('s', asking)));
  const waiting = await engine.follow(await child(run));
  await tells(run, [shown(waiting)]);
  const rootRunPk = waiting.accepted.runPk;
  await addOutbox(engine.db, { kind: 'waits', organizationId: engine.organizationId, rootRunPk });
  await eventually(async () => {
    const left = await engine.db.query('SELECT 1 FROM outbox WHERE subject_id = $1', [rootRunPk]);
    return left.length === 0 ? true : null;
  });
  expect(await told(run)).toHaveLength(1);
  await cancel(engine, run);
});
