/** Splits long work of nodes into turns, between which the event loop serves others. */
import type { WorkBudget } from '../graph/values/work-budget.ts';
import { takeTurn } from '../../base/shares/turns.ts';

/** Yields to the event loop, and to other long work. Call it when `work.isTurnOver`. */
export async function nextTurn(work: WorkBudget): Promise<void> {
  await takeTurn();
  work.beginTurn();
}
