/** A large run would exceed the limits of a Temporal history and be terminated. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import {
  END,
  START,
  chain,
  conditional,
  edge,
  http,
  rule,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import { HISTORY_LIMITS, measure, openHistories } from '../support/histories.ts';
import type { HistoryReader, Measured } from '../support/histories.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { workflowIdOf } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let histories: HistoryReader;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
  histories = await openHistories();
});
afterAll(async () => {
  await histories.close();
  await engine.close();
});

const tag = (): string => randomUUID();
const get = (id: string, name: string, envelope: JsonObject = {}): JsonObject =>
  http(id, recorder.url(name), { method: 'GET' }, envelope);

async function executionsOf(played: Played): Promise<number> {
  const [row] = await engine.db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM run_steps WHERE run_pk = $1 AND status = 'succeeded' AND item_index = -1`,
    [played.accepted.runPk],
  );
  return row?.n ?? 0;
}

async function withinLimits(played: Played): Promise<Measured> {
  const measured = measure(await histories.chain(workflowIdOf(engine, played.accepted)));
  expect(measured.mostEvents).toBeLessThanOrEqual(HISTORY_LIMITS.events);
  expect(measured.largestPayload).toBeLessThanOrEqual(HISTORY_LIMITS.payloadBytes);
  return measured;
}

function isGapless(played: Played): boolean {
  return played.frames.every((frame, index) => frame.seq === index + 1);
}

test('thousands of node executions in a loop, effectful ones among them, over several histories', async () => {
  const name = tag();
  const rounds = 60;
  const pure = Array.from({ length: 33 }, (_, i) => transform(`p${i}`, { i }));
  // Some are short and run with the advance; some say that they take long, and are activities.
  const calls = Array.from({ length: 5 }, (_, i) => get(`h${i}`, name, i < 1 ? {} : { timeout_ms: 121_000 }));
  const body = [...pure, ...calls].map((each) => String(each['id']));
  const definition = workflow(
    [
      transform('head', { round: '{{loop.back.iteration}}' }),
      ...pure,
      ...calls,
      conditional('check', when('again', rule('{{head.round}}', 'lt', rounds - 1))),
    ],
    [
      edge(START, 'head'),
      ...body.flatMap((id) => [edge('head', id), edge(id, 'check')]),
      { ...edge('check', 'head', 'again'), id: 'back' },
      edge('check', END, 'else'),
    ],
  );
  const accepted = await engine.accept(definition, {}, { recursionLimit: 1_000 });
  await recorder.waitFor(name, 20);
  // Signals that say nothing fill the history with bytes, as many more rounds would with events.
  await histories.fill(workflowIdOf(engine, accepted), 8_500_000);
  const played = await engine.follow(accepted, 140_000);
  expect(played.end.type).toBe('run_completed');
  expect(await executionsOf(played)).toBe(rounds * 40);
  expect(recorder.calls(name).length).toBeGreaterThanOrEqual(rounds * 5);
  expect(isGapless(played)).toBe(true);
  expect((await withinLimits(played)).executions).toBeGreaterThan(1);
});

test('500 parallel effectful branches', async () => {
  const name = tag();
  const ids = Array.from({ length: 500 }, (_, i) => `b${i}`);
  const definition = workflow(
    [...ids.map((id) => get(id, name)), transform('last', { n: '{{b499.status}}' })],
    [...ids.flatMap((id) => [edge(START, id), edge(id, 'last')]), edge('last', END)],
  );
  const played = await engine.play(definition, {}, {});
  expect(played.output).toEqual({ n: 200 });
  expect(recorder.calls(name).length).toBeGreaterThanOrEqual(500);
  expect(isGapless(played)).toBe(true);
  await withinLimits(played);
});

test('a map of many items leaves small payloads', async () => {
  const name = tag();
  const count = 300;
  const mapped = { for_each: { items: '{{input.rows}}', max_concurrency: 50 } };
  const definition = chain(
    http('t', recorder.url(name), { method: 'GET', query: { i: '{{item.i}}' } }, mapped),
    transform('after', { n: '{{t.results | length}}' }),
  );
  // Half a megabyte of items: none of it may travel through Temporal.
  const rows = Array.from({ length: count }, (_, i) => ({ i, text: 'x'.repeat(2_000) }));
  const played = await engine.play(definition, { rows }, {});
  expect(played.output).toEqual({ n: count });
  // A GET may be asked twice, where a machine that stalls has its worker taken for lost.
  const seen = new Set(recorder.calls(name).map((call) => Number(call.query['i'])));
  expect([...seen].toSorted((a, b) => a - b)).toEqual(rows.map((row) => row.i));
  // The largest is a range of fifty items that all outlived it: each with the place where it goes on.
  expect((await withinLimits(played)).largestPayload).toBeLessThan(10_000);
});

test('a map goes on in the next history when the one at hand is full', async () => {
  const name = tag();
  const mapped = { for_each: { items: '{{input.rows}}', max_concurrency: 2 } };
  const definition = chain(
    http(
      't',
      recorder.url(name, { hold: 2, delay_ms: 200 }),
      { method: 'GET', query: { i: '{{item}}' } },
      mapped,
    ),
    transform('after', { n: '{{t.results | length}}' }),
  );
  const rows = Array.from({ length: 60 }, (_, i) => i);
  const accepted = await engine.accept(definition, { rows });
  await recorder.waitFor(name, 2);
  // Signals that say nothing fill the history with bytes, as thousands of items would with events.
  await histories.fill(workflowIdOf(engine, accepted), 8_500_000);
  recorder.release();
  const played = await engine.follow(accepted, 60_000);
  expect(played.output).toEqual({ n: 60 });
  const seen = new Set(recorder.calls(name).map((call) => Number(call.query['i'])));
  expect([...seen].toSorted((a, b) => a - b)).toEqual(rows);
  expect((await withinLimits(played)).executions).toBeGreaterThan(1);
});

test('a line of 5,000 pure nodes', async () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => `n${i}`);
  const lines = Array.from({ length: 5 }, (_, line) => ids.map((id) => `${id}_${line}`));
  const definition = workflow(
    lines.flat().map((id) => transform(id, { x: 1 })),
    lines.flatMap((line) => line.map((id, i) => edge(line[i - 1] ?? START, id))),
  );
  const played = await engine.play(definition, {}, { recursionLimit: 1_000 });
  expect(played.end.type).toBe('run_completed');
  expect(await executionsOf(played)).toBe(5_000);
  await withinLimits(played);
});
