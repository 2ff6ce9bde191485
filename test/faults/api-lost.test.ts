/** A crash or a restart of an API process would lose a client's run or events (SPEC REL-R02 to REL-R05). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept, misread } from './support/promises.ts';
import { given, mixed, waiting } from './support/shapes.ts';
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

test('an API is killed under its streams: the clients go on at the other one where they were', async () => {
  const [first] = situation.service.apis;
  const keys = Array.from({ length: 6 }, () => randomUUID());
  const runs = await Promise.all(
    keys.map((key) => client.run(mixed(situation.recorder), given(key, { holds: { get2: 1 } }))),
  );
  accepted.push(...runs);
  const readings = runs.map((runId) => client.read(runId));
  await Promise.all(keys.map((key) => situation.recorder.waitFor(`${key}.get2`, 1)));
  await first.kill();
  situation.recorder.release();
  for (const [index, runId] of runs.entries()) {
    const reading = await readings[index];
    expect(reading?.end.type).toBe('run_completed');
    if (reading !== undefined) expect(await misread(situation.db, runId, reading)).toEqual([]);
  }
  const connections = (await Promise.all(readings)).map((reading) => reading.connections);
  expect(connections.some((count) => count > 1)).toBe(true);
});

test('an API is killed while it accepts: each start, repeated under its key, is one run', async () => {
  const keys = Array.from({ length: 30 }, () => randomUUID());
  const starts = keys.map((key) => client.run(waiting(situation.recorder), { key }));
  await Promise.race(starts);
  const [first, second] = situation.service.apis;
  await first.kill();
  await first.start();
  await second.kill();
  await second.start();
  const runs = await Promise.all(starts);
  accepted.push(...runs);
  const rows = await situation.db.query<{ key: string; count: number }>(
    `SELECT input->>'key' AS key, count(*) AS count FROM runs WHERE input->>'key' = ANY($1::text[]) GROUP BY 1`,
    [keys],
  );
  expect(rows.map((row) => row.count)).toEqual(keys.map(() => 1));
});

test('SIGTERM: requests in hand are answered, streams told to come again, and the process ends with 0', async () => {
  const [first] = situation.service.apis;
  const { service, recorder } = situation;
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const reading = client.read(
    await client.run(mixed(recorder), given(randomUUID(), { delays: { get2: 1_500 } })),
  );
  const start = async (key: string): Promise<{ key: string; status: number | null }> => {
    const body = { workflow: waiting(recorder), input: { key } };
    const answer = await service.call(first, 'POST', '/workflows/run', { body }).catch(() => null);
    return { key, status: answer?.status ?? null };
  };
  const starts = keys.map(start);
  await Promise.race(starts);
  expect(await first.terminate()).toBe('exit status 0');
  const outcomes = await Promise.all(starts);
  const answered = outcomes.filter(({ status }) => status !== null);
  expect(answered.map(({ status }) => status)).toEqual(answered.map(() => 200));
  // Who got no answer came too late: nothing of the request was done.
  const rows = await situation.db.query<{ key: string }>(
    `SELECT input->>'key' AS key FROM runs WHERE input->>'key' = ANY($1::text[])`,
    [keys],
  );
  expect(rows.map(({ key }) => key).toSorted()).toEqual(answered.map(({ key }) => key).toSorted());
  expect((await reading).end.type).toBe('run_completed');
});
