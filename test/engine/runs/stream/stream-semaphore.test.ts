/** SEC-S02. If this fails, one organization, user or sender keeps the streams and waits of a process from the others. */
import { expect, test } from 'vitest';
import type { Scope } from '../../../../src/platform/access/caller.ts';
import {
  MAX_PER_ORGANIZATION,
  MAX_PER_PROCESS,
  MAX_PER_USER,
  MAX_WEBHOOK_WAITS,
  StreamSemaphore,
} from '../../../../src/engine/runs/stream/stream-semaphore.ts';

const scopeOf = (organizationId: string, userId: string): Scope =>
  ({ organizationId, caller: { userId } }) as Scope;

type Release = () => void;

/** Takes places until there is none. */
function fill(acquire: (index: number) => Release | null): Release[] {
  const taken: Release[] = [];
  for (let index = 0; index <= MAX_PER_PROCESS; index += 1) {
    const release = acquire(index);
    if (release === null) break;
    taken.push(release);
  }
  return taken;
}

/** Opens a stream; null where the semaphore refuses it. */
function open(semaphore: StreamSemaphore, organizationId: string, userId: string): Release | null {
  try {
    return semaphore.acquire(scopeOf(organizationId, userId));
  } catch {
    return null;
  }
}

test('webhooks of an organization wait 40 at a time, and leave ten places to its people', () => {
  const semaphore = new StreamSemaphore();
  const waits = fill(() => semaphore.acquireForWebhook('a'));
  expect([waits.length, MAX_WEBHOOK_WAITS]).toEqual([40, 40]);
  expect(fill(() => open(semaphore, 'a', 'ada'))).toHaveLength(10);
  expect(fill(() => semaphore.acquireForWebhook('b'))).toHaveLength(40);
  waits[0]?.();
  expect(fill(() => semaphore.acquireForWebhook('a'))).toHaveLength(1);
});

test('a webhook finds no place where people have all those of the organization, until one leaves', () => {
  const semaphore = new StreamSemaphore();
  const streams = fill((index) => open(semaphore, 'a', `user ${Math.floor(index / MAX_PER_USER)}`));
  expect(streams).toHaveLength(MAX_PER_ORGANIZATION);
  expect(semaphore.acquireForWebhook('a')).toBeNull();
  streams[0]?.();
  expect(semaphore.acquireForWebhook('a')).not.toBeNull();
});

test('webhooks and streams share the places of the process', () => {
  const semaphore = new StreamSemaphore();
  const half = MAX_PER_PROCESS / 2;
  for (let index = 0; index < half; index += 1)
    expect(semaphore.acquireForWebhook(`organization ${index}`)).not.toBeNull();
  for (let index = 0; index < half - 1; index += 1)
    expect(open(semaphore, `organization ${index}`, `user ${index}`)).not.toBeNull();
  const last = semaphore.acquireForWebhook('another');
  expect(last).not.toBeNull();
  expect([semaphore.acquireForWebhook('one more'), open(semaphore, 'one more', 'ada')]).toEqual([null, null]);
  expect(semaphore.open).toBe(MAX_PER_PROCESS);
  last?.();
  last?.();
  expect(semaphore.open).toBe(MAX_PER_PROCESS - 1);
});
