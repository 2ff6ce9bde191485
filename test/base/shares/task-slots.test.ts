/** One organization would hold all slots, and those of others would be refused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Release } from '../../../src/base/shares/fair-semaphore.ts';
import { TaskSlots } from '../../../src/base/shares/task-slots.ts';

/** Takes slots until one is refused. */
function takeAll(slots: TaskSlots, organizationId: string): Release[] {
  const taken: Release[] = [];
  for (let next = slots.take(organizationId); next !== null; next = slots.take(organizationId))
    taken.push(next);
  return taken;
}

test('an organization alone holds three quarters of the slots', () => {
  expect(takeAll(new TaskSlots(1_000), 'a')).toHaveLength(750);
  expect(takeAll(new TaskSlots(4), 'a')).toHaveLength(3);
});

test('an organization that wants much leaves others a share, and takes what they give back', () => {
  const slots = new TaskSlots(40);
  const first = takeAll(slots, 'a');
  const second = takeAll(slots, 'b');
  expect([first.length, second.length]).toEqual([30, 7]);
  for (const release of first) release();
  expect(takeAll(slots, 'b').length + second.length).toBe(30);
});

test('a slot is given back once', () => {
  const slots = new TaskSlots(4);
  const [release] = takeAll(slots, 'a');
  release?.();
  release?.();
  expect(takeAll(slots, 'a')).toHaveLength(1);
});

test('only an organization that holds none gets the last slot', () => {
  const step = fc.record({ organizationId: fc.constantFrom('a', 'b', 'c', 'd', 'e'), isTake: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 50 }), fc.array(step, { maxLength: 200 }), (count, steps) => {
      const slots = new TaskSlots(count);
      const held = new Map<string, Release[]>();
      for (const { organizationId, isTake } of steps) {
        const own = held.get(organizationId) ?? [];
        held.set(organizationId, own);
        if (!isTake) own.shift()?.();
        const taken = isTake ? slots.take(organizationId) : null;
        if (taken === null) continue;
        own.push(taken);
        const next = slots.take('new');
        expect(next !== null || own.length === 1).toBe(true);
        next?.();
      }
    }),
  );
});
