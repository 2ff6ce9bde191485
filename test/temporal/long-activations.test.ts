/** The interpreter would compute longer than a workflow task may take: wide runs would stand still on a busy worker. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeProgress } from '../../src/language/graph/schedule/progress.ts';
import { createProgress } from '../../src/language/graph/schedule/schedule.ts';
import type { Skeleton, SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import type { ItemRange, NodeOutcome, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import type { LocalActivityBudget as Budget } from '../../temporal/interpreter/local-activity-budget.ts';
import type { runItemsInRanges as RunItemsInRanges } from '../../temporal/interpreter/maps.ts';
import type { OperatorView as View } from '../../temporal/interpreter/operator-view.ts';
import type { Redelivery } from '../../temporal/interpreter/redelivery.ts';
import { Wakeup } from '../../temporal/interpreter/wakeup.ts';
import { Walk } from '../../temporal/interpreter/walk.ts';

const DONE: NodeOutcome = { taken: [], failed: false };
const tool: SkeletonNode = {
  id: 'n',
  type: 'tool',
  name: 'n',
  placement: 'activity',
  join: 'all',
  timeoutMs: 1_000,
  maxAttempts: 1,
  maxConcurrency: 0,
  readsLoop: false,
  out: [],
  in: [],
};

let runItemsInRanges: typeof RunItemsInRanges;
let LocalActivityBudget: typeof Budget;
let OperatorView: typeof View;
beforeAll(async () => {
  // Outside of a workflow the SDK has no timers, details or activities.
  vi.doMock('@temporalio/workflow', async (importOriginal) => ({
    ...(await importOriginal<object>()),
    sleep: async () => undefined,
    setCurrentDetails: () => undefined,
    // Every item of a range waits for its next attempt; the end of a map is an outcome.
    proxyLocalActivities: () => ({
      settleMap: async () => DONE,
      tool: async ({ task: { first, end } }: { readonly task: ItemRange }) => ({
        next: end,
        failed: false,
        open: Array.from({ length: end - first }, (_, at) => ({
          itemIndex: first + at,
          running: null,
          retryInMs: 0,
        })),
      }),
    }),
  }));
  vi.resetModules();
  ({ runItemsInRanges } = await import('../../temporal/interpreter/maps.ts'));
  ({ LocalActivityBudget } = await import('../../temporal/interpreter/local-activity-budget.ts'));
  ({ OperatorView } = await import('../../temporal/interpreter/operator-view.ts'));
});
afterAll(() => {
  vi.doUnmock('@temporalio/workflow');
  vi.resetModules();
});

/** A graph of nodes side by side, which counts how often one of them is read. */
function wideGraph(width: number): { readonly skeleton: Skeleton; readonly readCount: () => number } {
  let count = 0;
  const nodes = new Proxy(
    Array.from({ length: width }, (_, i) => ({ ...tool, id: `n${i}`, in: [i] })),
    {
      get(target, key, receiver): unknown {
        if (typeof key === 'string' && /^\d+$/.test(key)) count += 1;
        return Reflect.get(target, key, receiver);
      },
    },
  );
  const edges = nodes.map((_, i): [number, number, number] => [-1, i, -1]);
  const skeleton = { nodes, edges, loops: [], loopIds: [], recursionLimit: 10 };
  return { skeleton, readCount: () => count };
}

function walkOn(skeleton: Skeleton): Walk {
  const input = { organizationId: 'o', rootRunPk: 'r' } as never;
  const walk = new Walk(input, new Wakeup(), { mayRepeat: false } as Redelivery);
  const progress = encodeProgress(createProgress(skeleton));
  const more = { repeated: false, runPk: 'r', maps: [], resumed: [], state: 'running', more: false } as const;
  walk.apply({ ...more, progress }, skeleton);
  return walk;
}

/** Walks branches side by side, a result at a time. @returns how often a node was read */
function walkBranches(width: number): number {
  const { skeleton, readCount } = wideGraph(width);
  const walk = walkOn(skeleton);
  const before = readCount();
  const inFlight = walk.takeLaunches();
  let ended = 0;
  for (let launch = inFlight.shift(); launch !== undefined; launch = inFlight.shift()) {
    ended += 1;
    walk.noteTaskEnd(launch.node, launch.task.visit, DONE);
    walk.settleReturned();
    inFlight.push(...walk.takeLaunches());
  }
  expect(ended).toBe(width);
  return readCount() - before;
}

test('the work of a result does not grow with the branches that wait beside it', () => {
  expect(walkBranches(1_000)).toBeLessThan(2.2 * walkBranches(500));
});

test('operators see a wide run at the price of one look at each node', () => {
  const { skeleton, readCount } = wideGraph(1_000);
  const walk = walkOn(skeleton);
  const before = readCount();
  new OperatorView(false).showProgress(walk);
  expect(readCount() - before).toBeLessThanOrEqual(1_000);
});

/** Runs a map whose items all run on beside their range, half of them at once. @returns how often a promise got a reaction */
async function countReactions(items: number): Promise<number> {
  const then = Reflect.get(Promise.prototype, 'then') as (...handlers: unknown[]) => unknown;
  let count = 0;
  Reflect.set(Promise.prototype, 'then', function (this: unknown, ...handlers: unknown[]) {
    count += 1;
    return Reflect.apply(then, this, handlers);
  });
  const ends: (() => void)[] = [];
  const runItem = (): Promise<NodeOutcome> => new Promise((resolve) => ends.push(() => resolve(DONE)));
  const map = runItemsInRanges(
    {
      node: { ...tool, maxConcurrency: items / 2 },
      task: {} as NodeTask,
      first: 0,
      count: items,
      canStart: () => true,
    },
    { budget: new LocalActivityBudget(), runItem },
  );
  for (let ended = 0; ended < items; ended += 1) {
    // The map stands still: as many items as may are under way.
    const underWay = Math.min(items / 2, items - ended);
    do await new Promise((resolve) => setImmediate(resolve));
    while (ends.length < underWay);
    ends.shift()?.();
  }
  expect(await map).toEqual(DONE);
  Reflect.set(Promise.prototype, 'then', then);
  return count;
}

test('the work of an item that ends does not grow with the items beside it', async () => {
  expect(await countReactions(800)).toBeLessThan(2.5 * (await countReactions(400)));
});
