/**
 * A client that listens late, again or through an outage would miss the end of a run (SPEC REL-G6, REL-R05, REL-R14,
 * REL-R40).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { StreamFrame } from '../support/event-stream.ts';
import { eventually } from '../support/waiting.ts';
import { PatientClient, type Reading } from './support/client.ts';
import { expectPromisesKept, misread, misreadLate } from './support/promises.ts';
import { random } from './support/random.ts';
import { talking } from './support/shapes.ts';
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

const WORDS = Array.from({ length: 400 }, (_, index) => `word-${index} `);
const TEXT = WORDS.join('');

/** A run whose model says WORDS, one after the other; the last pace is that of each further attempt. */
async function talk(...delaysMs: number[]): Promise<string> {
  situation.model.script(...delaysMs.map((delayMs) => ({ text: WORDS, delayMs })));
  const runId = await client.run(talking(), { key: randomUUID() }, { config: { batch_interval_ms: 20 } });
  accepted.push(runId);
  return runId;
}

/** The text as a client puts it together, which begins anew when it is told to. */
function heard(frames: readonly StreamFrame[]): string {
  let text = '';
  for (const frame of frames) {
    if (frame.type === 'token_reset') text = '';
    if (frame.type === 'token') text += String(frame['delta']);
  }
  return text;
}

async function expectWhole(runId: string, reading: Reading): Promise<void> {
  expect(reading.end.type).toBe('run_completed');
  expect(heard(reading.frames)).toBe(TEXT);
  expect(await misread(situation.db, runId, reading)).toEqual([]);
}

test('a worker starts without a warning in its log', () => {
  for (const worker of situation.service.workers) {
    const lines = worker
      .said()
      .split('\n')
      .filter((line) => line.includes('"level":40'));
    expect(lines).toEqual([]);
  }
});

test('a reader that reconnects dozens of times, to any API, reads the same as one that stays and one that comes late', async () => {
  const runId = await talk(10);
  const { chance, seed } = random();
  const stayed = client.read(runId);
  let left = 0;
  const restless = await client.read(runId, () => {
    const leaves = left < 50 && chance(0.8);
    if (leaves) left += 1;
    return leaves;
  });
  // How many frames the words make, and so how often one can leave, batching decides.
  expect(left, `seed ${seed}`).toBeGreaterThan(20);
  await expectWhole(runId, restless);
  await expectWhole(runId, await stayed);
  await expectWhole(runId, await client.read(runId));
});

test('the connections on which the APIs listen are cut again and again: the stream goes on', async () => {
  const runId = await talk(10);
  const reading = client.read(runId);
  let cuts = 0;
  await eventually('the run to end', 60_000, async () => {
    const rows = await situation.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'workflow-automation-service listener'`,
    );
    cuts += rows.length;
    const [run] = await situation.db.query<{ status: string }>(`SELECT status FROM runs WHERE run_id = $1`, [
      runId,
    ]);
    return run?.status === 'running' ? null : true;
  });
  await expectWhole(runId, await reading);
  expect(cuts).toBeGreaterThan(2);
});

test('the APIs are killed one after the other under the stream', async () => {
  const runId = await talk(15);
  const reading = client.read(runId);
  for (const api of situation.service.apis) {
    await api.kill();
    await api.start();
  }
  await expectWhole(runId, await reading);
});

test('after a kill of the worker a streamed answer begins anew with a token_reset', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  // The first attempt talks for longer than it takes to find it at work and to kill its worker.
  const runId = await talk(100, 0);
  const reading = client.read(runId);
  await eventually('the model to talk', 30_000, async () => {
    const rows = await situation.db.query(
      `SELECT 1 FROM run_events e JOIN runs r ON r.id = e.run_pk WHERE r.run_id = $1 AND e.type = 'token'`,
      [runId],
    );
    return rows.length > 20 ? true : null;
  });
  await first.kill();
  await second.start();
  const { frames, end } = await reading;
  expect(end.type).toBe('run_completed');
  expect(heard(frames)).toBe(TEXT);
  expect(frames.find((frame) => frame.type === 'node_retry')).toMatchObject({ possibly_repeated: true });
  expect(frames.filter((frame) => frame.type === 'token_reset')).toHaveLength(1);
  expect(await misreadLate(situation.db, client, [runId])).toEqual([]);
});
