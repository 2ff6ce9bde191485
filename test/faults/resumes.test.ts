/** Two answers to one question would both be accepted (SPEC REL-G12). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept } from './support/promises.ts';
import { asking } from './support/shapes.ts';
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
