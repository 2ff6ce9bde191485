/** Work at the boundary of a budget: what something costs, and the same with exactly that and with a step less. */
import { WorkBudget } from '../../src/language/graph/values/work-budget.ts';

/** For work that is only measured. */
export const UNLIMITED = { total: Number.POSITIVE_INFINITY, turn: Number.POSITIVE_INFINITY };

export interface Spending<Result> {
  readonly steps: number;
  /** With a budget of exactly its steps. */
  readonly enough: () => Result;
  /** With a step less. */
  readonly tooLittle: () => Result;
}

/** Does something once, with as much work as it wants. @param act must cost the same each time */
export function spending<Result>(act: (work: WorkBudget) => Result): Spending<Result> {
  const free = new WorkBudget(UNLIMITED);
  act(free);
  return within(act, free.spent);
}

/** As `spending`, of what takes its time. */
export async function spendingOf<Result>(
  act: (work: WorkBudget) => Promise<Result>,
): Promise<Spending<Promise<Result>>> {
  const free = new WorkBudget(UNLIMITED);
  await act(free);
  return within(act, free.spent);
}

function within<Result>(act: (work: WorkBudget) => Result, steps: number): Spending<Result> {
  const limited = (total: number) => () => act(new WorkBudget({ total, turn: total }));
  return { steps, enough: limited(steps), tooLittle: limited(steps - 1) };
}
