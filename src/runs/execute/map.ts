/** Runs the items of mapped nodes, several short ones in one host, and joins their results. */
import { NodeError } from '../../nodes/kind.ts';
import { readRunningItems, readEndedItems, readMapItems, countItemBytes } from '../ledger/map-items.ts';
import { concludeItems, toItemFailure } from './advance/fold.ts';
import { MAX_OUTPUT_BYTES, buildTooLargeError } from './attempt/conclusion.ts';
import { runNode } from './attempt/run.ts';
import type { ExecuteDeps } from './deps.ts';
import { done, type AttemptEnd, type Host } from './host.ts';
import type { ItemRange, ItemRangeResult, NodeOutcome, NodeTask, OpenItem } from './protocol.ts';
import { settleStep } from './settle.ts';

/** The wait of an item after an undecided attempt. */
const AGAIN_AFTER_MS = 1_000;

/**
 * Runs items of a mapped node, `atOnce` at a time, each with its own step, attempts and events. Items that have not started
 * after the host's `patienceMs`, or before it gives up, are returned, and so are those after an item that failed the node; each started item has the
 * host's full `patienceMs`.
 */
export async function runItems(
  deps: ExecuteDeps,
  host: Host,
  { first, end, atOnce, ...task }: ItemRange,
): Promise<AttemptEnd<ItemRangeResult>> {
  const { clock, db } = deps;
  const parent = await readMapItems(db, task);
  if (parent === null) throw new NodeError('internal_error', 'The mapped node has no step');
  const until = clock.monotonic() + (host.patienceMs ?? Infinity);
  const open: OpenItem[] = [];
  const found = { isFailed: false, isGone: false, isCancelled: false };
  let next = first;
  const mayBegin = (): boolean =>
    next < end &&
    !host.signal.aborted &&
    !found.isFailed &&
    !found.isGone &&
    !found.isCancelled &&
    (next === first || clock.monotonic() < until);

  const runItem = async (itemIndex: number, own: NodeTask = task): Promise<void> => {
    const item = {
      index: itemIndex,
      value: parent.items[itemIndex] ?? null,
      parentStepId: parent.parentStepId,
    };
    const ended = await runNode(deps, host, { task: { ...own, itemIndex }, item });
    if (ended.kind === 'done') found.isFailed ||= ended.result.failed;
    else if (ended.kind === 'failed') found.isFailed ||= ended.outcome.failed;
    else if (ended.kind === 'gone') found.isGone = true;
    else if (ended.kind === 'cancelled') found.isCancelled = true;
    else if (ended.kind === 'running') open.push({ itemIndex, running: ended.running, retryInMs: 0 });
    else {
      const retryInMs = ended.kind === 'retry' ? ended.delayMs : AGAIN_AFTER_MS;
      open.push({ itemIndex, running: null, retryInMs });
    }
  };
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const itemIndex = next;
      next += 1;
      await runItem(itemIndex);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, end - first) }, lane));
  // A lost worker may have started items after the one that failed here: they are ended, too.
  if (found.isFailed && !found.isGone && !found.isCancelled) {
    const begun = await readRunningItems(db, parent.parentStepId, next);
    await Promise.all(begun.map((itemIndex) => runItem(itemIndex, { ...task, isRepeated: true })));
  }
  if (found.isCancelled) return { kind: 'cancelled' };
  if (found.isGone) return { kind: 'gone' };
  return done({ next, failed: found.isFailed, open });
}

/** Ends a mapped node: all its items have ended, or one has failed it. */
export function settleMap(deps: ExecuteDeps, task: NodeTask): Promise<NodeOutcome> {
  return settleStep(deps, task, async (scope, step) => {
    const { sql, clock } = scope.context;
    // Checks the total size first: all items are loaded into memory together.
    if ((await countItemBytes(sql, step.step_id)) > 2 * MAX_OUTPUT_BYTES) throw buildTooLargeError();
    const items = await readEndedItems(sql, step.step_id);
    const broken = items.find(({ isBroken }) => isBroken);
    if (broken !== undefined) throw toItemFailure(broken.index, broken.error);
    return concludeItems(scope, items, clock.now() - Date.parse(step.started_at));
  });
}
