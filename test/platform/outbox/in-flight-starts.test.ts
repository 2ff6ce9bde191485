/** A burst of runs would flood Temporal while no worker is there to run them. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import {
  MAX_IN_FLIGHT_MS,
  InFlightStarts,
  MAX_IN_FLIGHT_STARTS,
} from '../../../src/platform/outbox/in-flight-starts.ts';

const NONE = { usual: MAX_IN_FLIGHT_STARTS, organizationIds: [], capacities: [] };

/** An organization with starts in flight, its cap unless told, on a clock of its own. */
function inFlight(count = MAX_IN_FLIGHT_STARTS) {
  let nowMs = 1_000_000;
  const starts = new InFlightStarts({ ...systemClock, monotonic: () => nowMs });
  const organizationId = randomUUID();
  const claim = (runPks: readonly string[]): void =>
    starts.add(
      runPks.map((subjectId) => ({ organizationId, subjectId })),
      starts.capacity(),
    );
  const runPks = Array.from({ length: count }, () => randomUUID());
  claim(runPks);
  const [first = ''] = runPks;
  const pass = (ms: number): void => void (nowMs += ms);
  return { starts, organizationId, runPks, first, claim, pass };
}

describe('the cap of an organization', () => {
  test("is reached by an organization's own starts, and limits no other", () => {
    const { starts, organizationId, runPks } = inFlight();
    expect([
      starts.isHoldingBack,
      starts.hasCapacity(organizationId),
      starts.hasCapacity(randomUUID()),
    ]).toEqual([true, false, true]);
    expect(starts.capacity()).toEqual({ ...NONE, organizationIds: [organizationId], capacities: [0] });
    expect(starts.runPks).toEqual(runPks);
  });

  test('is not reached by one start less', () => {
    const { starts, organizationId, first } = inFlight(MAX_IN_FLIGHT_STARTS - 1);
    expect([starts.isHoldingBack, starts.hasCapacity(organizationId)]).toEqual([false, true]);
    expect(starts.capacity().capacities).toEqual([1]);
    expect(starts.remove(first)).toBe(false);
  });

  test('each start that begins lets another one go, which may wait although others have begun meanwhile', () => {
    const { starts, organizationId, runPks, claim } = inFlight();
    const [first = '', second = ''] = runPks;
    expect(starts.remove(first)).toBe(true);
    const capacity = starts.capacity();
    // Begins while the claim is under way that was given room for one.
    expect(starts.remove(second)).toBe(true);
    const next = randomUUID();
    starts.add([{ organizationId, subjectId: next }], capacity);
    expect(starts.isHoldingBack).toBe(true);
    expect(starts.remove(next)).toBe(true);
    // The next claim finds nothing: nobody waits.
    claim([]);
    expect([starts.isHoldingBack, starts.remove(runPks[2] ?? '')]).toEqual([false, false]);
  });

  test('what has begun is forgotten, and what is not known costs nothing', () => {
    const { starts, runPks } = inFlight();
    for (const runPk of runPks) starts.remove(runPk);
    expect([starts.remove(runPks[0] ?? ''), starts.remove(randomUUID())]).toEqual([false, false]);
    expect(starts.capacity()).toEqual(NONE);
  });

  test('counts a run once whose entry is claimed twice', () => {
    const { starts, first, claim } = inFlight();
    claim([first]);
    expect(starts.capacity().capacities).toEqual([0]);
    starts.remove(first);
    expect(starts.capacity().capacities).toEqual([1]);
  });

  test('an unconfirmed start counts for two seconds: its run waits in Temporal for a worker', () => {
    const { starts, organizationId, runPks, claim, pass } = inFlight();
    pass(MAX_IN_FLIGHT_MS - 1);
    expect([starts.expire(), starts.hasCapacity(organizationId)]).toEqual([false, false]);
    starts.remove(runPks[3] ?? '');
    const last = randomUUID();
    claim([last]);
    pass(1);
    expect([starts.expire(), starts.hasCapacity(organizationId)]).toEqual([true, true]);
    // The later one goes on counting.
    expect(starts.runPks).toEqual([last]);
  });
});
