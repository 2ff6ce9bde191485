/** No run would work at all: start here when many engine tests fail. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { chain, transform } from '../support/definitions.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

test('a chain of pure nodes runs to its end', async () => {
  const played = await engine.play(
    chain(transform('a', { x: '{{input.n}}' }), transform('b', { y: '{{a.x}}' })),
    { n: 3 },
  );
  expect(played.output).toEqual({ y: 3 });
  expect(played.frames.map((frame) => frame.type)).toEqual([
    'run_started',
    'node_started',
    'node_completed',
    'node_started',
    'node_completed',
    'run_completed',
  ]);
});
