/** A rerun would begin with another state than its run had. */
import { expect, test } from 'vitest';
import { compile } from '../../../../src/language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { ReusedState } from '../../../../src/engine/runs/rerun/reused-state.ts';
import { fakeKinds } from '../../../language/graph/fake-kinds.ts';

const after = compile(
  {
    nodes: [{ id: 'n', type: 'tool', config: {} }],
    edges: [
      { id: 'b', source: '__start__', target: 'n' },
      { id: 'e', source: 'n', target: '__end__' },
    ],
    state_schema: {
      log: { reducer: 'add', default: [] },
      last: { reducer: 'none' },
      sum: { reducer: 'update', default: { own: 1 } },
    },
  },
  fakeKinds,
);
const UPDATES: JsonObject[] = Array.from({ length: 12 }, (_, at) => ({
  log: at === 7 ? { __overwrite__: [] } : [at],
  last: at,
  sum: at === 5 ? null : { [`k${at % 4}`]: at },
  unknown: at,
}));

test.each([1, 2, 5, 12])('updates in pages of %i come to what they come to together', (size) => {
  const inPages = new ReusedState({ after, workflowInput: {}, runInput: { log: ['given'] } });
  for (let at = 0; at < UPDATES.length; at += size) inPages.add(UPDATES.slice(at, at + size));
  const together = new ReusedState({ after, workflowInput: {}, runInput: { log: ['given'] } });
  together.add(UPDATES);
  expect(inPages.toFields()).toEqual(together.toFields());
  const { names, values } = inPages.toFields();
  expect(
    Object.fromEntries(names.map((name, at) => [name, JSON.parse(values[at] ?? '') as unknown])),
  ).toMatchObject({
    last: 11,
    sum: { k0: 8, k1: 9, k2: 10, k3: 11 },
  });
  expect(names).not.toContain('unknown');
});
