/** A pause of Temporal would repeat calls that are under way, or discard their answers (SPEC REL-R27). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startCrashableTemporal, type CrashableTemporal } from '../support/crashable-temporal.ts';
import { chain, node, transform } from '../support/definitions.ts';
import { sleep } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept, misread } from './support/promises.ts';
import { startSituation, type Situation } from './support/situation.ts';

const RUNS = 20;

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
afterEach(async () => {
  temporal.thaw();
  await expectPromisesKept(situation, accepted);
});

test.each([
  ['6.5 s, longer than an activity may take to be taken up', { pauseMs: 6_500, callMs: 3_000 }],
  ['12 s, longer than it waits for a beat', { pauseMs: 12_000, callMs: 3_000 }],
  ['12 s, and calls outlive that', { pauseMs: 12_000, callMs: 20_000 }],
])(
  'Temporal stands still for %s: twenty calls under way end as they were answered, each made once',
  async (_, { pauseMs, callMs }) => {
    const { recorder, db } = situation;
    const url = `${recorder.origin}/{{input.key}}?delay_ms=${callMs}`;
    const definition = chain(
      node('post', 'tool', { kind: 'http', method: 'POST', url }),
      transform('result', { tag: '{{post.data.tag}}' }),
    );
    const keys = Array.from({ length: RUNS }, () => randomUUID());
    const runs = await Promise.all(keys.map((key) => client.run(definition, { key })));
    accepted.push(...runs);
    const readings = runs.map((runId) => client.read(runId));
    await Promise.all(keys.map((key) => recorder.waitFor(key, 1)));
    temporal.freeze();
    await sleep(pauseMs);
    temporal.thaw();
    const read = await Promise.all(readings);
    const ends = read.map(({ end: { type, error = null } }) => ({ type, error }));
    expect(ends).toEqual(keys.map(() => ({ type: 'run_completed', error: null })));
    expect(read.map(({ end }) => end['output'])).toEqual(keys.map((tag) => ({ tag })));
    expect(keys.map((key) => recorder.calls(key).length)).toEqual(keys.map(() => 1));
    for (const [index, reading] of read.entries())
      expect(await misread(db, runs[index] ?? '', reading)).toEqual([]);
  },
);
