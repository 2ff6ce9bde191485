/** Temporal's UI would show an operator something else than what happens in a run. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkflowFailedError } from '@temporalio/client';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, closedAs, deploy, questionsOf, resume } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { happened, stepsOf } from '../support/records.ts';
import { startOperator, type Operator, type Shown } from '../support/shown-history.ts';

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

const named = (id: string, name: string, made: JsonObject): JsonObject => ({ ...made, id, name });
const fetch = (
  id: string,
  name: string,
  query: Record<string, string | number> = {},
  more: JsonObject = {},
) => named(id, name, http(id, recorder.url(randomUUID(), query), {}, more));
const short = (summary: string, failure: string | null = null): Shown => ({
  kind: 'local activity',
  type: 'tool',
  summary,
  failure,
});

test('short nodes are local activities by name, of an execution that began before the first call', async () => {
  const first = randomUUID();
  const { accepted } = await engine.play(
    chain(
      named('a', 'Fetch orders', http('a', recorder.url(first))),
      fetch('b', 'Charge card'),
      fetch('c', 'Send receipt'),
    ),
  );
  await expect
    .poll(() => operator.shown(accepted.runPk))
    .toEqual([
      short('Tool · Fetch orders (a)'),
      short('Tool · Charge card (b)'),
      short('Tool · Send receipt (c)'),
    ]);
  const [call] = recorder.calls(first);
  expect(await operator.beganMs(accepted.runPk)).toBeLessThanOrEqual(call!.startedAtMs);
});

test('a call that takes long is seen while it runs, with its name and when it began; a cancellation ends it', async () => {
  const tag = randomUUID();
  const slow = named('a', 'Fetch orders', http('a', recorder.url(tag, { hold: 1 })));
  const accepted = await engine.accept(chain(slow));
  await recorder.waitFor(tag, 1);
  const pending = async () =>
    (await operator.handle(accepted.runPk).describe()).raw.pendingActivities?.map(
      ({ activityType }) => activityType?.name,
    );
  await expect.poll(pending).toEqual(['tool']);
  const shown = await operator.shown(accepted.runPk);
  expect(shown.map(({ summary }) => summary)).toEqual([
    'Tool · Fetch orders (a)',
    expect.stringMatching(/^Tool · Fetch orders \(a\) since \d\d:\d\d:\d\d\.\d{3}$/),
  ]);
  await operator.handle(accepted.runPk).cancel();
  const played = await engine.follow(accepted);
  expect(played.end.type).toBe('run_cancelled');
  await expect.poll(() => recorder.calls(tag)[0]?.aborted).toBe(true);
  recorder.release();
});

test('a terminated execution ends its row: the work is given up, the row fails as terminated', async () => {
  const tag = randomUUID();
  const accepted = await engine.accept(chain(named('a', 'A', http('a', recorder.url(tag, { hold: 1 })))));
  await recorder.waitFor(tag, 1);
  await operator.handle(accepted.runPk).terminate('by an operator');
  expect((await operator.handle(accepted.runPk).describe()).status.name).toBe('TERMINATED');
  // No reconciler sweeps here: the activity hears that its execution is gone.
  const played = await engine.follow(accepted);
  expect(played.error).toMatchObject({ code: 'terminated' });
  await expect.poll(() => recorder.calls(tag)[0]?.aborted).toBe(true);
  const [step] = await stepsOf(engine.db, accepted.runPk);
  expect(step).toMatchObject({ status: 'cancelled' });
  recorder.release();
});

test('a terminated execution ends its row although its model still speaks: each token is an event of the run', async () => {
  model.script({ text: Array.from({ length: 600 }, (_, at) => `w${at} `), delayMs: 50 });
  const config = { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: 'Go' }] };
  const accepted = await engine.accept(chain(named('m', 'Speak', node('m', 'llm', config))));
  await happened(engine.db, accepted.runPk, 'token', 'm');
  await operator.handle(accepted.runPk).terminate('by an operator');
  const played = await engine.follow(accepted);
  expect(played.error).toMatchObject({ code: 'terminated' });
  await expect.poll(() => model.requests.at(-1)?.aborted).toBe(true);
});

test('a cancelled execution ends its row before its work has heard of it from Temporal', async () => {
  const tag = randomUUID();
  const slow = http('a', recorder.url(tag, { hold: 1 }), {}, { timeout_ms: 200_000 });
  const accepted = await engine.accept(chain(named('a', 'A', slow)));
  await recorder.waitFor(tag, 1);
  await operator.handle(accepted.runPk).cancel();
  expect((await engine.follow(accepted)).end.type).toBe('run_cancelled');
  expect(await closedAs(engine, accepted)).toBe('CANCELLED');
  const events = (await operator.handle(accepted.runPk).fetchHistory()).events ?? [];
  const asked = events.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes);
  const closed = events.findLastIndex(
    ({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_local_activity',
  );
  const stopped = events.findIndex((event) => event.activityTaskCanceledEventAttributes);
  expect(closed).toBeGreaterThan(asked);
  expect(stopped).toBeGreaterThan(closed);
  recorder.release();
});

test('a failed attempt shows its error, and the wait behind it is a timer with the name of its node', async () => {
  const more = { retry: { max_attempts: 2, initial_interval_ms: 10 } };
  const query = { fail: 1, status: 503, retry_after: 0 };
  const { accepted } = await engine.play(chain(fetch('a', 'Fetch orders', query, more)));
  await expect
    .poll(() => operator.shown(accepted.runPk))
    .toEqual([
      short('Tool · Fetch orders (a)', 'http_error: The server responded with HTTP 503'),
      { kind: 'timer', type: null, summary: 'Tool · Fetch orders (a): next attempt', failure: null },
      short('Tool · Fetch orders (a)'),
    ]);
});

test('the timers of a wait and of the expiry of a question have the names of their nodes', async () => {
  const wait = named('w', 'Cool down', node('w', 'interrupt', { kind: 'wait', duration_seconds: 1 }));
  const ask = named('q', 'Approve', node('q', 'interrupt', { kind: 'input', timeout_seconds: 3_600 }));
  const { accepted } = await engine.play(chain(wait, ask));
  const timers = async (): Promise<unknown> =>
    (await operator.shown(accepted.runPk))
      .filter(({ kind }) => kind === 'timer')
      .map(({ summary }) => summary);
  await expect
    .poll(timers)
    .toEqual(['Interrupt · Cool down (w): wait ends', 'Interrupt · Approve (q): question expires']);
});

test('signals by hand change nothing, whatever is in them, and a query is refused', async () => {
  const asked = await engine.play(chain(node('q', 'interrupt', { kind: 'input' })));
  const handle = operator.handle(asked.accepted.runPk);
  for (const name of ['resume', 'no_such_signal'])
    for (const payload of [[], [{ interrupt_id: 'int_0', data: 1 }], [null, 'x'.repeat(1_000)]])
      await handle.signal(name, ...payload);
  await expect(handle.query('no_such_query')).rejects.toThrow();
  expect((await handle.describe()).raw.pendingWorkflowTask?.attempt ?? 1).toBe(1);
  const [row] = await engine.db.query('SELECT status FROM runs WHERE id = $1', [asked.accepted.runPk]);
  expect(row).toEqual({ status: 'interrupted' });
  const played = await resume(engine, asked, { interrupt_id: questionsOf(asked)['q'] ?? '', data: {} });
  expect(played.end.type).toBe('run_completed');
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
});

test('the wait of an item that runs by itself has its index', async () => {
  const more = { retry: { max_attempts: 2, initial_interval_ms: 10 }, timeout_ms: 200_000 };
  const query = { fail: 1, status: 503, retry_after: 0 };
  const each = { ...more, for_each: { items: ['x'] } };
  const { accepted } = await engine.play(chain(fetch('m', 'Fetch each', query, each)));
  const timers = async (): Promise<unknown> =>
    (await operator.shown(accepted.runPk))
      .filter(({ kind }) => kind === 'timer')
      .map(({ summary }) => summary);
  await expect.poll(timers).toEqual(['Tool · Fetch each (m) [0]: next attempt']);
});

test('a mapped node of a hundred short items is shown in ranges by name', async () => {
  const items = Array.from({ length: 100 }, (_, at) => at);
  const more = { for_each: { items: '{{input.items}}', max_concurrency: 20 } };
  const { accepted } = await engine.play(chain(fetch('m', 'Fetch each', {}, more)), { items });
  const ranges = async (): Promise<number[][]> =>
    (await operator.shown(accepted.runPk)).flatMap(({ summary }) => {
      const [, first, last] = /^Tool · Fetch each \(m\) \[(\d+)–(\d+)\]$/.exec(summary ?? '') ?? [];
      return first === undefined ? [] : [[Number(first), Number(last)]];
    });
  // How many there are is the machine's speed: each goes on where the one before has stopped.
  await expect.poll(async () => (await ranges()).at(-1)?.[1]).toBe(99);
  const seen = await ranges();
  const firsts = seen.map(([first]) => first!);
  expect(firsts[0]).toBe(0);
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  expect(seen).toEqual(firsts.map((first) => [first, Math.min(99, first + 49)]));
  expect(firsts.length).toBeLessThan(items.length);
});

test('items that take long are activities of their own, by name and index', async () => {
  model.script({ text: ['a'] }, { text: ['b'] });
  const llm = node(
    'm',
    'llm',
    { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: '{{item}}' }] },
    { for_each: { items: '{{input.items}}', max_concurrency: 1 } },
  );
  const { accepted } = await engine.play(chain(named('m', 'Classify', llm)), { items: ['x', 'y'] });
  await expect
    .poll(async () => (await operator.shown(accepted.runPk)).map(({ kind, summary }) => [kind, summary]))
    .toEqual([
      ['activity', 'LLM · Classify (m) [0]'],
      ['activity', 'LLM · Classify (m) [1]'],
      ['local activity', null],
    ]);
});

test('a sub-workflow is a child execution with the name of its workflow and its node', async () => {
  const workflowId = await deploy(engine, chain(transform('t')));
  const made = node('s', 'tool', { kind: 'workflow', workflow_id: workflowId });
  const { accepted } = await engine.play(chain(named('s', 'Refund', made)));
  await expect
    .poll(async () => (await operator.shown(accepted.runPk)).filter(({ kind }) => kind === 'child'))
    .toEqual([
      { kind: 'child', type: null, summary: expect.stringMatching(/ · Tool · Refund \(s\)$/), failure: null },
    ]);
});

test('a question shows its state, its assignees and its time, and no value', async () => {
  const ask = node('ask', 'interrupt', {
    kind: 'approval',
    title: 'Refund {{input.secret}}?',
    actions: [{ id: 'yes', label: 'Yes' }],
    assignees: { roles: ['admin'] },
  });
  const { accepted } = await engine.play(chain(named('ask', 'Approve refund', ask)), { secret: 'hush' });
  const details = async (): Promise<string> => {
    const metadata = await operator
      .handle(accepted.runPk)
      .query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails;
  };
  await expect.poll(details).toContain('waits for an answer');
  expect(await details()).toMatch(/\*\*Approve refund \(ask\)\*\*: for admin since \d{4}-\d\d-\d\dT/);
  expect(await details()).not.toContain('hush');
  await expect
    .poll(async () => {
      const described = await operator.handle(accepted.runPk).describe();
      return described.typedSearchAttributes.get({ name: 'RunStatus', type: 'KEYWORD' });
    })
    .toBe('interrupted');
  await cancel(engine, accepted);
});

test('a run that fails fails its execution with the code, and its message names the node', async () => {
  const { accepted } = await engine.play(chain(fetch('a', 'Charge card', { fail: 9, status: 402 })));
  const failure = await operator
    .handle(accepted.runPk)
    .result()
    .then(
      () => null,
      (error: unknown) => (error instanceof WorkflowFailedError ? error.cause : error),
    );
  expect(failure).toMatchObject({
    type: 'http_error',
    message: 'Charge card (a): The server responded with HTTP 402',
  });
});
