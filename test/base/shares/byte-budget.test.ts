/** Large answers would exhaust the memory of a process, or wait for ever for room. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBudget, type ByteLease } from '../../../src/base/shares/byte-budget.ts';

const budget = () => new ByteBudget({ capacity: 20, perOrganization: 10 });

/** Counts bytes that need not wait. */
const take = (lease: ByteLease, bytes: number): void => expect(lease.grow(bytes, null)).toBeNull();

/** Whether a growth has been counted by now. */
async function isCounted(growth: Promise<void> | null): Promise<boolean> {
  if (growth === null) return true;
  return Promise.race([growth.then(() => true), setImmediate(false)]);
}

test('growth within the limits is counted at once, and given back with the lease', () => {
  const bytes = budget();
  const lease = bytes.open('a');
  expect(lease.grow(4, null)).toBeNull();
  expect(lease.grow(3, null)).toBeNull();
  expect([bytes.held, bytes.heldBy('a'), bytes.heldBy('b')]).toEqual([7, 7, 0]);
  lease.close();
  lease.close();
  expect(bytes.held).toBe(0);
});

test('what would take an organization above its bound waits until another lease is closed', async () => {
  const bytes = budget();
  const [oldest, younger] = [bytes.open('a'), bytes.open('a')];
  expect(oldest.grow(6, null)).toBeNull();
  expect(younger.grow(4, null)).toBeNull();
  const growth = younger.grow(1, null);
  expect(await isCounted(growth)).toBe(false);
  expect(bytes.open('b').grow(10, null)).toBeNull();
  oldest.close();
  expect(await isCounted(growth)).toBe(true);
  expect(bytes.heldBy('a')).toBe(5);
});

test('what would take all together above the capacity waits until another organization has closed a lease', async () => {
  const bytes = budget();
  const leases = ['a', 'b'].map((organizationId) => bytes.open(organizationId));
  for (const lease of leases) take(lease, 10);
  take(bytes.open('c'), 1);
  const growth = bytes.open('c').grow(1, null);
  expect(await isCounted(growth)).toBe(false);
  leases[0]?.close();
  expect(await isCounted(growth)).toBe(true);
});

test('two that each hold half and want more do not wait for each other: the older goes on beyond the bound', async () => {
  const bytes = budget();
  const [older, younger] = [bytes.open('a'), bytes.open('a')];
  take(older, 5);
  take(younger, 5);
  const wanted = younger.grow(5, null);
  expect(older.grow(5, null)).toBeNull();
  expect(await isCounted(wanted)).toBe(false);
  older.close();
  expect(await isCounted(wanted)).toBe(true);
  younger.close();
  expect(bytes.held).toBe(0);
});

test('one that alone needs more than every limit gets it', () => {
  const bytes = budget();
  const lease = bytes.open('a');
  for (let round = 0; round < 5; round += 1) expect(lease.grow(9, null)).toBeNull();
  expect(bytes.held).toBe(45);
});

test('nobody grows before an older one of its organization that waits', async () => {
  const bytes = budget();
  const [oldest, older, younger] = [bytes.open('a'), bytes.open('a'), bytes.open('a')];
  take(oldest, 4);
  take(older, 1);
  take(younger, 1);
  const large = older.grow(8, null);
  const small = younger.grow(1, null);
  expect(await isCounted(small)).toBe(false);
  oldest.close();
  expect(await isCounted(large)).toBe(true);
  // The oldest now, with 9 of 10 beside the younger one's 1.
  expect(await isCounted(small)).toBe(false);
  older.close();
  expect(await isCounted(small)).toBe(true);
});

test('an aborted growth leaves with the reason of its signal, and those behind it go on', async () => {
  const bytes = budget();
  const [oldest, older, younger] = [bytes.open('a'), bytes.open('a'), bytes.open('a')];
  take(oldest, 5);
  take(older, 1);
  const stop = new AbortController();
  const large = older.grow(9, stop.signal);
  const small = younger.grow(2, null);
  expect(await isCounted(small)).toBe(false);
  stop.abort(new Error('gone'));
  await expect(large).rejects.toBe(stop.signal.reason);
  await expect(older.grow(9, stop.signal)).rejects.toBe(stop.signal.reason);
  expect(await isCounted(small)).toBe(true);
  expect([bytes.held, bytes.waiting]).toEqual([8, 0]);
});

test('a lease that is closed while it waits is let go, and counts nothing any more', async () => {
  const bytes = budget();
  const [oldest, younger] = [bytes.open('a'), bytes.open('a')];
  take(oldest, 10);
  const growth = younger.grow(5, null);
  younger.close();
  expect(await isCounted(growth)).toBe(true);
  expect(younger.grow(5, null)).toBeNull();
  expect([bytes.held, bytes.waiting]).toEqual([10, 0]);
});

test('organizations that wait for the capacity take turns', async () => {
  const bytes = new ByteBudget({ capacity: 12, perOrganization: 12 });
  const holder = bytes.open('holder');
  take(holder, 12);
  const order: string[] = [];
  for (const organizationId of ['a', 'b', 'c']) {
    take(bytes.open(organizationId), 2);
    const lease = bytes.open(organizationId);
    for (let piece = 0; piece < 2; piece += 1)
      void lease.grow(1, null)?.then(() => order.push(organizationId));
  }
  expect(bytes.waiting).toBe(6);
  holder.close();
  await setImmediate();
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

interface Reader {
  readonly organizationId: string;
  readonly lease: ByteLease;
  counted: number;
  /** When it began to grow. */
  began: number | null;
  waits: number;
}

test('whatever comes in: above the limits is at most the oldest of each organization, and every growth ends', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        capacity: fc.integer({ min: 1, max: 40 }),
        perOrganization: fc.integer({ min: 1, max: 20 }),
      }),
      fc.array(
        fc.record({
          reader: fc.nat(9),
          bytes: fc.integer({ min: 1, max: 15 }),
          closes: fc.boolean(),
        }),
        { maxLength: 60 },
      ),
      async (limits, steps) => {
        const bytes = new ByteBudget(limits);
        const readers = Array.from({ length: 10 }, (_, at): Reader => {
          const organizationId = 'abc'.charAt(at % 3);
          return { organizationId, lease: bytes.open(organizationId), counted: 0, began: null, waits: 0 };
        });
        let clock = 0;
        const open = new Set(readers);
        const oldestOf = (organizationId: string): number =>
          [...open]
            .filter((reader) => reader.organizationId === organizationId && reader.began !== null)
            .toSorted((one, other) => (one.began ?? 0) - (other.began ?? 0))[0]?.counted ?? 0;
        const check = (): void => {
          let allowed = limits.capacity;
          for (const organizationId of ['a', 'b', 'c']) {
            const own = [...open].filter((reader) => reader.organizationId === organizationId);
            expect(bytes.heldBy(organizationId)).toBe(own.reduce((sum, { counted }) => sum + counted, 0));
            expect(bytes.heldBy(organizationId)).toBeLessThanOrEqual(
              limits.perOrganization + oldestOf(organizationId),
            );
            allowed += oldestOf(organizationId);
          }
          expect(bytes.held).toBeLessThanOrEqual(allowed);
        };
        const close = async (reader: Reader): Promise<void> => {
          open.delete(reader);
          reader.lease.close();
          await setImmediate();
        };
        for (const { reader: at, bytes: size, closes } of steps) {
          const reader = readers[at];
          if (reader === undefined || !open.has(reader) || reader.waits > 0) continue;
          if (closes) await close(reader);
          else {
            reader.began ??= clock += 1;
            const growth = reader.lease.grow(size, null);
            reader.waits = 1;
            const counted = (): void => {
              reader.waits = 0;
              reader.counted += size;
            };
            if (growth === null) counted();
            else void growth.then(counted);
            await setImmediate();
          }
          check();
        }
        // Whoever does not wait ends: then everybody does.
        for (let ready = readers; open.size > 0;) {
          ready = [...open].filter(({ waits }) => waits === 0);
          expect(ready).not.toEqual([]);
          for (const reader of ready) await close(reader);
          check();
        }
        expect([bytes.held, bytes.waiting]).toEqual([0, 0]);
      },
    ),
    { numRuns: 150 },
  ));
