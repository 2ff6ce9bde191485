/** Mapped nodes: their items run as tasks like any other, at most `maxConcurrency` at once; short ones in ranges. */
import type { ItemRangeResult, NodeOutcome, NodeTask, OpenItem } from '../../src/runs/execute/protocol.ts';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import { continueAttempt, markRepeated, waitForRetry, type Execution } from './attempts.ts';
import type { LocalActivityBudget } from './local-activity-budget.ts';
import { ledgerActivities, runShortItems } from './activities.ts';

/** Items of one local activity: one event of the history. */
const RANGE = 50;

/** The items of a map that are left to start. */
export interface Items {
  readonly node: SkeletonNode;
  /** Of the mapped node. */
  readonly task: NodeTask;
  readonly first: number;
  readonly count: number;
  /** False: the history is full; items under way end, the others are left to the next history. */
  readonly mayStart: () => boolean;
}

/** How ranges are hosted, and single items beside them. */
interface RangeHost {
  readonly hosting: LocalActivityBudget;
  readonly runItem: (item: Execution) => Promise<NodeOutcome>;
}

/** The map's outcome, or the first item that was not started. */
export type MapEnd = NodeOutcome | { readonly next: number };

/**
 * Runs the items of a mapped node one by one, in lanes; the results become the node's output. An item that fails the node keeps
 * further items from starting.
 */
export async function runItemsOneByOne(
  { task, first, count, node, mayStart }: Items,
  runItem: (task: NodeTask) => Promise<NodeOutcome>,
): Promise<MapEnd> {
  let next = first;
  let failed = false;
  let gone: NodeOutcome | null = null;
  const lane = async (): Promise<void> => {
    while (next < count && !failed && gone === null && mayStart()) {
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
 * Runs the items of a mapped node whose work is short, a range at a time. An item that outlives its range goes on by itself, and so
 * does one that waits for its next attempt; both keep their place among those at once. While many do, the next is an activity, too.
 */
export async function runItemsInRanges(
  { node, task, first, count, mayStart }: Items,
  { hosting, runItem }: RangeHost,
): Promise<MapEnd> {
  let next = first;
  let failed = false;
  let gone: NodeOutcome | null = null;
  const apart = new Set<Promise<void>>();
  const toExecution = (itemIndex: number): Execution => ({ node, task: { ...task, itemIndex } });
  const follow = (item: Promise<NodeOutcome>): void => {
    const goesOn = item.then((outcome) => {
      if (outcome.failed) failed = true;
      if (outcome.gone) gone = outcome;
      apart.delete(goesOn);
    });
    apart.add(goesOn);
  };
  while (next < count && !failed && gone === null && mayStart()) {
    const atOnce = node.maxConcurrency - apart.size;
    if (atOnce <= 0) {
      await Promise.race(apart);
      continue;
    }
    const pause = hosting.pauseIfDue();
    if (pause !== null) {
      await pause;
      continue;
    }
    if (!hosting.allowsLocal) {
      follow(runItem(toExecution(next)));
      next += 1;
      continue;
    }
    const range = { ...task, first: next, end: Math.min(count, next + RANGE), atOnce };
    const result: ItemRangeResult = await hosting.runLocal((patienceMs) =>
      runShortItems(node, range, patienceMs),
    );
    next = result.next;
    failed ||= result.failed;
    if (result.gone) gone = { taken: [], failed: false, gone: true };
    result.open.forEach((item) =>
      follow(runOpenItem(toExecution(item.itemIndex), item, { hosting, runItem })),
    );
  }
  await Promise.all(apart);
  return gone ?? (next < count && !failed ? { next } : ledgerActivities.settleMap(task));
}

async function runOpenItem(
  execution: Execution,
  { running, retryInMs }: OpenItem,
  { hosting, runItem }: RangeHost,
): Promise<NodeOutcome> {
  const { node, task } = execution;
  if (running !== null) return hosting.runActivity(() => continueAttempt(execution, running));
  await waitForRetry(execution, retryInMs);
  return runItem({ node, task: markRepeated(task) });
}
