/** A crash of PostgreSQL would lose accepted runs, or leave API clients without an answer meanwhile (SPEC REL-R21). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/base/db/migrate.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../support/crashable-postgres.ts';
import { sleep } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { misread, settled, violations } from './support/promises.ts';
import { given, mixed } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';

let postgres: CrashablePostgres;
let situation: Situation;
let client: PatientClient;
beforeAll(async () => {
  postgres = await startCrashablePostgres();
  await migrate(postgres.url);
  situation = await startSituation({ databaseUrl: postgres.url });
  client = new PatientClient(situation.service);
});
afterAll(async () => {
  await situation.close();
  await postgres.close();
});

test('runs in the middle of their twenty nodes survive, and so do their listeners', async () => {
  const { recorder, service, db } = situation;
  const held = ['post2', 'put2', 'get2', 'fn2'].map((node) => ({ node, key: randomUUID() }));
  const runs = await Promise.all(
    held.map(({ node, key }) => {
      const hindrance = node === 'fn2' ? { delays: { fn2: 2_500 } } : { holds: { [node]: 1 } };
      return client.run(mixed(recorder), given(key, hindrance));
    }),
  );
  const readings = runs.map((runId) => client.read(runId));
  await Promise.all(
    held.filter(({ node }) => node !== 'fn2').map(({ node, key }) => recorder.waitFor(`${key}.${node}`, 1)),
  );
  // More are on their way in at the moment of the crash.
  const starts = Array.from({ length: 20 }, () => client.run(mixed(recorder), given(randomUUID())));
  await Promise.race(starts);
  await postgres.kill();
  recorder.release();

  for (const api of service.apis) {
    const health = await service.call(api, 'GET', '/system/health');
    expect(health.status).toBe(200);
    for (const [method, path] of [
      ['GET', '/workflow-runs'],
      ['GET', `/workflows/listen/${runs[0]}`],
      ['POST', '/workflows/run'],
    ] as const) {
      const body = method === 'POST' ? { workflow: mixed(recorder), input: { key: 'never' } } : undefined;
      const answer = await service.call(api, method, path, { body });
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        500,
        { detail: 'An unexpected internal server error occurred.' },
      ]);
    }
  }
  // The calls in hand are answered while nothing can be written down.
  await sleep(2_000);
  await postgres.start();

  const late = await Promise.all(starts);
  await settled(situation);
  expect(await violations(situation, [...runs, ...late])).toEqual([]);
  for (const [index, runId] of runs.entries()) {
    const reading = await readings[index];
    expect(reading?.end).toMatchObject({ type: 'run_completed' });
    if (reading !== undefined) expect(await misread(db, runId, reading)).toEqual([]);
  }
  for (const { end } of await Promise.all(late.map((runId) => client.read(runId)))) {
    if (end.type !== 'run_completed') expect(end).toMatchObject({ error: { code: 'outcome_unknown' } });
  }
});
