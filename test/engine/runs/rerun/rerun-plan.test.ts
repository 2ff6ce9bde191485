/** The plan of a rerun of the largest run would take minutes. */
import { expect, test } from 'vitest';
import { toSkeleton } from '../../../../src/language/graph/definition/skeleton.ts';
import { compile } from '../../../../src/language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { InnerEffect } from '../../../../src/engine/runs/ledger/read/inner-effects.ts';
import type { PastStep } from '../../../../src/engine/runs/ledger/read/past-run.ts';
import { listSettledOutputs } from '../../../../src/engine/runs/rerun/settled-outputs.ts';
import { planRerun } from '../../../../src/engine/runs/rerun/rerun-plan.ts';
import { fakeKinds } from '../../../language/graph/fake-kinds.ts';

/**
 * Plans a rerun of a line of nodes, each with an effect inside.
 * @param fromNode null: what a changed definition makes run
 * @returns the plan, and the looks at steps and effects
 */
function plan(count: number, fromNode: string | null) {
  const changed = fromNode === null;
  let looks = 0;
  const counted = <T extends object>(item: T): T =>
    new Proxy(item, {
      get(target, key, self) {
        if (key === 'nodeId') looks += 1;
        return Reflect.get(target, key, self) as unknown;
      },
    });
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  const definition = (text: string): JsonObject => ({
    nodes: ids.map((id) => ({
      id,
      type: 'tool',
      config: { text: id === 'n0' ? text : 'same' },
      state_updates: { log: 1 },
    })),
    edges: ids.map((id, at) => ({ id: `e${at}`, source: at === 0 ? '__start__' : `n${at - 1}`, target: id })),
    state_schema: { log: { reducer: 'add', default: [] } },
  });
  const steps = ids.map((nodeId, at): PastStep => {
    const step = {
      stepId: `s${at}`,
      nodeId,
      visit: 1,
      position: at + 1,
      status: 'succeeded',
      effect: 'pure',
    } as const;
    const end = {
      outcome: { taken: at === count - 1 ? [] : [0], failed: false },
      errorCode: null,
      selectedHandle: 'default',
    };
    return counted({ ...step, ...end, wasSent: false, hasUpdates: true, hasFailedItems: false });
  });
  const effects = ids.map((nodeId): InnerEffect =>
    counted({ nodeId, visit: 1, name: `in ${nodeId}`, isUnknown: false, isRepeatable: true, isOver: true }),
  );
  const before = compile(definition('before'), fakeKinds);
  const after = changed ? compile(definition('after'), fakeKinds) : before;
  const inputs = { recursionLimit: 1_000_000, isComplete: true };
  const from = fromNode === null ? null : { nodeId: fromNode, visit: null };
  const planned = planRerun({ before, after, steps, effects, settled: [], ...inputs }, fakeKinds, {
    from,
    fromFailed: false,
    overrides: {},
  });
  return { planned, looks };
}

test.each([
  ['a node of the same definition', 'n0'],
  ['what another definition changes', null],
])('SEC-H05: from %s', (_, fromNode) => {
  const [small, large] = [plan(200, fromNode), plan(800, fromNode)];
  expect(large.planned.nodes.map(({ action, repeats }) => [action, repeats.length])).toEqual(
    Array.from({ length: 800 }, () => ['run', 1]),
  );
  expect(large.looks / small.looks).toBeLessThan(4.5);
});

test('the executions whose state is kept are the reused ones, in their order', () => {
  const { planned } = plan(50, 'n48');
  expect(planned.reusedStepIds).toEqual(Array.from({ length: 48 }, (_, at) => `s${at}`));
});

test('a node of a loop is not taken for happened: its later visits would have the same output', () => {
  const node = (id: string) => ({ id, name: `Node ${id}`, type: 'tool', config: {} });
  const edges = (back: boolean) => [
    { id: 'a', source: '__start__', target: 'n0' },
    { id: 'b', source: 'n0', target: 'n1' },
    ...(back ? [{ id: 'c', source: 'n1', target: 'n0' }] : []),
    { id: 'd', source: 'n1', target: '__end__' },
  ];
  const listOf = (isLooping: boolean) => {
    const after = compile({ nodes: [node('n0'), node('n1')], edges: edges(isLooping) }, fakeKinds);
    const settled = [
      { stepId: 's', nodeId: 'n0', action: 'happened', output: { data: 1 }, isUsed: false } as const,
    ];
    return listSettledOutputs({ after, settled }, { graph: toSkeleton(after, 10), from: null });
  };
  expect(listOf(false)).toEqual({ n0: { data: 1 } });
  expect(() => listOf(true)).toThrow(/have happened in a loop.*: Node n0$/);
});
