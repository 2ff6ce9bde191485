/**
 * A crash of the Temporal server would lose runs, or those that are accepted while it is away (SPEC REL-R19, REL-R20,
 * REL-R33).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startCrashableTemporal, type CrashableTemporal } from '../support/crashable-temporal.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept, misread } from './support/promises.ts';
import { asking, CALLS, given, mixed } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';

let temporal: CrashableTemporal;
let situation: Situation;
let client: PatientClient;
const accepted: string[] = [];
beforeAll(async () => {
  temporal = await startCrashableTemporal();
  situation = await startSituation({ temporalAddress: temporal.address });
  client = new PatientClient(situation.service);
});
afterAll(async () => {
  await situation.close();
  await temporal.close();
});
afterEach(() => expectPromisesKept(situation, accepted));

test('runs in the middle of their twenty nodes end when it is back, each call made once', async () => {
  const { recorder, db } = situation;
  const keys = ['post2', 'put2', 'get2', 'post3'].map((node) => ({ node, key: randomUUID() }));
  const runs = await Promise.all(
    keys.map(({ node, key }) => client.run(mixed(recorder), given(key, { delays: { [node]: 2_000 } }))),
  );
  accepted.push(...runs);
  const readings = runs.map((runId) => client.read(runId));
  await Promise.all(keys.map(({ node, key }) => recorder.waitFor(`${key}.${node}`, 1)));
  await temporal.kill();
  // The calls in hand are answered while nobody can be told of it.
  await sleep(3_000);
  await temporal.start();
  for (const [index, runId] of runs.entries()) {
    const reading = await readings[index];
    expect(reading?.end).toMatchObject({ type: 'run_completed' });
    if (reading !== undefined) expect(await misread(db, runId, reading)).toEqual([]);
    for (const node of Object.keys(CALLS)) {
      expect([node, recorder.calls(`${keys[index]?.key}.${node}`).length]).toEqual([node, 1]);
    }
  }
});

test('what is accepted, answered or cancelled while it is away is delivered when it is back', async () => {
  const { recorder, db } = situation;
  const asked = await client.read(await client.run(asking(recorder), { key: randomUUID() }));
  const waits = await client.read(await client.run(asking(recorder), { key: randomUUID() }));
  const runningKey = randomUUID();
  const running = await client.run(mixed(recorder), given(runningKey, { holds: { post2: 1 } }));
  await recorder.waitFor(`${runningKey}.post2`, 1);
  // The call in hand is left to its execution when it has taken a while.
  await eventually('Temporal to have been told of all', 30_000, async () =>
    (await db.query('SELECT 1 FROM outbox')).length === 0 ? true : null,
  );
  await temporal.kill();

  const started = await Promise.all(
    Array.from({ length: 20 }, () => client.run(mixed(recorder), given(randomUUID()))),
  );
  const resumed = await client.answer(asked.end);
  const cancelled = [running, String(waits.end['run_id'])];
  for (const runId of cancelled) {
    const answer = await client.send('POST', `/workflows/cancel/${runId}`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  }
  expect(await db.query(`SELECT kind, count(*) FROM outbox GROUP BY kind ORDER BY kind`)).toEqual([
    { kind: 'cancel', count: 2 },
    { kind: 'resume', count: 1 },
    { kind: 'start', count: 20 },
  ]);

  await temporal.start();
  accepted.push(...started, resumed ?? '', ...cancelled);
  const ends = await Promise.all([...started, resumed ?? ''].map((runId) => client.read(runId)));
  expect(ends.map(({ end }) => end).filter(({ type }) => type !== 'run_completed')).toEqual([]);
});
