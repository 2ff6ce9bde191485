/** One receiver that hangs would hold up all others, or more attempts would be in flight than there are slots. */
import { afterEach, expect, test, vi } from 'vitest';
import { ClaimLoop } from '../../../src/base/db/claim-loop.ts';

interface Attempt {
  readonly item: string;
  resolve(): void;
  reject(error: Error): void;
}

/** A loop with two slots over a queue of items; attempts end when the test ends them. */
function buildLoop(...queue: string[]) {
  const attempts: Attempt[] = [];
  const claims: { readonly inFlight: readonly string[]; readonly limit: number }[] = [];
  const [onClaimError, onAttemptError] = [vi.fn(), vi.fn()];
  const loop = new ClaimLoop<string>({
    everyMs: 3_600_000,
    slots: 2,
    claim: async (inFlight, limit) => {
      claims.push({ inFlight, limit });
      return queue.splice(0, limit);
    },
    attempt: (item) => new Promise((resolve, reject) => void attempts.push({ item, resolve, reject })),
    onClaimError,
    onAttemptError,
  });
  const begun = () => attempts.map(({ item }) => item);
  const end = (item: string) => attempts.find((attempt) => attempt.item === item);
  return { loop, claims, begun, end, onAttemptError };
}

const started: ClaimLoop<string>[] = [];
afterEach(() => Promise.all(started.splice(0).map((loop) => loop.stop())));

test('an attempt that hangs holds its slot alone: the other one goes on with the next item', async () => {
  const { loop, claims, begun, end } = buildLoop('hanging', 'second', 'third');
  started.push(loop);
  loop.start();
  await expect.poll(begun).toEqual(['hanging', 'second']);
  end('second')?.resolve();
  await expect.poll(begun).toEqual(['hanging', 'second', 'third']);
  expect(claims).toEqual([
    { inFlight: [], limit: 2 },
    { inFlight: ['hanging'], limit: 1 },
  ]);
  end('third')?.resolve();
  end('hanging')?.resolve();
});

test('nothing is claimed while all slots are taken', async () => {
  const { loop, claims, begun, end } = buildLoop('first', 'second', 'third');
  const done = loop.runDue();
  await expect.poll(begun).toEqual(['first', 'second']);
  expect(await loop.runDue()).toBe(0);
  expect(claims).toHaveLength(1);
  end('first')?.resolve();
  end('second')?.resolve();
  expect(await done).toBe(2);
});

test('an attempt that fails frees its slot, and is told', async () => {
  const { loop, begun, end, onAttemptError } = buildLoop('first', 'second', 'third');
  started.push(loop);
  loop.start();
  await expect.poll(begun).toHaveLength(2);
  end('first')?.reject(new Error('lost'));
  await expect.poll(begun).toEqual(['first', 'second', 'third']);
  expect(onAttemptError.mock.calls).toEqual([[new Error('lost'), 'first']]);
  end('second')?.resolve();
  end('third')?.resolve();
});

test('stop waits for the attempts in flight, and claims no more', async () => {
  const { loop, begun, end } = buildLoop('first', 'second', 'third');
  loop.start();
  await expect.poll(begun).toHaveLength(2);
  const stopped = vi.fn();
  const stop = loop.stop().then(stopped);
  end('first')?.resolve();
  await new Promise(setImmediate);
  expect(stopped).not.toHaveBeenCalled();
  end('second')?.resolve();
  await stop;
  expect(begun()).toEqual(['first', 'second']);
});
