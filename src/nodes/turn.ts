/** Splits long work of a node into turns, between which the event loop serves others. */
import type { WorkBudget } from '../graph/work-budget.ts';

/** Yields to the event loop. Call it when `work.isTurnOver`. */
export async function nextTurn(work: WorkBudget): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  work.beginTurn();
}
