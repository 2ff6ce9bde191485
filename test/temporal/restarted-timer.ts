/** A workflow whose execution waits for one question after the other, as an agent does that pauses again. */
import { condition } from '@temporalio/workflow';
import type { Timer } from '../../src/language/graph/schedule/schedule.ts';
import { Timers } from '../../temporal/interpreter/timers.ts';

/** Follows each list in turn. @returns the timers that fired until the last timer of the last list has */
export async function followTimers(lists: readonly (readonly Timer[])[]): Promise<readonly Timer[]> {
  const fired: Timer[] = [];
  const timers = new Timers(
    (timer) => void fired.push(timer),
    () => 'a timer',
  );
  for (const list of lists) timers.follow(list);
  const last = lists.at(-1)?.at(-1);
  await condition(() => fired.some(({ fireAtMs }) => fireAtMs === last?.fireAtMs));
  return fired;
}
