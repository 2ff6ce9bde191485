/** One organization would take all places of a shared resource. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairSemaphore, type Release, type ShareLimits } from '../../../src/base/shares/fair-semaphore.ts';

interface Asker {
  readonly organizationId: string;
  readonly weight: number;
  readonly abort: AbortController;
  release: Release | null;
  hasLeft: boolean;
}

/** Everybody who asks a semaphore, and the order in which they were admitted. */
class Crowd {
  readonly semaphore: FairSemaphore;
  readonly askers: Asker[] = [];
  readonly admitted: Asker[] = [];

  constructor(limits: ShareLimits) {
    this.semaphore = new FairSemaphore(limits);
  }

  async ask(organizationId: string, weight = 1): Promise<Asker> {
    const abort = new AbortController();
    const asker: Asker = { organizationId, weight, abort, release: null, hasLeft: false };
    this.askers.push(asker);
    this.semaphore.acquire(organizationId, { weight, signal: abort.signal }).then(
      (release) => {
        asker.release = release;
        this.admitted.push(asker);
      },
      () => (asker.hasLeft = true),
    );
    await setImmediate();
    return asker;
  }

  async release(asker: Asker | undefined): Promise<void> {
    asker?.release?.();
    await setImmediate();
  }

  async abort(asker: Asker | undefined): Promise<void> {
    asker?.abort.abort();
    await setImmediate();
  }

  get order(): string {
    return this.admitted.map(({ organizationId }) => organizationId).join('');
  }
}

test('as many as the capacity has room for are admitted, and the next when one is released', async () => {
  const crowd = new Crowd({ capacity: 2, perOrganization: 2 });
  const [first] = [await crowd.ask('a'), await crowd.ask('b'), await crowd.ask('c')];
  expect(crowd.order).toBe('ab');
  await crowd.release(first);
  expect(crowd.order).toBe('abc');
  expect(crowd.semaphore.held).toBe(2);
});

test('an organization at its bound waits, and others go past it', async () => {
  const crowd = new Crowd({ capacity: 3, perOrganization: 2 });
  const first = await crowd.ask('a');
  for (const organizationId of ['a', 'a', 'b']) await crowd.ask(organizationId);
  expect(crowd.order).toBe('aab');
  expect(crowd.semaphore.countWaiting('a')).toBe(1);
  await crowd.release(first);
  expect(crowd.order).toBe('aaba');
});

test('whoever was never admitted comes before those that were', async () => {
  const crowd = new Crowd({ capacity: 1, perOrganization: 1 });
  for (const organizationId of ['a', 'a', 'a', 'a', 'b', 'b']) await crowd.ask(organizationId);
  for (let at = 0; at < 6; at += 1) await crowd.release(crowd.admitted[at]);
  expect(crowd.order).toBe('ababaa');
});

test('one that asks again with each release has no turn before those that wait', async () => {
  const crowd = new Crowd({ capacity: 1, perOrganization: 1 });
  for (const organizationId of ['a', 'b', 'a']) await crowd.ask(organizationId);
  await crowd.release(crowd.admitted[0]);
  expect(crowd.order).toBe('ab');
  // It has nothing in the semaphore any more when it comes back.
  await crowd.ask('c');
  await crowd.release(crowd.admitted[1]);
  await crowd.ask('b');
  await crowd.release(crowd.admitted[2]);
  await crowd.ask('c');
  await crowd.release(crowd.admitted[3]);
  expect(crowd.order).toBe('abcab');
});

test('a release that is repeated gives nothing back', async () => {
  const crowd = new Crowd({ capacity: 1, perOrganization: 1 });
  const first = await crowd.ask('a');
  for (const organizationId of ['b', 'c']) await crowd.ask(organizationId);
  await crowd.release(first);
  await crowd.release(first);
  expect(crowd.order).toBe('ab');
});

test('an aborted waiter leaves with the reason of its signal, and nobody waits for it', async () => {
  const crowd = new Crowd({ capacity: 1, perOrganization: 1 });
  const holder = await crowd.ask('a');
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(crowd.semaphore.acquire('b', { signal })).rejects.toBe(signal.reason);
  const leaver = await crowd.ask('b');
  await crowd.ask('b');
  await crowd.abort(leaver);
  expect(leaver.hasLeft).toBe(true);
  await crowd.release(holder);
  expect(crowd.order).toBe('ab');
  expect(crowd.admitted[1]).toBe(crowd.askers[2]);
});

test('an aborted waiter that was too heavy makes way for those behind it', async () => {
  const crowd = new Crowd({ capacity: 2, perOrganization: 2 });
  await crowd.ask('a');
  const heavy = await crowd.ask('b', 2);
  await crowd.ask('c');
  expect(crowd.order).toBe('a');
  await crowd.abort(heavy);
  expect(crowd.order).toBe('ac');
});

test('an abort after the admission changes nothing', async () => {
  const crowd = new Crowd({ capacity: 1, perOrganization: 1 });
  const holder = await crowd.ask('a');
  await crowd.abort(holder);
  expect(crowd.semaphore.held).toBe(1);
  await crowd.release(holder);
  expect(crowd.semaphore.held).toBe(0);
});

test('a heavy waiter has its turn, however many light ones come after it', async () => {
  const crowd = new Crowd({ capacity: 4, perOrganization: 4 });
  const light = [await crowd.ask('a'), await crowd.ask('b')];
  const heavy = await crowd.ask('c', 4);
  for (let more = 0; more < 10; more += 1) light.push(await crowd.ask(more % 2 === 0 ? 'a' : 'b'));
  expect(crowd.order).toBe('ab');
  for (const one of light.slice(0, 2)) await crowd.release(one);
  expect(crowd.order).toBe('abc');
  await crowd.release(heavy);
  expect(crowd.order).toHaveLength(7);
});

test.each([
  ['a weight of exactly the capacity waits for room', 4, { capacity: 4, perOrganization: 4 }],
  [
    'a weight above the capacity is admitted when nobody holds anything',
    5,
    { capacity: 4, perOrganization: 4 },
  ],
])('%s', async (_name, weight, limits) => {
  const crowd = new Crowd(limits);
  const other = await crowd.ask('a');
  const heavy = await crowd.ask('b', weight);
  await crowd.ask('a');
  expect(crowd.order).toBe('a');
  await crowd.release(other);
  expect(crowd.order).toBe('ab');
  expect(crowd.semaphore.held).toBe(weight);
  await crowd.release(heavy);
  expect(crowd.order).toBe('aba');
});

test('a weight above the bound of an organization is admitted when that holds nothing else', async () => {
  const crowd = new Crowd({ capacity: 10, perOrganization: 2 });
  const small = await crowd.ask('a');
  await crowd.ask('a', 3);
  expect(crowd.order).toBe('a');
  await crowd.release(small);
  expect(crowd.order).toBe('aa');
  await crowd.ask('a');
  expect(crowd.semaphore.heldBy('a')).toBe(3);
});

test.each([0, -1, NaN])('a limit or a weight of %s is refused', async (value) => {
  expect(() => new FairSemaphore({ capacity: value, perOrganization: 1 })).toThrow(RangeError);
  expect(() => new FairSemaphore({ capacity: 1, perOrganization: value })).toThrow(RangeError);
  const semaphore = new FairSemaphore({ capacity: 1, perOrganization: 1 });
  await expect(semaphore.acquire('a', { weight: value })).rejects.toThrow(RangeError);
});

test('of k organizations that wait, each has every k-th slot', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 3, max: 6 }), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      async (counts, capacity) => {
        const crowd = new Crowd({ capacity, perOrganization: capacity });
        const blockers = await Promise.all(Array.from({ length: capacity }, () => crowd.ask('blocker')));
        // Whoever floods comes first, with everything.
        for (const [organization, count] of counts.entries())
          for (let one = 0; one < count; one += 1) await crowd.ask(String(organization));
        for (const blocker of blockers) await crowd.release(blocker);
        for (let at = capacity; at < crowd.admitted.length; at += 1) await crowd.release(crowd.admitted[at]);
        const order = crowd.admitted.slice(capacity).map(({ organizationId }) => organizationId);
        const rounds = Math.min(...counts);
        for (let round = 0; round < rounds; round += 1) {
          const turns = order.slice(round * counts.length, (round + 1) * counts.length);
          expect(new Set(turns).size).toBe(counts.length);
        }
        expect(order).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
      },
    ),
    { numRuns: 60 },
  ));

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      organization: fc.constantFrom('a', 'b', 'c'),
      weight: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ release: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ abort: fc.nat() }) },
);

/** Holds after each step. */
function check({ semaphore, askers, admitted }: Crowd, { capacity, perOrganization }: ShareLimits): void {
  const held = askers.filter(({ release }) => release !== null);
  const sum = (of: readonly Asker[]): number => of.reduce((total, { weight }) => total + weight, 0);
  expect(semaphore.held).toBe(sum(held));
  expect(semaphore.held <= capacity || held.length === 1).toBe(true);
  for (const organizationId of ['a', 'b', 'c']) {
    const own = held.filter((one) => one.organizationId === organizationId);
    expect(semaphore.heldBy(organizationId)).toBe(sum(own));
    expect(sum(own) <= perOrganization || own.length === 1).toBe(true);
    const inOrder = admitted.filter((one) => one.organizationId === organizationId);
    const asked = askers.filter((one) => inOrder.includes(one));
    expect(inOrder).toEqual(asked);
  }
}

test('while somebody waits, no other organization is admitted twice', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(
        fc.record({ asks: fc.boolean(), organization: fc.constantFrom('a', 'b', 'c', 'd'), at: fc.nat() }),
        { maxLength: 60 },
      ),
      async (capacity, steps) => {
        const crowd = new Crowd({ capacity, perOrganization: capacity });
        /** Admissions since it waits, by waiter that is the first of its organization. */
        const since = new Map<Asker, string[]>();
        for (const { asks, organization, at } of steps) {
          const before = crowd.admitted.length;
          const holding = crowd.admitted.filter(({ release }) => release !== null);
          if (asks) await crowd.ask(organization);
          else {
            const one = holding[at % Math.max(1, holding.length)];
            await crowd.release(one);
            if (one !== undefined) one.release = null;
          }
          const admitted = crowd.admitted.slice(before).map(({ organizationId }) => organizationId);
          for (const others of since.values()) others.push(...admitted);
          for (const others of since.values()) expect(new Set(others).size).toBe(others.length);
          for (const one of crowd.admitted) since.delete(one);
          for (const organizationId of ['a', 'b', 'c', 'd']) {
            const own = crowd.askers.filter((asker) => asker.organizationId === organizationId);
            const first = own.find((asker) => !crowd.admitted.includes(asker));
            if (first !== undefined && !since.has(first)) since.set(first, []);
          }
        }
      },
    ),
    { numRuns: 200 },
  ));

test('whatever happens: never above a limit, in order within an organization, and every waiter ends', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        capacity: fc.integer({ min: 1, max: 10 }),
        perOrganization: fc.integer({ min: 1, max: 10 }),
      }),
      fc.array(command, { maxLength: 40 }),
      async (limits, commands) => {
        const crowd = new Crowd(limits);
        const released = new Set<Asker>();
        const give = async (asker: Asker | undefined): Promise<void> => {
          if (asker === undefined) return;
          released.add(asker);
          await crowd.release(asker);
          asker.release = null;
        };
        for (const one of commands) {
          const holding = crowd.admitted.filter((asker) => !released.has(asker));
          const waiting = crowd.askers.filter((asker) => !crowd.admitted.includes(asker) && !asker.hasLeft);
          if ('organization' in one) await crowd.ask(one.organization, one.weight);
          else if ('release' in one) await give(holding[one.release % Math.max(1, holding.length)]);
          else await crowd.abort(waiting[one.abort % Math.max(1, waiting.length)]);
          check(crowd, limits);
        }
        for (let at = 0; at < crowd.admitted.length; at += 1) {
          const asker = crowd.admitted[at];
          if (asker !== undefined && !released.has(asker)) await give(asker);
          check(crowd, limits);
        }
        expect(crowd.askers.every((asker) => released.has(asker) || asker.hasLeft)).toBe(true);
        expect(crowd.semaphore.held).toBe(0);
      },
    ),
    { numRuns: 150 },
  ));
