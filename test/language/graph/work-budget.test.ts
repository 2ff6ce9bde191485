/** One run's expressions would block the process for all others. */
import { expect, test } from 'vitest';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';

test('the step beyond the total is refused and not counted, also in another turn', () => {
  const work = new WorkBudget({ total: 10, turn: 6 });
  work.spend(6);
  work.beginTurn();
  work.spend(4);
  work.beginTurn();
  expect(() => work.spend(1)).toThrow(WorkLimitExceeded);
  expect(work.spent).toBe(10);
});

test('the step beyond a turn is refused until others have had theirs', () => {
  const work = new WorkBudget({ total: 10, turn: 6 });
  work.spend(6);
  expect(() => work.spend(1)).toThrow(WorkLimitExceeded);
  work.beginTurn();
  work.spend(1);
  expect(work.spent).toBe(7);
});

test('a turn is over long before its limit', () => {
  const work = new WorkBudget(NODE_WORK);
  work.spend(999_999);
  expect(work.isTurnOver).toBe(false);
  work.spend(1);
  expect(work.isTurnOver).toBe(true);
  expect(NODE_WORK.turn).toBeGreaterThan(10 * work.spent);
});
