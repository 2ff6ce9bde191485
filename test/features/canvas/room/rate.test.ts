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
}, 60_000);

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
}, 60_000);

test('operations rejected for another reason do not use the rate', async () => {
  const one = new OneRoom();
  const [ann, bob] = [await one.member(), await one.member()];
  bob.isAllowed = false;
  for (let x = 1; x <= 7_000; x += 1) one.move(bob, x);
  expect(one.move(ann, 1)).toMatchObject({ ok: true, version: 1 });
}, 60_000);
