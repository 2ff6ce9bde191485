/** Which beats of a node are sent: all of a silent one, every third of one that speaks. */
import { expect, test } from 'vitest';
import { HeartbeatPace } from '../../temporal/activities/heartbeat-pace.ts';

/** The beats that are sent, by the seq that the node has reached at each. */
function sent(...seqs: readonly number[]): number[] {
  return sentBy(new HeartbeatPace(0), ...seqs);
}
function sentBy(pace: HeartbeatPace, ...seqs: readonly number[]): number[] {
  return seqs.flatMap((seq, beat) => (pace.isDue(seq) ? [beat] : []));
}

test('a silent node sends each beat: it hears of nothing otherwise', () => {
  expect(sent(0, 0, 0, 0)).toEqual([0, 1, 2, 3]);
});
test('a node that speaks spares two of three', () => {
  expect(sent(0, 5, 9, 12, 20, 31, 40)).toEqual([0, 3, 6]);
});
test('nodes that begin to speak together beat in turns', () => {
  const turns = [0, 1, 2].map((spared) => sentBy(new HeartbeatPace(spared), 0, 5, 9, 12, 20, 31, 40));
  expect(turns).toEqual([
    [0, 3, 6],
    [0, 2, 5],
    [0, 1, 4],
  ]);
});
test('a node that falls silent sends with the next beat', () => {
  expect(sent(0, 5, 5, 5, 8, 8)).toEqual([0, 2, 3, 5]);
});
