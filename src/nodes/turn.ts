/** Splits long work of nodes into turns, between which the event loop serves others. */
import type { WorkBudget } from '../language/graph/values/work-budget.ts';

/**
 * Long work that waits for its next turn. One turn runs in each round of the event loop: with a turn of each, forty runs with long work
 * would let everything else wait for the turns of all. The queue belongs to the event loop, which is the one of the process.
 */
const waiting: (() => void)[] = [];

function serveNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serveNext);
}

/** Yields to the event loop, and to other long work. Call it when `work.isTurnOver`. */
export async function nextTurn(work: WorkBudget): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serveNext);
  });
  work.beginTurn();
}
