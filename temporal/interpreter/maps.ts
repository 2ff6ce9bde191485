/** Runs the items of mapped nodes as tasks, at most `maxConcurrency` concurrently; short ones in ranges. */
import type {
  ItemRangeResult,
  NodeOutcome,
  NodeTask,
  OpenItem,
} from '../../src/engine/runs/execute/protocol.ts';
import type { SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import { continueAttempt, markRepeated, waitForRetry, type Execution } from './attempts.ts';
import type { LocalActivityBudget } from './local-activity-budget.ts';
import { ledgerActivities, runShortItems } from './activities.ts';
import { Wakeup } from './wakeup.ts';

/** Items in one local activity, which is one event of the history. */
const RANGE = 50;

/** The items of a map that have not started. */
export interface Items {
  readonly node: SkeletonNode;
  /** Of the mapped node. */
  readonly task: NodeTask;
  readonly first: number;
  readonly count: number;
  /** False when the history is full: the next history starts the remaining items. */
  readonly canStart: () => boolean;
}

/** Functions of the run that a map needs. */
interface RangeDeps {
  readonly budget: LocalActivityBudget;
  readonly runItem: (item: Execution) => Promise<NodeOutcome>;
}

/** The outcome of the map, or the first item that was not started. */
export type MapEnd = NodeOutcome | { readonly next: number };

/**
 * Runs each item of a mapped node as a task. No item starts after one that fails the node.
 * @throws a cancellation of the run
 */
export async function runItemsOneByOne(
  { task, first, count, node, canStart }: Items,
  runItem: (task: NodeTask) => Promise<NodeOutcome>,
): Promise<MapEnd> {
  let next = first;
  let failed = false;
  let gone: NodeOutcome | null = null;
  const lane = async (): Promise<void> => {
    while (next < count && !failed && gone === null && canStart()) {
      const itemIndex = next;
      next += 1;
      const outcome = await runItem({ ...task, itemIndex });
      if (outcome.failed) failed = true;
      if (outcome.gone) gone = outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(count - first, node.maxConcurrency) }, lane));
  return gone ?? (next < count && !failed ? { next } : ledgerActivities.settleMap(task));
}

/**
 * Runs the items of a short mapped node, a range at a time. An item that outlives its range, or waits for its next attempt,
 * continues as its own task and counts towards `maxConcurrency`. With many such items the next ones are activities, too.
 * @throws a cancellation of the run
 */
export async function runItemsInRanges(
  { node, task, first, count, canStart }: Items,
  { budget, runItem }: RangeDeps,
): Promise<MapEnd> {
  let next = first;
  let failed = false;
  let gone: NodeOutcome | null = null;
  /** Items under way beside the ranges. `Promise.race` would add a promise for each of them whenever one ends. */
  let apart = 0;
  let broke: { readonly error: unknown } | null = null;
  const wakeup = new Wakeup();
  const toExecution = (itemIndex: number): Execution => ({ node, task: { ...task, itemIndex } });
  const follow = (item: Promise<NodeOutcome>): void => {
    apart += 1;
    item.then(
      (outcome) => {
        if (outcome.failed) failed = true;
        if (outcome.gone) gone = outcome;
        apart -= 1;
        wakeup.notify();
      },
      // It stays under way: the wait for it throws. Until then this may wait for a range.
      (error: unknown) => {
        broke ??= { error };
        wakeup.notify();
      },
    );
  };
  const awaitOne = async (): Promise<void> => {
    if (broke === null) await wakeup.wait();
    if (broke !== null) throw broke.error;
  };
  const awaitAll = async (): Promise<void> => {
    while (apart > 0) await awaitOne();
  };
  while (next < count && !failed && gone === null && canStart()) {
    const atOnce = node.maxConcurrency - apart;
    if (atOnce <= 0) {
      await awaitOne();
      continue;
    }
    const pause = budget.pauseIfDue();
    if (pause !== null) {
      await pause;
      continue;
    }
    if (!budget.allowsLocal) {
      follow(runItem(toExecution(next)));
      next += 1;
      continue;
    }
    const range = { ...task, first: next, end: Math.min(count, next + RANGE), atOnce };
    const result: ItemRangeResult = await budget.runLocal((patienceMs) =>
      runShortItems(node, range, patienceMs),
    );
    next = result.next;
    failed ||= result.failed;
    if (result.gone) gone = { taken: [], failed: false, gone: true };
    result.open.forEach((item) =>
      follow(runOpenItem(toExecution(item.itemIndex), item, { budget, runItem })),
    );
  }
  await awaitAll();
  return gone ?? (next < count && !failed ? { next } : ledgerActivities.settleMap(task));
}

async function runOpenItem(
  execution: Execution,
  { running, retryInMs }: OpenItem,
  { budget, runItem }: RangeDeps,
): Promise<NodeOutcome> {
  const { node, task } = execution;
  if (running !== null) return budget.runActivity(() => continueAttempt(execution, running));
  await waitForRetry(execution, retryInMs);
  return runItem({ node, task: markRepeated(task) });
}
