/**
 * After a crash of the worker an agent would pay for a model's answer again, repeat a tool call, or lose its
 * question.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, node } from '../support/definitions.ts';
import { PatientClient, type Reading } from './support/client.ts';
import { expectPromisesKept, misread } from './support/promises.ts';
import { startSituation, type Situation } from './support/situation.ts';

let situation: Situation;
let client: PatientClient;
const accepted: string[] = [];
beforeAll(async () => {
  situation = await startSituation();
  client = new PatientClient(situation.service);
});
afterAll(() => situation.close());
afterEach(() => expectPromisesKept(situation, accepted));

const TOOLS = ['first', 'second', 'third'] as const;

/** An agent whose model calls the three tools one after the other; the third answers nobody before it is called twice. */
function agent(method: 'PUT' | 'POST', approval: 'never' | 'always' = 'never'): JsonObject {
  const { recorder, model } = situation;
  const asks = TOOLS.map((name) => ({ toolCalls: [{ id: `call-${name}`, name, arguments: {} }] }));
  model.script(...asks, { text: ['Done'] });
  const tools = TOOLS.map((name) => ({
    kind: 'http',
    name,
    method,
    url: `${recorder.origin}/{{input.key}}.${name}${name === 'third' ? '?hold={{input.hold}}' : ''}`,
    approval: name === 'third' ? approval : 'never',
  }));
  const messages = [{ role: 'user', content: 'Go' }];
  return chain(node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools }));
}

const callsOf = (key: string): number[] =>
  TOOLS.map((name) => situation.recorder.calls(`${key}.${name}`).length);

interface Held {
  readonly key: string;
  readonly runId: string;
  readonly reading: Promise<Reading>;
  /** How often models were asked before. */
  readonly askedBefore: number;
}

/** Starts the agent on the first worker alone, and waits until it is in its third tool call. */
async function hold(method: 'PUT' | 'POST'): Promise<Held> {
  const [, second] = situation.service.workers;
  await second.kill();
  const key = randomUUID();
  const askedBefore = situation.model.requests.length;
  const runId = await client.run(agent(method), { key, hold: 1 });
  accepted.push(runId);
  const reading = client.read(runId);
  await situation.recorder.waitFor(`${key}.third`, 1);
  return { key, runId, reading, askedBefore };
}

test.each([
  ['PUT', 'is made again, with the same key', [1, 1, 2]],
  ['POST', 'is not made again, and the model hears that its outcome is unknown', [1, 1, 1]],
] as const)('in its third tool call, a %s: the call %s', async (method, _, made) => {
  const [first, second] = situation.service.workers;
  const { key, runId, reading, askedBefore } = await hold(method);
  await second.start();
  await first.kill();
  const { end } = await reading;
  expect(end).toMatchObject({ type: 'run_completed', output: { content: 'Done', iterations: 4 } });
  expect(callsOf(key)).toEqual(made);
  const keys = situation.recorder
    .calls(`${key}.third`)
    .map(({ headers }) => String(headers['idempotency-key']));
  expect(new Set(keys).size).toBe(1);
  // Four answers were needed, and four were asked for: none of those that were given was asked for again.
  expect(situation.model.requests.length - askedBefore).toBe(4);
  const errors = (end['output'] as { tool_calls: JsonObject[] }).tool_calls.map(({ error }) => error);
  expect(errors).toMatchObject(
    method === 'PUT' ? [null, null, null] : [null, null, { code: 'outcome_unknown' }],
  );
  expect(await misread(situation.db, runId, await reading)).toEqual([]);
});

test('while it waits for approval: the answer finds it, and the call is made once', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  const key = randomUUID();
  const runId = await client.run(agent('POST', 'always'), { key, hold: 0 });
  accepted.push(runId);
  const { end } = await client.read(runId);
  expect(end.type).toBe('run_interrupted');
  await first.kill();
  const resumed = await client.answer(end);
  expect(resumed).not.toBeNull();
  accepted.push(resumed ?? '');
  expect(callsOf(key)).toEqual([1, 1, 0]);
  await second.start();
  expect((await client.read(resumed ?? '')).end.type).toBe('run_completed');
  expect(callsOf(key)).toEqual([1, 1, 1]);
});
