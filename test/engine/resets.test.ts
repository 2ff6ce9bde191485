/** An operator who resets an execution in Temporal would repeat effects, lose the run, or see another end than that of its row. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import {
  answer,
  cancel,
  childOf,
  closedAs,
  deploy,
  eventually,
  questionsOf,
  resume,
  workflowIdOf,
} from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { eventsOf, happened } from '../support/records.ts';
import { startOperator, type Operator } from '../support/shown-history.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
let operator: Operator;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
  operator = await startOperator(engine);
});
afterAll(async () => {
  await operator.close();
  await engine.close();
});

/** Resets the execution of a run to the end of its first workflow task, as `temporal workflow reset --type FirstWorkflowTask`. */
async function reset(run: AcceptedRun): Promise<void> {
  const handle = operator.handle(run.runPk);
  const { events } = await handle.fetchHistory();
  const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
  const { runId } = await handle.describe();
  await operator.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: workflowIdOf(engine, run), runId },
    reason: 'by an operator',
    requestId: randomUUID(),
    workflowTaskFinishEventId: first?.eventId ?? null,
  });
}

/** Waits until Temporal has the first answer of the run, so that there is a workflow task to reset to. */
const hasBegun = (run: AcceptedRun): Promise<true> =>
  eventually(async () => {
    const { events } = await operator.handle(run.runPk).fetchHistory();
    return events?.some((event) => event.workflowTaskCompletedEventAttributes) === true ? true : null;
  });

const rowOf = (run: AcceptedRun): Promise<unknown[]> =>
  engine.db.query(
    'SELECT id, status, output, error, completed_at FROM runs WHERE root_run_pk = $1 ORDER BY id',
    [run.runPk],
  );
const callsOf = (tags: readonly string[]): number[] => tags.map((tag) => recorder.calls(tag).length);
/** Why the execution of a run has failed, as Temporal's UI shows it. */
const failureOf = async (run: AcceptedRun): Promise<string> =>
  operator
    .handle(run.runPk)
    .result()
    .then(
      () => 'none',
      (error: Error) => {
        const { type, message } = error.cause as Error & { type?: string };
        return `${type}: ${message}`;
      },
    );

/** Resets the execution of a run that has ended; how it ends again, when its records are still the same. */
async function endAfterReset(run: AcceptedRun): Promise<string> {
  await closedAs(engine, run);
  const [row, events] = [await rowOf(run), await eventsOf(engine.db, run.runPk)];
  await reset(run);
  const end = await closedAs(engine, run);
  expect([await rowOf(run), await eventsOf(engine.db, run.runPk)]).toEqual([row, events]);
  return end;
}

test('a completed run that is reset is completed again, and calls nobody', async () => {
  const tags = [randomUUID(), randomUUID()] as const;
  const definition = chain(
    http('a', recorder.url(tags[0])),
    transform('t'),
    http('b', recorder.url(tags[1])),
  );
  const { accepted } = await engine.play(definition);
  expect(await endAfterReset(accepted)).toBe('COMPLETED');
  expect(callsOf(tags)).toEqual([1, 1]);
});

test('a failed run that is reset fails with the same words', async () => {
  const tag = randomUUID();
  const { accepted } = await engine.play(chain(http('a', recorder.url(tag, { status: 400 }))));
  expect(await endAfterReset(accepted)).toBe('FAILED');
  expect(await failureOf(accepted)).toBe('http_error: a: The server responded with HTTP 400');
  expect(callsOf([tag])).toEqual([1]);
});

test('a terminated run that is reset fails, as its row says', async () => {
  const tag = randomUUID();
  const accepted = await engine.accept(chain(http('a', recorder.url(tag, { hold: 1 }))));
  await recorder.waitFor(tag, 1);
  await hasBegun(accepted);
  await operator.handle(accepted.runPk).terminate('by an operator');
  expect((await engine.follow(accepted)).error).toMatchObject({ code: 'terminated' });
  recorder.release();
  expect(await endAfterReset(accepted)).toBe('FAILED');
  expect(await failureOf(accepted)).toBe('terminated: The run was terminated by an operator');
  expect(callsOf([tag])).toEqual([1]);
});

test('a cancelled run that is reset is cancelled again', async () => {
  const tag = randomUUID();
  const accepted = await engine.accept(chain(http('a', recorder.url(tag, { hold: 1 }))));
  await recorder.waitFor(tag, 1);
  await hasBegun(accepted);
  await cancel(engine, accepted);
  expect(await endAfterReset(accepted)).toBe('CANCELLED');
  recorder.release();
  expect(callsOf([tag])).toEqual([1]);
});

test.each([
  ['completed', {}, 'COMPLETED'],
  ['failed', { status: 400 }, 'FAILED'],
] as const)(
  'a %s run ends as its row, although its answers were deleted with its values',
  async (_, query, end) => {
    const { accepted } = await engine.play(chain(http('a', recorder.url(randomUUID(), query))));
    await closedAs(engine, accepted);
    await engine.db.query('DELETE FROM run_advances WHERE root_run_pk = $1', [accepted.runPk]);
    expect(await endAfterReset(accepted)).toBe(end);
    if (end === 'FAILED')
      expect(await failureOf(accepted)).toBe('http_error: a: The server responded with HTTP 400');
  },
);

test.each([
  ['a short node', {}],
  ['a long node', { timeout_ms: 200_000 }],
  ['items', { for_each: { items: [1, 2], max_concurrency: 2 } }],
] as const)('a run that is reset while %s works goes on with the same call', async (_, envelope) => {
  const tags = [randomUUID(), randomUUID(), randomUUID()] as const;
  const held = http('b', recorder.url(tags[1], { hold: 2 }), {}, envelope as JsonObject);
  const definition = chain(http('a', recorder.url(tags[0])), held, http('c', recorder.url(tags[2])));
  const accepted = await engine.accept(definition);
  const count = 'for_each' in envelope ? 2 : 1;
  await recorder.waitFor(tags[1], count);
  await hasBegun(accepted);
  await reset(accepted);
  await hasBegun(accepted);
  recorder.release();
  const played = await engine.follow(accepted);
  expect(played.end.type).toBe('run_completed');
  expect(await closedAs(engine, accepted)).toBe('COMPLETED');
  expect(callsOf(tags)).toEqual([1, count, 1]);
  expect(played.of('node_retry')).toEqual([]);
});

test('a run that is reset while its model speaks has each token once', async () => {
  const words = Array.from({ length: 100 }, (_, at) => `w${at} `);
  model.script({ text: words, delayMs: 50 });
  const config = { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: 'Go' }] };
  const accepted = await engine.accept(chain(node('m', 'llm', config)));
  await happened(engine.db, accepted.runPk, 'token', 'm');
  const asked = model.requests.length;
  await reset(accepted);
  const played = await engine.follow(accepted);
  expect(played.end.type).toBe('run_completed');
  expect(await closedAs(engine, accepted)).toBe('COMPLETED');
  expect(
    played
      .of('token')
      .map((frame) => frame['delta'])
      .join(''),
  ).toBe(words.join(''));
  expect(model.requests.length).toBe(asked);
});

const question = node('ask', 'interrupt', { kind: 'input' });
const answerTo = (asked: Played): JsonObject => ({
  interrupt_id: questionsOf(asked)['ask'] ?? '',
  data: { v: 7 },
});

test('a run that waits for an answer and is reset keeps its question, and takes the answer', async () => {
  const tags = [randomUUID(), randomUUID()] as const;
  const asked = await engine.play(
    chain(http('a', recorder.url(tags[0])), question, http('b', recorder.url(tags[1]))),
  );
  await hasBegun(asked.accepted);
  await reset(asked.accepted);
  const played = await resume(engine, asked, answerTo(asked));
  expect(played.end.type).toBe('run_completed');
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
  await reset(asked.accepted);
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
  expect(callsOf(tags)).toEqual([1, 1]);
});

const sub = (
  id: string,
  workflowId: string,
  config: JsonObject = {},
  envelope: JsonObject = {},
): JsonObject => node(id, 'tool', { kind: 'workflow', workflow_id: workflowId, ...config }, envelope);

/** A run that is reset while its sub-workflow makes a call. */
async function resetAboveCall(
  envelope: JsonObject = {},
): Promise<{ parent: AcceptedRun; child: AcceptedRun; tags: string[] }> {
  const tags = [randomUUID(), randomUUID(), randomUUID()] as const;
  const workflowId = await deploy(engine, chain(http('b', recorder.url(tags[1], { hold: 1 }))));
  const parent = await engine.accept(
    chain(
      http('a', recorder.url(tags[0])),
      sub('s', workflowId, {}, envelope),
      http('c', recorder.url(tags[2])),
    ),
  );
  await recorder.waitFor(tags[1], 1);
  const child = await childOf(engine, parent);
  await hasBegun(child);
  await hasBegun(parent);
  await reset(parent);
  await eventually(async () => {
    const { events } = await operator.handle(parent.runPk).fetchHistory();
    const failed = events?.some((event) => event.startChildWorkflowExecutionFailedEventAttributes);
    return failed === true ? true : null;
  });
  return { parent, child, tags: [...tags] };
}

test('a run that is reset above its running sub-workflow goes on with it', async () => {
  const { parent, child, tags } = await resetAboveCall();
  recorder.release();
  const played = await engine.follow(parent);
  expect([played.end.type, (await engine.follow(child)).end.type]).toEqual([
    'run_completed',
    'run_completed',
  ]);
  expect([await closedAs(engine, child), await closedAs(engine, parent)]).toEqual(['COMPLETED', 'COMPLETED']);
  expect(callsOf(tags)).toEqual([1, 1, 1]);
});

test('a run that was reset above its sub-workflow is cancelled with it', async () => {
  const { parent, child, tags } = await resetAboveCall();
  await operator.handle(parent.runPk).cancel();
  expect((await engine.follow(parent)).end.type).toBe('run_cancelled');
  expect((await engine.follow(child)).end.type).toBe('run_cancelled');
  expect([await closedAs(engine, child), await closedAs(engine, parent)]).toEqual(['CANCELLED', 'CANCELLED']);
  recorder.release();
  expect(callsOf(tags)).toEqual([1, 1, 0]);
});

test('the timeout of its node cancels a sub-workflow from before a reset', async () => {
  const { parent, child } = await resetAboveCall({ timeout_ms: 6_000 });
  expect((await engine.follow(parent)).error).toMatchObject({ code: 'timeout', node_id: 's' });
  expect((await engine.follow(child)).end.type).toBe('run_cancelled');
  expect(await closedAs(engine, child)).toBe('CANCELLED');
  recorder.release();
});

test('a run that is reset above a sub-workflow that asks gets its answer', async () => {
  const workflowId = await deploy(engine, chain(question, transform('t', { v: '{{ask.data.v}}' })));
  const parent = await engine.accept(chain(sub('s', workflowId)));
  const asked = await engine.follow(await childOf(engine, parent));
  await hasBegun(parent);
  await reset(parent);
  await answer(engine, asked, answerTo(asked));
  expect((await engine.follow(parent)).output).toMatchObject({ data: { v: 7 }, status: 'completed' });
  expect(await closedAs(engine, parent)).toBe('COMPLETED');
});

test('a sub-workflow that is reset by itself still ends its parent', async () => {
  const tags = [randomUUID(), randomUUID()] as const;
  const workflowId = await deploy(engine, chain(http('a', recorder.url(tags[0], { hold: 1 }))));
  const parent = await engine.accept(chain(sub('s', workflowId), http('b', recorder.url(tags[1]))));
  await recorder.waitFor(tags[0], 1);
  const child = await childOf(engine, parent);
  await hasBegun(child);
  await reset(child);
  await hasBegun(child);
  recorder.release();
  expect((await engine.follow(parent)).end.type).toBe('run_completed');
  expect(await closedAs(engine, parent)).toBe('COMPLETED');
  expect(callsOf(tags)).toEqual([1, 1]);
});
