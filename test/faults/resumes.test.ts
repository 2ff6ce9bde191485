/** Two answers to one question would both be accepted (SPEC REL-G12). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept } from './support/promises.ts';
import { asking, callingBack } from './support/shapes.ts';
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

interface Asked {
  readonly key: string;
  readonly runId: string;
  readonly interruptId: string;
}

async function ask(): Promise<Asked> {
  const key = randomUUID();
  const runId = await client.run(asking(situation.recorder), { key });
  accepted.push(runId);
  const { end } = await client.read(runId);
  const [question] = end['interrupts'] as { interrupt_id: string }[];
  return { key, runId, interruptId: question?.interrupt_id ?? '' };
}

/** Twenty at once, ten to each API. @returns the run_id of the one that won */
async function answerByTwenty({ runId, interruptId }: Asked): Promise<string> {
  const { service } = situation;
  const body = { interrupt_id: interruptId, action: 'approve' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.call(service.apis[index % 2 === 0 ? 0 : 1], 'POST', `/workflows/resume/${runId}`, { body }),
    ),
  );
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 410)]);
  const resumed = String(answers.find((answer) => answer.status === 200)?.body.run_id);
  expect(resumed).not.toBe(runId);
  accepted.push(resumed);
  return resumed;
}

async function expectGoneOn({ key }: Asked, resumed: string): Promise<void> {
  const { frames, end } = await client.read(resumed);
  expect(frames.map((frame) => frame.type).slice(0, 2)).toEqual(['run_started', 'interrupt_resolved']);
  expect(end.type).toBe('run_completed');
  expect(situation.recorder.calls(`${key}.after`)).toHaveLength(1);
}

test('with all processes up', async () => {
  const asked = await ask();
  await expectGoneOn(asked, await answerByTwenty(asked));
});

test('with one worker down, which had been walking the run', async () => {
  const [first, second] = situation.service.workers;
  await second.kill();
  const asked = await ask();
  await second.start();
  await first.kill();
  await expectGoneOn(asked, await answerByTwenty(asked));
});

test('with all workers down: answered at once, gone on when one is back', async () => {
  const [first, second] = situation.service.workers;
  const asked = await ask();
  await Promise.all([first.kill(), second.kill()]);
  const resumed = await answerByTwenty(asked);
  expect(situation.recorder.calls(`${asked.key}.after`)).toEqual([]);
  await first.start();
  await expectGoneOn(asked, resumed);
});

/** A run whose callback's address was handed on. @returns its path */
async function startCallingBack(): Promise<Asked & { readonly path: string }> {
  const key = randomUUID();
  const runId = await client.run(callingBack(situation.recorder), { key });
  accepted.push(runId);
  const { end } = await client.read(runId);
  const [question] = end['interrupts'] as { interrupt_id: string }[];
  const [before] = situation.recorder.calls(`${key}.before`);
  const { url } = (before?.body ?? {}) as { url: string };
  return { key, runId, interruptId: question?.interrupt_id ?? '', path: new URL(url).pathname };
}

test('a callback is answered while all workers are down, and the API dies: the run goes on once', async () => {
  const { service, db } = situation;
  const asked = await startCallingBack();
  await Promise.all(service.workers.map((worker) => worker.kill()));
  const calls = Array.from({ length: 50 }, (_, index) =>
    service.call(service.apis[index % 2 === 0 ? 0 : 1], 'POST', asked.path, { body: { index } }),
  );
  const statuses = (await Promise.all(calls)).map((answer) => answer.status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 410)]);
  await Promise.all(service.apis.map((api) => api.kill()));
  await service.restore();
  const late = await service.call(service.apis[0], 'POST', asked.path, { body: {} });
  expect(late.status).toBe(410);
  const [next] = await db.query<{ run_id: string }>(
    `SELECT n.run_id FROM runs r JOIN runs n ON n.resumed_from_run_pk = r.id WHERE r.run_id = $1`,
    [asked.runId],
  );
  const resumed = next?.run_id ?? '';
  accepted.push(resumed);
  await expectGoneOn(asked, resumed);
});
