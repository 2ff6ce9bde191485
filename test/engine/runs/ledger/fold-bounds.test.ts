/** One advance of a large run would exceed the limits of Temporal or block the process. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import type { AdvanceInput, AdvanceResult } from '../../../../src/engine/runs/execute/protocol.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { chain, transform } from '../../../support/definitions.ts';

let advancing: Advancing;
/** Milliseconds that pass with each look at the clock. */
let perLookMs = 0;
let nowMs = 0;
beforeAll(async () => {
  advancing = await startAdvancing({}, { ...systemClock, monotonic: () => (nowMs += perLookMs) });
});
beforeEach(() => {
  perLookMs = 0;
});
afterAll(() => advancing.close());

const line = (nodes: number, fields: JsonObject): JsonObject =>
  chain(...Array.from({ length: nodes }, (_, at) => transform(`t${at}`, fields)));

/** Advances to the end. @returns after how many steps each advance stopped */
async function foldedBy(ref: RunRef): Promise<number[]> {
  const counts: number[] = [];
  for (let number = 1, last: AdvanceResult | null = null; last?.state !== 'closed'; number += 1) {
    const input: AdvanceInput = { ...firstAdvance(ref), advance: number, progress: last?.progress ?? '' };
    last = await advance(advancing.deps, input);
    const [steps] = await advancing.db.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM run_steps WHERE root_run_pk = $1',
      [ref.rootRunPk],
    );
    counts.push(steps?.n ?? 0);
    if (last.state === 'running') expect(last.more).toBe(true);
  }
  return counts;
}

test('a thousand nodes', async () => {
  expect(await foldedBy(await advancing.run(line(1_000, {})))).toEqual([1_000]);
  expect(await foldedBy(await advancing.run(line(1_001, {})))).toEqual([1_000, 1_001]);
});

test('outputs of 8 MiB together', async () => {
  const outputs = (text: number): Promise<RunRef> =>
    advancing.run(line(5, { text: '{{input.text}}' }), { text: 'x'.repeat(text) });
  const quarter = 2 * 1_048_576;
  const around = JSON.stringify({ text: '' }).length;
  expect(await foldedBy(await outputs(quarter - around))).toEqual([5]);
  expect(await foldedBy(await outputs(quarter - around + 1))).toEqual([4, 5]);
});

test('a fifth of a second', async () => {
  const ref = await advancing.run(line(30, {}));
  perLookMs = 10;
  const counts = await foldedBy(ref);
  expect(counts.length).toBeGreaterThan(1);
  expect(counts.at(-1)).toBe(30);
});
