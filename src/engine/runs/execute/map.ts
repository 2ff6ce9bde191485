/** Runs a node once for each item of a list, and joins the results. */
import { readRunningItems, readEndedItems, readMapItems, countItemBytes } from '../ledger/write/map-items.ts';
import { concludeItems, toItemFailure } from '../walk/fold.ts';
import { MAX_OUTPUT_BYTES, buildTooLargeError } from '../walk/conclusion.ts';
import { runNode } from './attempt/run.ts';
import type { ExecuteDeps } from './deps.ts';
import { done, type AttemptEnd, type Host } from './host.ts';
import type { ItemRange, ItemRangeResult, NodeOutcome, NodeTask, OpenItem } from './protocol.ts';
import { settleStep } from './settle.ts';
import { createInternalError } from '../walk/internal-error.ts';

/** Delay before an item whose attempt ended undecided is tried again. */
const RETRY_AFTER_MS = 1_000;

/**
 * Runs items of a mapped node, `atOnce` at a time, each with its own step, attempts and events. Except for the first, no item
 * starts after the host's `patienceMs`, its abort or a failed item; the result has the index of the next item to start.
 */
export async function runItems(
  deps: ExecuteDeps,
  host: Host,
  { first, end, atOnce, ...task }: ItemRange,
): Promise<AttemptEnd<ItemRangeResult>> {
  const { clock, db } = deps;
  const parent = await readMapItems(db, task, { first, end });
  if (parent === null) throw createInternalError('The mapped node has no step');
  // Work without an effect begins without a look at its record, so it would run again.
  const hasEnded = new Set(parent.ended);
  const until = clock.monotonic() + (host.patienceMs ?? Infinity);
  const open: OpenItem[] = [];
  const seen = { isFailed: false, isGone: false, isCancelled: false };
  let next = first;
  const mayBegin = (): boolean =>
    next < end &&
    !host.signal.aborted &&
    !seen.isFailed &&
    !seen.isGone &&
    !seen.isCancelled &&
    (next === first || clock.monotonic() < until);

  const runItem = async (itemIndex: number, own: NodeTask = task): Promise<void> => {
    const item = {
      index: itemIndex,
      value: parent.items[itemIndex] ?? null,
      parentStepId: parent.parentStepId,
    };
    // Of a signal that all items listen to, Node would warn as of a leak.
    const ownHost = { ...host, signal: AbortSignal.any([host.signal]) };
    const ended = await runNode(deps, ownHost, { task: { ...own, itemIndex }, item });
    if (ended.kind === 'done') seen.isFailed ||= ended.result.failed;
    else if (ended.kind === 'failed') seen.isFailed ||= ended.outcome.failed;
    else if (ended.kind === 'gone') seen.isGone = true;
    else if (ended.kind === 'cancelled') seen.isCancelled = true;
    else if (ended.kind === 'running') open.push({ itemIndex, running: ended.running, retryInMs: 0 });
    else {
      const retryInMs = ended.kind === 'retry' ? ended.delayMs : RETRY_AFTER_MS;
      open.push({ itemIndex, running: null, retryInMs });
    }
  };
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const itemIndex = next;
      next += 1;
      if (!hasEnded.has(itemIndex)) await runItem(itemIndex);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, end - first) }, lane));
  // A lost worker may have started items after the one that failed here: they are ended, too.
  if (seen.isFailed && !seen.isGone && !seen.isCancelled) {
    const running = await readRunningItems(db, parent.parentStepId, next);
    await Promise.all(running.map((itemIndex) => runItem(itemIndex, { ...task, isRepeated: true })));
  }
  if (seen.isCancelled) return { kind: 'cancelled' };
  if (seen.isGone) return { kind: 'gone' };
  return done({ next, failed: seen.isFailed, open });
}

/** Ends a mapped node: all its items have ended, or one has failed it. */
export function settleMap(deps: ExecuteDeps, task: NodeTask): Promise<NodeOutcome> {
  return settleStep(deps, task, async (scope, step) => {
    const { sql, clock, values } = scope.context;
    // Checks the total size first: all items are loaded into memory together.
    const bytes = await countItemBytes(sql, step.step_id);
    if (bytes > 2 * MAX_OUTPUT_BYTES) throw buildTooLargeError();
    values.holdWith(bytes);
    const items = await readEndedItems(sql, step.step_id);
    const broken = items.find(({ isBroken }) => isBroken);
    if (broken !== undefined) throw toItemFailure(broken.index, broken.error);
    return concludeItems(scope, items, clock.now() - Date.parse(step.started_at));
  });
}
