/** The values that the runs of one organization read would take the memory of a worker, and the runs of all others with it. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import { createExecuteDeps, type ExecuteDeps } from '../../../../src/engine/runs/execute/deps.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import type { AdvanceResult } from '../../../../src/engine/runs/execute/protocol.ts';
import { FREE_STATE_BYTES } from '../../../../src/engine/runs/ledger/read/value-share.ts';
import { ByteBudget, type ByteLease } from '../../../../src/base/shares/byte-budget.ts';
import {
  firstAdvance,
  firstTask,
  patientHost,
  startAdvancing,
  type Advancing,
} from '../../../support/advancing.ts';
import { END, START, chain, edge, http, rule, transform, workflow } from '../../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../support/http-recorder.ts';
import { stepsOf } from '../../../support/records.ts';

/** What one run of these tests reads of its input: more than half of the share. */
const SIZE = 2 * FREE_STATE_BYTES;
const text = 'x'.repeat(SIZE);

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

/** A process whose share has room for one of the values, not for two. */
function smallShare(): { readonly deps: ExecuteDeps; readonly budget: ByteBudget } {
  const budget = new ByteBudget({ capacity: 10 * SIZE, perOrganization: 1.5 * (SIZE - FREE_STATE_BYTES) });
  return { budget, deps: createExecuteDeps({ ...advancing.deps, bytes: budget }) };
}

const statusOf = async ({ rootRunPk }: RunRef): Promise<unknown> =>
  (await stepsOf(advancing.db, rootRunPk)).map(({ status }) => status);

test('SEC-F23: of two nodes of one organization whose values exceed its share, one waits; a node of another does not', async () => {
  const { deps, budget } = smallShare();
  const call = (tag: string): JsonObject =>
    chain(http('h', recorder.url(tag, { hold: 1 }), { headers: { length: '{{input.text.length}}' } }));
  const first = await advancing.run(call('first'), { text });
  const second = await advancing.run(call('second'), { text }, first.organizationId);
  const other = await advancing.run(call('other'), { text });
  const play = (ref: RunRef) => runNode(deps, patientHost, { task: firstTask(ref, 'h') });
  const ends = [play(first)];
  await recorder.waitFor('first', 1);
  expect(budget.heldBy(first.organizationId)).toBeGreaterThan(SIZE - FREE_STATE_BYTES);
  ends.push(play(second));
  await vi.waitFor(() => expect(budget.waiting).toBe(1));
  ends.push(play(other));
  await recorder.waitFor('other', 1);
  expect(recorder.calls('second')).toEqual([]);
  recorder.release(({ tag }) => tag === 'first');
  await recorder.waitFor('second', 1);
  expect(await statusOf(first)).toEqual(['succeeded']);
  recorder.release();
  await Promise.all(ends);
  expect([await statusOf(second), await statusOf(other)]).toEqual([['succeeded'], ['succeeded']]);
  expect([budget.held, budget.waiting]).toEqual([0, 0]);
});

/** Makes an advance. Each look at the clock takes 150 ms, so it folds one node. */
function step(deps: ExecuteDeps, ref: RunRef, number: number, progress = ''): Promise<AdvanceResult> {
  let nowMs = 0;
  const clock = { ...systemClock, monotonic: () => (nowMs += 150) };
  return advance({ ...deps, clock }, { ...firstAdvance(ref), advance: number, progress });
}

/** Fills the share of an organization until it is closed. */
function fill(budget: ByteBudget, { organizationId }: RunRef): ByteLease {
  const lease = budget.open(organizationId);
  expect(lease.grow(SIZE, null)).toBeNull();
  return lease;
}

test('SEC-F23: an advance waits for the values that it loads, holds no transaction, and does its work once', async () => {
  const { deps, budget } = smallShare();
  const copies = chain(transform('a', { text: '{{input.text}}' }), transform('b', { text: '{{a.text}}' }));
  const ref = await advancing.run(copies, { text });
  const begun = await step(deps, ref, 1);
  expect(begun).toMatchObject({ state: 'running' });
  const older = fill(budget, ref);
  const next = step(deps, ref, 2, begun.progress);
  await vi.waitFor(() => expect(budget.waiting).toBe(1));
  expect(deps.db.readPool().used).toBe(0);
  const other = await advancing.run(copies, { text });
  expect(await step(deps, other, 1)).toMatchObject({ state: 'running' });
  older.close();
  let end = await next;
  for (let number = 3; end.state === 'running'; number += 1)
    end = await step(deps, ref, number, end.progress);
  expect(end).toMatchObject({ state: 'closed', status: 'completed' });
  expect(await statusOf(ref)).toEqual(['succeeded', 'succeeded']);
  expect([budget.held, budget.waiting]).toEqual([0, 0]);
});

test('SEC-F23: an advance waits with outputs that it has made, before it writes them', async () => {
  const { deps, budget } = smallShare();
  const ref = await advancing.run(chain(transform('a', { text: '{{input.text}}' })), { text });
  const older = fill(budget, ref);
  const begun = step(deps, ref, 1);
  await vi.waitFor(() => expect(budget.waiting).toBe(1));
  expect(await statusOf(ref)).toEqual([]);
  older.close();
  expect(await begun).toMatchObject({ state: 'closed', status: 'completed' });
  expect(await statusOf(ref)).toEqual(['succeeded']);
});

test('SEC-F23: the end of a node that reads the state waits for it without a transaction', async () => {
  const { deps, budget } = smallShare();
  const definition = workflow(
    [http('h', recorder.url('end'), {}), transform('t')],
    [
      edge(START, 'h'),
      edge('h', 't', 'default', { id: 'w', when: rule('{{input.text}}', 'contains', 'x') }),
      edge('t', END),
    ],
  );
  const ref = await advancing.run(definition, { text });
  const older = fill(budget, ref);
  const end = runNode(deps, patientHost, { task: firstTask(ref, 'h') });
  await vi.waitFor(() => expect(budget.waiting).toBe(1));
  expect(deps.db.readPool().used).toBe(0);
  older.close();
  expect(await end).toMatchObject({ kind: 'done', result: { taken: [0] } });
  expect(budget.held).toBe(0);
});

test('SEC-F23: a node waits before it builds a body, and no body is built twice', async () => {
  const { deps, budget } = smallShare();
  const post = (tag: string, count: number): JsonObject =>
    chain(http('h', recorder.url(tag, { reply: 'ok' }), { body: { text: 'x'.repeat(count) } }));
  const around = JSON.stringify({ text: '' }).length;
  const free = await advancing.run(post('free', FREE_STATE_BYTES - around));
  const counted = await advancing.run(
    post('counted', FREE_STATE_BYTES - around + 1),
    {},
    free.organizationId,
  );
  const older = fill(budget, free);
  await runNode(deps, patientHost, { task: firstTask(free, 'h') });
  expect(recorder.calls('free')).toHaveLength(1);
  const end = runNode(deps, patientHost, { task: firstTask(counted, 'h') });
  await vi.waitFor(() => expect(budget.waiting).toBe(1));
  expect(recorder.calls('counted')).toEqual([]);
  older.close();
  await end;
  expect(recorder.calls('counted')).toHaveLength(1);
  expect(await statusOf(counted)).toEqual(['succeeded']);
});

test('SEC-F23: a node that waits for its values ends with its run', async () => {
  const { deps, budget } = smallShare();
  const ref = await advancing.run(
    chain(http('h', recorder.url('given-up'), { headers: { x: '{{input.text.length}}' } })),
    {
      text,
    },
  );
  const older = fill(budget, ref);
  const end = runNode(deps, patientHost, { task: firstTask(ref, 'h') });
  await vi.waitFor(() => expect(budget.waiting).toBe(1));
  await advancing.db.query("UPDATE runs SET status = 'cancelled' WHERE id = $1", [ref.rootRunPk]);
  deps.running.cancelled(ref.rootRunPk);
  expect(await end).toMatchObject({ kind: 'gone' });
  expect(budget.waiting).toBe(0);
  older.close();
  expect(recorder.calls('given-up')).toEqual([]);
});
