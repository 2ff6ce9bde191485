/** Who rests between starts, for how long, and who does not; on a clock of the test's own. */
import { describe, expect, test } from 'vitest';
import {
  ACTIVE_MS,
  DEEP,
  LONGEST_REST_MS,
  PATIENCE_SECONDS,
  RESTS_PER_LATE,
  SPAN_MS,
  StartPace,
} from '../../../src/runs/outbox/start-pace.ts';

const SHORTEST_MS = 20;

/** A pace that has seen a flood's runs begin after 20 ms, and nobody else. */
function flooded() {
  let nowMs = 1_000;
  const pace = new StartPace(() => nowMs);
  pace.claimed('flood', 10 * DEEP, 1);
  pace.began('flood', SHORTEST_MS);
  /** A run of the flood begins, so late: how long the flood rests. */
  const restAfter = (lateMs: number): number => {
    pace.began('flood', SHORTEST_MS + lateMs);
    const restMs = pace.restsForMs();
    const rests = pace.resting().length;
    if (restMs === Infinity) expect(rests).toBe(0);
    else {
      expect(rests).toBe(1);
      nowMs += restMs;
      expect(pace.resting()).toEqual([]);
    }
    return restMs;
  };
  const sleep = (ms: number): void => {
    nowMs += ms;
  };
  return { pace, restAfter, sleep };
}

const NEVER = Infinity;

describe('a flood', () => {
  test('rests for what its runs were late, many times over, while somebody else is there', () => {
    const { pace, restAfter } = flooded();
    pace.saw('other');
    expect([restAfter(0), restAfter(1), restAfter(30)]).toEqual([NEVER, RESTS_PER_LATE, 30 * RESTS_PER_LATE]);
  });

  test('does not rest when it is alone, nor once the other has been gone for a while', () => {
    const { pace, restAfter, sleep } = flooded();
    expect(restAfter(30)).toBe(NEVER);
    pace.saw('other');
    expect(restAfter(30)).toBe(30 * RESTS_PER_LATE);
    sleep(ACTIVE_MS);
    expect(restAfter(30)).toBe(NEVER);
  });

  test('rests for a second at the longest', () => {
    const { pace, restAfter } = flooded();
    pace.saw('other');
    expect(restAfter(60_000)).toBe(LONGEST_REST_MS);
  });

  test('no longer rests when its starts have waited for minutes: they must not run out of time', () => {
    const { pace, restAfter } = flooded();
    pace.saw('other');
    pace.claimed('flood', 10 * DEEP, PATIENCE_SECONDS + 1);
    expect(restAfter(30)).toBe(NEVER);
  });

  test('is late beside what was seen lately: a machine that stays slower is not held against it', () => {
    const { pace, restAfter, sleep } = flooded();
    pace.saw('other');
    sleep(SPAN_MS);
    pace.saw('other');
    expect(restAfter(30)).toBe(30 * RESTS_PER_LATE);
    sleep(SPAN_MS);
    pace.saw('other');
    expect(restAfter(30)).toBe(NEVER);
    expect(restAfter(40)).toBe(10 * RESTS_PER_LATE);
  });
});

describe('no flood', () => {
  test('is what has few starts waiting', () => {
    const { pace, restAfter } = flooded();
    pace.saw('other');
    pace.claimed('flood', DEEP - 1, 1);
    expect(restAfter(30)).toBe(NEVER);
    pace.claimed('flood', DEEP, 1);
    expect(restAfter(30)).toBe(30 * RESTS_PER_LATE);
  });

  test('is what has as many waiting as everybody else, until somebody comes with few', () => {
    const { pace, restAfter } = flooded();
    pace.claimed('other', 2 * DEEP, 1);
    pace.claimed('third', 11, 1);
    expect(restAfter(30)).toBe(NEVER);
    pace.claimed('third', 10, 1);
    expect(restAfter(30)).toBe(30 * RESTS_PER_LATE);
  });

  test('is another organization: it does not rest for a flood', () => {
    const { pace } = flooded();
    pace.began('other', 20);
    pace.began('other', 500);
    expect(pace.resting()).toEqual([]);
    pace.began('flood', 500);
    expect(pace.resting()).toEqual(['flood']);
  });
});
