/**
 * Functions in an advance: they have no effect, so what ends within milliseconds is written once, as pure nodes are, and
 * what takes longer is recorded as begun and goes on. Code runs in the real sandbox.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { NODE_TYPES } from '../../../src/graph/definition.ts';
import type { JsonObject } from '../../../src/graph/value.ts';
import { NodeError } from '../../../src/nodes/kind.ts';
import { NODE_EXAMPLES } from '../../../src/nodes/node-examples.ts';
import { kindRules } from '../../../src/nodes/registry.ts';
import type { SandboxPort } from '../../../src/nodes/tools.ts';
import { advance, beginRun, firstAdvance } from '../../../src/runs/execute/advance.ts';
import { executeDeps, type ExecuteDeps } from '../../../src/runs/execute/deps.ts';
import { MAX_IN_FLIGHT } from '../../../src/runs/execute/protocol.ts';
import type { AdvanceInput } from '../../../src/runs/execute/protocol.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import { cancelTree } from '../../../src/runs/ledger/cancel.ts';
import { currentSegment, lockToAdvance } from '../../../src/runs/ledger/segments.ts';
import { startAdvancing, type Advancing } from '../../support/advancing.ts';
import { END, START, chain, edge, node, transform, workflow } from '../../support/definitions.ts';
import { eventsOf, stepsOf } from '../../support/records.ts';
import { silenced } from '../../support/stretches.ts';

let advancing: Advancing;
let db: Db;
/** The code that the sandbox was given, each time. */
let ran: string[] = [];
/** Stands before the sandbox. */
let before: SandboxPort['run'] | null = null;

beforeAll(async () => {
  advancing = await startAdvancing();
  ({ db } = advancing);
  // The first function of a process waits for it.
  await advancing.deps.tools.sandbox.run({
    organizationId: 'o',
    code: 'export default () => 1',
    argument: {},
    timeoutMs: 20_000,
    memoryMb: 128,
    signal: new AbortController().signal,
  });
});
beforeEach(() => {
  ran = [];
  before = null;
});
afterAll(() => advancing.close());

/** A process over this database, which notes what its sandbox is given. */
function process(over: Db = db): ExecuteDeps {
  const { tools, log } = advancing.deps;
  const noted: SandboxPort = {
    run(job) {
      ran.push(job.code);
      return before === null ? tools.sandbox.run(job) : before(job);
    },
  };
  const attempt: typeof tools.attempt = (secrets, user) => ({
    ...tools.attempt(secrets, user),
    sandbox: noted,
  });
  return executeDeps({ db: over, tools: { ...tools, sandbox: noted, attempt }, log, home: 'home' });
}

const asked = (ref: RunRef): AdvanceInput => ({ ...firstAdvance(ref), runsEffects: true });
const code = (body: string): string => `export default ({ n }) => ${body}`;
const fn = (id: string, body: string, envelope: JsonObject = {}, argument = '{{input.n}}'): JsonObject =>
  node(id, 'function', { code: code(body), arguments: { n: argument } }, envelope);
/** Longer than an advance waits, shorter than a stretch does. */
const SLOW = '{ const end = Date.now() + 120; while (Date.now() < end); return n }';
const typesOf = async (ref: RunRef): Promise<string[]> =>
  (await eventsOf(db, ref.rootRunPk)).map(({ type }) => type);
const outputsOf = async (ref: RunRef): Promise<ReadonlyMap<unknown, unknown>> =>
  new Map((await stepsOf(db, ref.rootRunPk)).map((step) => [step['node_id'], step['output']]));

/** A busy machine takes longer than an advance waits, which is another case. */
const STALLS = { retry: 3 };

test('a line of functions and pure nodes is one advance', STALLS, async () => {
  const definition = chain(
    fn('a', 'n + 1'),
    fn('b', 'n * 2', {}, '{{a}}'),
    transform('t', { v: '{{b}}' }),
    fn('c', 'n - 1', {}, '{{t.v}}'),
  );
  const ref = await advancing.run(definition, { n: 4 });
  const result = await advance(process(), asked(ref));
  expect(result).toMatchObject({ state: 'closed', status: 'completed', advance: 1, calls: [] });
  const one = ['node_started', 'node_completed'];
  expect(await typesOf(ref)).toEqual(['run_started', ...one, ...one, ...one, ...one, 'run_completed']);
  expect((await outputsOf(ref)).get('c')).toBe(9);
});

test('branches of functions run side by side and meet in one advance', STALLS, async () => {
  const ids = Array.from({ length: 8 }, (_, at) => `f${at}`);
  const ref = await advancing.run(
    workflow(
      [...ids.map((id, at) => fn(id, `n + ${at}`)), transform('join', { v: '{{f3}}' })],
      [...ids.flatMap((id) => [edge(START, id), edge(id, 'join')]), edge('join', END)],
    ),
    { n: 1 },
  );
  expect(await advance(process(), asked(ref))).toMatchObject({ state: 'closed', advance: 1 });
  expect((await outputsOf(ref)).get('join')).toEqual({ v: 4 });
});

test('one that takes longer is recorded as begun, runs once, and its end is an advance of its own', async () => {
  const ref = await advancing.run(chain(fn('slow', SLOW), fn('after', 'n')), { n: 7 });
  const played = advance(process(), asked(ref));
  await expect
    .poll(() => stepsOf(db, ref.rootRunPk), { interval: 2 })
    .toMatchObject([{ node_id: 'slow', status: 'running', attempt: 1 }]);
  const result = await played;
  expect(result).toMatchObject({ state: 'closed', status: 'completed' });
  expect(result.advance).toBeGreaterThan(1);
  expect(ran.filter((one) => one === code(SLOW))).toHaveLength(1);
  expect((await outputsOf(ref)).get('after')).toBe(7);
});

test('the end of a quick one is not held up by a slow one beside it', async () => {
  const ref = await advancing.run(
    workflow(
      [fn('slow', SLOW), fn('quick', 'n')],
      [edge(START, 'slow'), edge(START, 'quick'), edge('slow', END), edge('quick', END)],
    ),
    { n: 7 },
  );
  const played = advance(process(), asked(ref));
  await expect
    .poll(async () => (await stepsOf(db, ref.rootRunPk)).map((step) => step['status']).sort(), {
      interval: 2,
    })
    .toEqual(['running', 'succeeded']);
  expect(await played).toMatchObject({ state: 'closed', status: 'completed' });
  expect(ran).toHaveLength(2);
});

test('a failure takes the way of its node, in the same advance', STALLS, async () => {
  const broken = fn('broken', '{ throw new Error("no") }', { on_error: 'branch' });
  const ref = await advancing.run(
    workflow(
      [broken, fn('rescue', 'n'), fn('never', 'n')],
      [
        edge(START, 'broken'),
        edge('broken', 'never'),
        edge('broken', 'rescue', 'error'),
        edge('rescue', END),
      ],
    ),
    { n: 1 },
  );
  expect(await advance(process(), asked(ref))).toMatchObject({ status: 'completed', advance: 1 });
  const steps = new Map((await stepsOf(db, ref.rootRunPk)).map((step) => [step['node_id'], step['status']]));
  expect(Object.fromEntries(steps)).toEqual({ broken: 'failed', rescue: 'succeeded', never: 'skipped' });
});

test('a failure for good fails the run', STALLS, async () => {
  const ref = await advancing.run(chain(fn('broken', '{ throw new Error("no") }'), fn('never', 'n')), {
    n: 1,
  });
  expect(await advance(process(), asked(ref))).toMatchObject({
    status: 'failed',
    error: { code: 'function_error', nodeId: 'broken' },
    advance: 1,
  });
});

test('a failure that may be tried again is left with its delay', STALLS, async () => {
  before = () => Promise.reject(new NodeError('sandbox_lost', 'gone', { retryable: true }));
  const retry = { retry: { max_attempts: 2, initial_interval_ms: 700 } };
  const ref = await advancing.run(chain(fn('f', 'n', retry)), { n: 1 });
  const { calls, state } = await advance(process(), asked(ref));
  expect({ calls, state }).toMatchObject({ state: 'running', calls: [{ nodeId: 'f', retryInMs: 700 }] });
  expect(await typesOf(ref)).toEqual(['run_started', 'node_started', 'node_retry']);
  expect(await stepsOf(db, ref.rootRunPk)).toMatchObject([
    { status: 'running', attempts: [{ attempt: 1, status: 'failed' }] },
  ]);
});

test('an end that the database refuses fails its node in words', STALLS, async () => {
  await db.query(
    `ALTER TABLE run_steps ADD CONSTRAINT refuses CHECK (output IS NULL OR output::text NOT LIKE '%unwritable%')`,
  );
  try {
    const ref = await advancing.run(chain(fn('good', 'n'), fn('bad', '"unwritable"')), { n: 1 });
    expect(await advance(process(), asked(ref))).toMatchObject({
      status: 'failed',
      error: { code: 'result_not_storable', nodeId: 'bad' },
    });
    expect((await outputsOf(ref)).get('good')).toBe(1);
  } finally {
    await db.query('ALTER TABLE run_steps DROP CONSTRAINT refuses');
  }
});

test('what is decided while an advance waits for a function holds: a cancelled run writes nothing of it', async () => {
  let release = (): void => undefined;
  before = (job) => new Promise((resolve) => (release = () => resolve({ value: job.argument, logs: [] })));
  const ref = await advancing.run(chain(fn('f', 'n')), { n: 1 });
  const played = advance(process(), asked(ref));
  await expect.poll(() => ran.length, { interval: 1 }).toBe(1);
  await db.transaction(async (tx) => {
    const segment = await currentSegment(tx, ref, true);
    if (segment !== null) await cancelTree(tx, segment, 'test');
  });
  release();
  // On a busy machine the function may have been recorded before the run was cancelled.
  const { state } = await played;
  const end = state === 'closed' ? await played : await advance(process(), { ...asked(ref), advance: 2 });
  expect(end).toMatchObject({ state: 'closed', status: 'cancelled' });
  expect(await typesOf(ref)).not.toContain('node_completed');
});

test('no more run at once than a run may have in flight', async () => {
  const held: (() => void)[] = [];
  before = (job) => new Promise((resolve) => held.push(() => resolve({ value: job.argument, logs: [] })));
  const ids = Array.from({ length: MAX_IN_FLIGHT + 1 }, (_, at) => `f${at}`);
  const ref = await advancing.run(
    workflow(
      ids.map((id) => fn(id, 'n')),
      ids.flatMap((id) => [edge(START, id), edge(id, END)]),
    ),
    { n: 1 },
  );
  const result = await advance(process(), asked(ref));
  expect(held).toHaveLength(MAX_IN_FLIGHT);
  expect(result.calls).toHaveLength(MAX_IN_FLIGHT);
  for (const release of held) release();
});

test('what is called before the start of an execution is named, the brief ones too', STALLS, async () => {
  const ref = await advancing.run(chain(fn('first', 'n'), fn('second', 'n')), { n: 1 });
  const run = await db.transaction((tx) => lockToAdvance(tx, ref));
  if (run === null || run.segment === null) throw new Error('The run is gone');
  const { called } = await beginRun(
    process(),
    { ...run, segment: run.segment },
    { onCalls: () => undefined },
  );
  expect(called.map(({ id }) => id)).toEqual(['first', 'second']);
});

test('a commit whose answer is lost is recognised: the function is not run again', async () => {
  // The first is the advance that was asked for.
  const silent = silenced(db, 2);
  const ref = await advancing.run(chain(fn('slow', SLOW), fn('b', 'n'), fn('c', 'n')), { n: 1 });
  expect(await advance(process(silent.db), asked(ref))).toMatchObject({
    state: 'closed',
    status: 'completed',
  });
  expect(silent.count()).toBeGreaterThan(1);
  expect(ran.filter((one) => one === code('n'))).toHaveLength(2);
});

test('only kinds without effects are waited for before they are recorded', () => {
  const policies = NODE_TYPES.flatMap((type) =>
    (NODE_EXAMPLES[type] ?? []).map((example) => kindRules.policy(type, example['config'] as JsonObject)),
  );
  const early = policies.filter(({ recordAfterMs }) => recordAfterMs !== undefined);
  expect(early.length).toBeGreaterThan(0);
  for (const policy of early) expect(policy).toMatchObject({ effect: 'pure', placement: 'activity' });
});
