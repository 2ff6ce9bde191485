/**
 * The record of a node would depend on where it ran (inline, as an activity, together with others), and clients would
 * have to know.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/graph/value.ts';
import type { StepRow } from '../../src/runs/ledger/steps.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { deploy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { eventsOf, stepsOf, type StoredEvent } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
});
afterAll(() => engine.close());

type Query = Readonly<Record<string, string | number>>;
type Way = (query: Query, envelope: JsonObject) => JsonObject | Promise<JsonObject>;

/** An item's node is mapped over a list of one. */
const OVER_ONE = { for_each: { items: '{{input.one}}' } };
/** Longer than what is short by nature: an activity from the start. */
const LONG = { timeout_ms: 200_000 };
/** Outlives the patience of a local activity. */
const SLOW = { delay_ms: 1_200 };
const call = (query: Query, envelope: JsonObject, config: JsonObject = {}): JsonObject =>
  http('n', recorder.url(randomUUID(), query), config, envelope);

const WAYS: Readonly<Record<string, Way>> = {
  'a local activity': (query, envelope) => call(query, envelope),
  'a local activity without an effect': (query, envelope) => call(query, envelope, { method: 'GET' }),
  'one that outlives its local activity': (query, envelope) => call({ ...query, ...SLOW }, envelope),
  'one without an effect that outlives it': (query, envelope) =>
    call({ ...query, ...SLOW }, envelope, { method: 'GET' }),
  'an activity': (query, envelope) => call(query, { ...envelope, ...LONG }),
  'an item in a range': (query, envelope) => call(query, { ...envelope, ...OVER_ONE }),
  'an item that outlives its range': (query, envelope) =>
    call({ ...query, ...SLOW }, { ...envelope, ...OVER_ONE }),
  'an item in an activity': (query, envelope) => call(query, { ...envelope, ...OVER_ONE, ...LONG }),
};

/** Ways that cannot fail at an HTTP server. */
const OTHER_WAYS: Readonly<Record<string, Way>> = {
  'a pure node, folded': () => transform('n', { x: 1 }),
  'a function': () => node('n', 'function', { language: 'javascript', code: 'export default () => 1' }),
  'a model': () => {
    model.script({ text: ['yes'] });
    return node('n', 'llm', {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'x' }],
    });
  },
  'a sub-workflow': async () =>
    node('n', 'tool', { kind: 'workflow', workflow_id: await deploy(engine, chain(transform('t'))) }),
};

interface Seen {
  readonly types: readonly string[];
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly step: StepRow;
}

const OF_ITEMS = ['item_index', 'parent_step_id'];

/** The events of the execution `n` and its step, items rather than their node. */
async function play(way: Way, query: Query = {}, envelope: JsonObject = {}): Promise<Seen> {
  const played = await engine.play(chain(await way(query, envelope)), { one: ['x'] });
  const { runPk } = played.accepted;
  const steps = await stepsOf(engine.db, runPk, 'n');
  const step = steps.find(({ item_index: item }) => item === 0) ?? steps[0];
  if (step === undefined) throw new Error('The node has no step');
  const isOwn = ({ type, payload }: StoredEvent): boolean =>
    payload['step_id'] === step.step_id && type !== 'token';
  const events = (await eventsOf(engine.db, runPk)).filter(isOwn);
  const keysOf = ({ type, payload }: StoredEvent) =>
    [
      type,
      Object.keys(payload)
        .filter((key) => !OF_ITEMS.includes(key))
        .toSorted(),
    ] as const;
  return { types: events.map(({ type }) => type), fields: Object.fromEntries(events.map(keysOf)), step };
}

const COMMON = ['attempt', 'depth', 'node_id', 'node_name', 'node_type', 'step_id'];
const FIELDS = {
  node_started: COMMON,
  node_retry: [...COMMON, 'delay_ms', 'error', 'next_attempt'].toSorted(),
  node_completed: [
    ...COMMON,
    'credits',
    'duration_ms',
    'output',
    'output_truncated',
    'selected_handle',
    'usage',
    'warnings',
  ].toSorted(),
  node_failed: [...COMMON, 'error', 'handled', 'on_error'].toSorted(),
};

/** The fields of these types of events. */
const fieldsOf = (...types: (keyof typeof FIELDS)[]) =>
  Object.fromEntries(types.map((type) => [type, FIELDS[type]]));

const ended = { completed_at: expect.any(Date) as Date, held_by: null };
const attempt = (number: number, status: string) => ({
  attempt: number,
  status,
  started_at: expect.any(String) as string,
  completed_at: expect.any(String) as string,
  duration_ms: expect.any(Number) as number,
  error: status === 'succeeded' ? null : (expect.objectContaining({ code: 'http_error' }) as object),
});

describe.concurrent.each(Object.entries({ ...WAYS, ...OTHER_WAYS }))('%s', (_, way) => {
  test('that succeeds is started and completed', async () => {
    const { types, fields, step } = await play(way);
    expect(types).toEqual(['node_started', 'node_completed']);
    expect(fields).toEqual(fieldsOf('node_started', 'node_completed'));
    expect(step).toMatchObject({
      ...ended,
      status: 'succeeded',
      attempt: 1,
      error: null,
      error_handled: false,
    });
    expect(step.attempts).toEqual([attempt(1, 'succeeded')]);
    expect(step.outcome).toEqual({ taken: step.item_index < 0 ? [0] : [], failed: false });
  });
});

describe.concurrent.each(Object.entries(WAYS))('%s', (_, way) => {
  test('that fails once and may be tried again tells of both attempts', async () => {
    const retry = { retry: { max_attempts: 2, initial_interval_ms: 1 } };
    // A server that says "later" has done nothing, whatever the method.
    const { types, fields, step } = await play(way, { fail: 1, status: 503, retry_after: 0 }, retry);
    expect(types).toEqual(['node_started', 'node_retry', 'node_completed']);
    expect(fields).toEqual(fieldsOf('node_started', 'node_retry', 'node_completed'));
    expect(step).toMatchObject({ ...ended, status: 'succeeded', attempt: 2 });
    expect(step.attempts).toEqual([attempt(1, 'failed'), attempt(2, 'succeeded')]);
  });

  test('that fails for good is started and failed', async () => {
    const { types, fields, step } = await play(way, { fail: 9, status: 404 });
    expect(types).toEqual(['node_started', 'node_failed']);
    expect(fields).toEqual(fieldsOf('node_started', 'node_failed'));
    expect(step).toMatchObject({ ...ended, status: 'failed', attempt: 1, error_handled: false });
    expect(step.attempts).toEqual([attempt(1, 'failed')]);
    expect(step.outcome).toEqual({ taken: [], failed: true });
  });

  test('whose failure is handled says so', async () => {
    const envelope = { on_error: 'continue' };
    const { types, step } = await play(
      async (query, given) => {
        const made = await way(query, given);
        const mapped = made['for_each'] as JsonObject | undefined;
        // Of an item, the map decides.
        return mapped === undefined
          ? { ...made, ...envelope }
          : { ...made, for_each: { ...mapped, on_item_error: 'continue' } };
      },
      { fail: 9, status: 404 },
    );
    expect(types).toEqual(['node_started', 'node_failed']);
    expect(step).toMatchObject({ ...ended, status: 'failed', error_handled: true });
    expect(step.outcome).toMatchObject({ failed: false });
  });
});
