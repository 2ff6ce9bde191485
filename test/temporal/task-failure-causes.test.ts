/** A run would be ended for a fault of its machine, or one with a fault of its code be tried for ever. */
import { expect, test } from 'vitest';
import { MISSING_KEY } from '../../temporal/contract.ts';
import { isFailureOfCode } from '../../temporal/client/task-failure-causes.ts';

// Values of temporal.api.enums.v1.WorkflowTaskFailedCause.
test.each([
  ['an error that the code throws', 14, 'TypeError', true],
  ['a replay that differs', 24, '', true],
  ['a timer with an id that exists', 12, '', true],
  ['a cause that Temporal does not know', 0, '', false],
  ['a lost sticky queue', 13, '', false],
  ['events that came while the run was closed', 1, '', false],
  ['too many events at one task', 17, '', false],
  ['a reset by an operator', 20, '', false],
  ['a search attribute that an operator has removed', 23, '', false],
  ['a limit of pending activities, which end', 27, '', false],
  ['a key that the worker lacks', 14, MISSING_KEY, false],
  ['a thread of the worker that has ended', 14, 'UnexpectedError', false],
])('%s is told from others', (_, cause, type, isOfCode) => {
  expect(isFailureOfCode(cause, type)).toBe(isOfCode);
});
