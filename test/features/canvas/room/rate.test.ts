/** The rate limit of a room must bound the operations of all its members together. */
import { expect, test } from 'vitest';
import { OneRoom } from './one-room.ts';

const RATE_LIMITED = { ok: false, code: 'RATE_LIMITED', retryable: true, details: { retryAfterMs: 500 } };

test('a room accepts a burst of 6,000 operations and 2,000 a second from all members together', async () => {
  const one = new OneRoom();
  const people = await Promise.all(Array.from({ length: 4 }, () => one.member()));
  let x = 0;
  const accepted = (tries: number): number =>
    Array.from({ length: tries }, (_, index) => {
      const person = people[index % people.length];
      return person !== undefined && one.move(person, (x += 1)).ok;
    }).filter(Boolean).length;
  expect(accepted(8_000)).toBe(6_000);
  await one.clock.advance(1_000);
  expect(accepted(4_000)).toBe(2_000);
});

test('beyond the rate an operation is retryable under its opId, and duplicates are still answered', async () => {
  const one = new OneRoom();
  const ann = await one.member();
  for (let x = 1; x <= 6_000; x += 1) one.move(ann, x, { opId: `x${x}` });
  expect(one.move(ann, 1, { opId: 'late' })).toMatchObject(RATE_LIMITED);
  expect(ann.of('operation:rejected')).toMatchObject([
    { opId: 'late', code: 'RATE_LIMITED', version: 6_000 },
  ]);
  expect(one.move(ann, 6_000, { opId: 'x6000' })).toMatchObject({
    ok: true,
    duplicate: true,
    version: 6_000,
  });
  await one.clock.advance(500);
  expect(one.move(ann, 1, { opId: 'late' })).toMatchObject({ ok: true, version: 6_001 });
});

test('operations rejected for another reason do not use the rate', async () => {
  const one = new OneRoom();
  const [ann, bob] = [await one.member(), await one.member()];
  bob.isAllowed = false;
  for (let x = 1; x <= 7_000; x += 1) one.move(bob, x);
  expect(one.move(ann, 1)).toMatchObject({ ok: true, version: 1 });
});

/** A document whose largest node takes a million steps to change. */
const DEAR = {
  nodes: [
    {
      id: 'a',
      type: 'tool',
      config: { wide: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])) },
    },
  ],
  edges: [],
};
const part = (at: number): object => ({ type: 'node:update', nodeId: 'a', set: { '/config/wide/x': at } });

test('SEC-H08: the work of operations is limited for an organization, rejected ones included', async () => {
  const one = new OneRoom(DEAR);
  const [ann, bob] = [await one.member(), await one.member()];
  const ops = Array.from({ length: 1_000 }, (_, at) => part(at));
  const answer = (): unknown => one.op(ann, 'batch', { reason: 'other', ops }).code;
  // A rejected one costs the whole burst; what it lacks then comes in within two seconds.
  expect(answer()).toBe('PAYLOAD_TOO_LARGE');
  expect(one.move(bob, 1)).toMatchObject(RATE_LIMITED);
  await one.clock.advance(1);
  expect(answer()).toBe('PAYLOAD_TOO_LARGE');
  await one.clock.advance(1_900);
  expect(one.move(bob, 1)).toMatchObject(RATE_LIMITED);
  await one.clock.advance(100);
  expect(one.move(bob, 1)).toMatchObject({ ok: true });
});

test('SEC-H08: accepted operations that take much work are fewer than those that take little', async () => {
  const one = new OneRoom(DEAR);
  const ann = await one.member();
  const accepted = (tries: number): number =>
    Array.from({ length: tries }, (_, at) =>
      one.op(ann, 'node:update', { nodeId: 'a', set: { '/config/wide/x': at } }),
    ).filter(({ ok }) => ok).length;
  const burst = accepted(200);
  expect(burst).toBeGreaterThan(10);
  expect(burst).toBeLessThan(30);
  await one.clock.advance(1_000);
  expect(accepted(200)).toBeLessThan(burst);
});
