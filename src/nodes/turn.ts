/** Long work of a node in turns: between two of them the process serves everybody else. */
import type { WorkBudget } from '../graph/work-budget.ts';

/** Lets others have their turn. To be called where `work.isTurnOver`. */
export async function nextTurn(work: WorkBudget): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  work.beginTurn();
}
