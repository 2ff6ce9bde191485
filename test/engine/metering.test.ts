/** A reply of a managed model would be charged to nobody, twice, or to the wrong step (SPEC REL-G10). */
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { systemClock } from '../../src/base/clock.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { settleLeftovers } from '../../src/platform/billing/settlement.ts';
import { readUsage } from '../../src/platform/billing/usage.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { readMetrics } from '../../src/base/observe/metrics.ts';
import { createLog } from '../../src/base/log.ts';
import { Reconciler } from '../../src/engine/runs/outbox/reconciler.ts';
import { cancelRun } from '../../src/engine/runs/ledger/write/cancel.ts';
import { chain, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import { childOf, closedAs, deploy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { acceptUndelivered } from '../support/runs.ts';
import { eventually } from '../support/waiting.ts';
import { booksOf, setTerms } from '../support/money.ts';

let model: ModelServer;
let engine: TestEngine;
beforeAll(async () => {
  ({ engine, model } = await startEngineWithModel());
});
beforeEach(() => setTerms(engine.db, engine.organizationId, { plan: 'pro' }));
afterAll(() => engine.close());

const llm = (id: string, config: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  node(
    id,
    'llm',
    { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: 'x' }], ...config },
    envelope,
  );
/** Plays until the execution is closed: metrics count a run once its end has been written. */
async function playOut(definition: JsonObject): Promise<void> {
  const { accepted } = await engine.play(definition);
  await closedAs(engine, accepted);
}
const used = async (): Promise<number> => (await booksOf(engine.db, engine.organizationId)).used;

test('a managed call: node, run, record and account say the same', async () => {
  model.script({ text: ['ok'], usage: { input: 812, output: 140 } });
  const played = await engine.play(chain(llm('m'), transform('t', { x: 1 })));
  expect(played.of('node_completed', 'm')[0]?.['credits']).toBe(1.232);
  expect(played.of('node_completed', 't')[0]?.['credits']).toBe(0);
  expect(played.end['credits']).toBe(1.232);
  expect(await readUsage(engine.db, played.accepted.runPk)).toEqual([
    { step_id: expect.any(String), kind: 'llm', model: 'test-model', credits: 1.232, byok: false },
  ]);
  expect(await used()).toBe(1_232);
});

test('a run that the reconciler or a cancellation ends is counted like one that an advance ends', async () => {
  const countOf = async (name: string): Promise<number> => {
    const line = (await readMetrics(engine.db, 0)).split('\n').find((row) => row.startsWith(`${name} `));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const NAMES = [
    'runs_ended_total{status="failed"}',
    'run_duration_seconds_count{status="failed"}',
    'runs_ended_total{status="cancelled"}',
    'run_start_delay_seconds_count',
  ];
  const before = await Promise.all(NAMES.map(countOf));
  const log = createLog('silent', 'test');
  const [lost, cancelled] = [await acceptUndelivered(engine.db), await acceptUndelivered(engine.db)];
  await engine.db.query(`UPDATE runs SET last_event_at = now() - interval '1 minute' WHERE id = $1`, [
    lost.runPk,
  ]);
  const deps = { db: engine.db, engine: engine.engine };
  const guard = new NamespaceGuard({ ...deps, clock: systemClock });
  expect(await new Reconciler({ ...deps, guard, log }).sweep()).toBe(1);
  await cancelRun(engine.db, { ...cancelled, rootRunPk: cancelled.runPk }, null);
  await playOut(chain(transform('t', { x: 1 })));
  const after = await Promise.all(NAMES.map(countOf));
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1, 1]);
});

test('metrics tell what runs came to, how long attempts took, and what models used', async () => {
  const valueOf = async (line: string): Promise<number> => {
    const text = await readMetrics(engine.db, 0);
    const found = text.split('\n').find((row) => row.startsWith(`${line} `));
    return Number(found?.slice(line.length + 1) ?? 0);
  };
  const LINES = [
    'runs_ended_total{status="completed"}',
    'runs_ended_total{status="failed"}',
    'node_attempt_duration_seconds_count{kind="llm",outcome="completed"}',
    'node_attempt_duration_seconds_count{kind="llm",outcome="failed"}',
    'model_tokens_total{kind="llm",direction="input",account="managed"}',
    'model_tokens_total{kind="llm",direction="output",account="managed"}',
    'credits_used_total{kind="llm"}',
  ];
  const look = () => Promise.all(LINES.map(valueOf));
  const before = await look();
  model.script({ text: ['ok'], usage: { input: 812, output: 140 } });
  await playOut(chain(llm('m')));
  model.script({ status: 400 });
  await playOut(chain(llm('m')));
  const after = await look();
  expect(after.map((value, at) => Number((value - (before[at] ?? 0)).toFixed(3)))).toEqual([
    1, 1, 1, 1, 812, 140, 1.232,
  ]);
});

test('a run without managed usage costs nothing', async () => {
  const played = await engine.play(chain(transform('t', { x: 1 })));
  expect([played.end['credits'], await used()]).toEqual([0, 0]);
});

test('every reply counts: of repairs, of attempts that failed after one, and of runs that fail', async () => {
  const json = {
    response_format: { type: 'json_schema', schema: { type: 'object', required: ['a'] } },
  };
  model.script({ text: ['no JSON'], usage: { input: 100, output: 10 } });
  const played = await engine.play(chain(llm('m', json)));
  expect(played.end.type).toBe('run_failed');
  // Two replies: the answer and its repair.
  expect([played.end['credits'], await used()]).toEqual([0.26, 260]);
});

test('a call that got no reply costs nothing, and its next attempt its own', async () => {
  model.script({ status: 500 }, { text: ['ok'], usage: { input: 10, output: 0 } });
  const retry = { max_attempts: 2, initial_interval_ms: 1, max_interval_ms: 1, backoff_coefficient: 1 };
  const played = await engine.play(chain(llm('m', {}, { retry })));
  expect(played.of('node_retry', 'm')).toHaveLength(1);
  expect([played.of('node_completed', 'm')[0]?.['credits'], await used()]).toEqual([0.01, 10]);
});

test('a sub-workflow is charged once, and rolls up to its caller', async () => {
  model.script({ text: ['ok'], usage: { input: 1_000, output: 0 } });
  const child = await deploy(engine, chain(llm('m')));
  const call = node('s', 'tool', { kind: 'workflow', workflow_id: child, input: {} });
  const played = await engine.play(chain(call, llm('own')));
  expect(played.of('node_completed', 's')[0]?.['credits']).toBe(1);
  expect(played.end['credits']).toBe(2);
  const run = await engine.follow(await childOf(engine, played.accepted));
  expect(run.end['credits']).toBe(1);
  expect((await readUsage(engine.db, played.accepted.runPk)).map((item) => item.credits)).toEqual([1, 1]);
  expect(await used()).toBe(2_000);
});

test('guardrails pay for the checks that a model makes; blocked without a way out, they fail the node', async () => {
  const checks = [
    { type: 'pii', action: 'mask' },
    { type: 'jailbreak' },
    { type: 'topic', topics: ['refunds'], action: 'flag' },
  ];
  const config = { provider: 'openai', model: 'test-model', input: 'Write to a@b.co', checks };
  const guarded = chain(node('g', 'guardrails', config), transform('t', { said: '{{g.text}}' }));
  model.script({ text: ['{"score":0.1,"reason":"harmless"}'], usage: { input: 100, output: 10 } });
  const played = await engine.play(guarded);
  expect(played.output).toEqual({ said: 'Write to [EMAIL]' });
  expect([played.of('node_completed', 'g')[0]?.['credits'], await used()]).toEqual([0.26, 260]);
  expect(await readUsage(engine.db, played.accepted.runPk)).toMatchObject([{ kind: 'guardrails' }]);
  model.script({ text: ['{"score":0.9}'], usage: { input: 100, output: 10 } });
  const blocked = await engine.play(guarded);
  expect(blocked.error).toMatchObject({ code: 'guardrail_blocked', node_id: 'g' });
  expect(await used()).toBe(520);
  model.script({ text: ['I would rather not say'], usage: { input: 100, output: 10 } });
  const failed = await engine.play(guarded);
  expect(failed.error?.code).toBe('guardrail_check_failed');
  expect(await used()).toBe(1_040);
});

test('a cancelled run pays what it had used', async () => {
  model.script({ text: ['ok'], usage: { input: 500, output: 0 } }, { text: ['slow'], delayMs: 60_000 });
  const before = model.requests.length;
  const accepted = await engine.accept(chain(llm('first'), llm('second')));
  await eventually('the second call', 20_000, () => model.requests[before + 1]);
  expect(await used()).toBe(0);
  const run = { organizationId: engine.organizationId, runPk: accepted.runPk, rootRunPk: accepted.runPk };
  await cancelRun(engine.db, run, null);
  expect(await used()).toBe(500);
});

test('a cancelled call pays for the replies that it had got, once its run has been charged', async () => {
  model.script({ text: ['no JSON'], usage: { input: 100, output: 10 } }, { text: ['slow'], delayMs: 60_000 });
  const before = model.requests.length;
  const accepted = await engine.accept(chain(llm('m', { response_format: { type: 'json_object' } })));
  await eventually('the repair', 20_000, () => model.requests[before + 1]);
  const run = { organizationId: engine.organizationId, runPk: accepted.runPk, rootRunPk: accepted.runPk };
  await cancelRun(engine.db, run, null);
  await eventually('what was used', 20_000, async () => (await readUsage(engine.db, accepted.runPk))[0]);
  expect(await used()).toBe(0);
  await engine.db.query(`UPDATE credit_usage SET created_at = now() - interval '2 minutes'`);
  await settleLeftovers(engine.db);
  expect(await used()).toBe(130);
});
