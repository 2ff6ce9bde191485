/** Rate limits, flood meter, quotas and penalties must count exactly: checked with a fake clock. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { EventRouter, DURABLE_LIMITS } from '../../../src/features/canvas/server/event-router.ts';
import { FloodMeter } from '../../../src/features/canvas/server/flood.ts';
import { OrderFence } from '../../../src/features/canvas/server/order-fence.ts';
import {
  ConnectionQuota,
  FLOOD_PENALTY_MS,
  MAX_CONNECTIONS_PER_ORGANIZATION,
  MAX_CONNECTIONS_PER_USER,
  HandshakePenalties,
} from '../../../src/features/canvas/server/limits.ts';
import { Relays } from '../../../src/features/canvas/server/relays.ts';
import { reject } from '../../../src/features/canvas/room/rejection.ts';
import { toHistoryPatches } from '../../../src/features/canvas/store/history-patches.ts';
import { TokenBucket } from '../../../src/features/canvas/room/token-bucket.ts';

/** How many of `tries` succeed. */
const taken = (tries: number, take: () => unknown): number =>
  Array.from({ length: tries }, () => Boolean(take())).filter(Boolean).length;

test('a token bucket allows its burst, then its rate', () => {
  let now = 0;
  const bucket = new TokenBucket(40, 120, () => now);
  expect(taken(200, () => bucket.take())).toBe(120);
  expect(bucket.waitMs()).toBe(25);
  now = 1_000;
  expect(taken(200, () => bucket.take())).toBe(40);
  now = 100_000;
  expect(taken(200, () => bucket.take())).toBe(120);
});

describe('the rate of a connection', () => {
  const rejected: unknown[] = [];
  const applied: string[] = [];
  const taken = new Set<string>();
  let isFull = false;
  let dispatch: EventRouter;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    for (const kept of [rejected, applied]) kept.length = 0;
    taken.clear();
    isFull = false;
    dispatch = new EventRouter({
      log: createLog('silent', 'test'),
      session: { send: (event: string) => void rejected.push(event) } as never,
      rooms: {
        isDuplicate: (_: unknown, { opId }: { opId: string }) => taken.has(opId),
        apply(_: unknown, __: string, { opId }: { opId: string }) {
          applied.push(opId);
          if (isFull) return reject({ code: 'RATE_LIMITED', details: { retryAfterMs: 500 } });
          taken.add(opId);
          return { ok: true };
        },
      } as never,
      relays: new Relays({ apiKeySecret: '', otherApiKeySecret: null }),
      refresh: () => Promise.reject(new Error('not expected')),
      onRejected: () => expect.fail('a rate limit must not count as a flood'),
    });
  });
  afterEach(() => {
    dispatch.dispose();
    vi.useRealTimers();
  });

  const send = (opId: string): unknown => {
    let reply: unknown;
    dispatch.handle('node:move', [{ workflowId: 'w', opId }, (answer: unknown) => (reply = answer)]);
    return reply;
  };
  const accepted = { ok: true };
  const limited = { ok: false, code: 'RATE_LIMITED', details: { retryAfterMs: expect.any(Number) } };

  test('operations behind one that its room rate-limited wait for its retry', () => {
    isFull = true;
    expect([send('c:1'), send('c:2')]).toMatchObject([limited, limited]);
    isFull = false;
    vi.advanceTimersByTime(5_000);
    expect([send('c:3'), send('c:1'), send('c:2'), send('c:3')]).toMatchObject([
      limited,
      accepted,
      accepted,
      accepted,
    ]);
    expect(applied).toEqual(['c:1', 'c:1', 'c:2', 'c:3']);
    // The room tells of what it refuses, the dispatch of the rest.
    expect(rejected).toEqual(['operation:rejected', 'operation:rejected']);
  });

  test('is not used by duplicates, which block nothing', () => {
    for (let seq = 1; seq <= DURABLE_LIMITS.opBurst; seq += 1) expect(send(`c:${seq}`)).toEqual(accepted);
    expect([send('c:1'), send('c:121'), send('c:2')]).toMatchObject([accepted, limited, accepted]);
    vi.advanceTimersByTime(5_000);
    expect([send('c:3'), send('c:122'), send('c:121'), send('c:122')]).toMatchObject([
      accepted,
      limited,
      accepted,
      accepted,
    ]);
  });
});

describe('an operation behind a rejected one', () => {
  const op = (seq: number, workflowId = 'w', clientId = 'c'): object => ({
    workflowId,
    opId: `${clientId}:${seq}`,
  });
  let now = 0;
  const fenceAt = (...refusedOps: object[]): OrderFence => {
    now = 0;
    const fence = new OrderFence(() => now);
    for (const one of refusedOps) fence.noteRejected(one);
    return fence;
  };

  test('waits for its retry, however late it arrives', () => {
    const fence = fenceAt(op(7), op(8));
    now = 9_999;
    expect(fence.check(op(8))).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterMs: 500 } });
    expect([fence.check(op(6)), fence.check(op(7))]).toEqual([null, null]);
    fence.noteAnswered(op(6));
    expect(fence.check(op(8))).not.toBeNull();
    fence.noteAnswered(op(7));
    expect(fence.check(op(8))).toBeNull();
  });

  test('waits for the first of several rejected ones', () => {
    const fence = fenceAt(op(8), op(7), op(9));
    expect(fence.check(op(8))).not.toBeNull();
  });

  test('waits at most until the rejected one counts as given up', () => {
    const fence = fenceAt(op(7));
    now = 9_999;
    fence.noteRejected(op(7));
    fence.noteRejected(op(8));
    now = 19_998;
    expect(fence.check(op(8))).not.toBeNull();
    now += 1;
    expect(fence.check(op(8))).toBeNull();
  });

  test('waits only for its own client in the same workflow, until it leaves', () => {
    const fence = fenceAt(op(7));
    expect([fence.check(op(8, 'v')), fence.check(op(8, 'w', 'd')), fence.check({ workflowId: 'w' })]).toEqual(
      [null, null, null],
    );
    fence.forget({ workflowId: 'v' });
    expect(fence.check(op(8))).not.toBeNull();
    fence.forget({ workflowId: 'w' });
    expect(fence.check(op(8))).toBeNull();
  });

  test('waits half a second after a rate-limit rejection, whatever its opId', () => {
    const fence = fenceAt();
    fence.pause();
    now = 499;
    expect(fence.check({})).toMatchObject({ details: { retryAfterMs: 1 } });
    now = 500;
    expect(fence.check({})).toBeNull();
  });
});

describe('the flood meter', () => {
  test('counts packets and bytes within a second', () => {
    let now = 0;
    const meter = new FloodMeter(() => now);
    expect(taken(400, () => meter.countPacket(10))).toBe(300);
    now = 1_000;
    expect(meter.countPacket(10)).toBe(true);
    expect(meter.countPacket(2 * 1_048_576)).toBe(false);
  });

  test('counts rejections within ten seconds', () => {
    let now = 0;
    const meter = new FloodMeter(() => now);
    expect(taken(60, () => meter.countRejection())).toBe(50);
    now = 10_000;
    expect(meter.countRejection()).toBe(true);
  });
});

describe('the connection quota', () => {
  test('counts by user, and releases once', () => {
    const connections = new ConnectionQuota();
    const places = Array.from({ length: MAX_CONNECTIONS_PER_USER }, () => connections.acquire('o', 'u'));
    expect(connections.acquire('o', 'u')).toBeNull();
    expect(connections.acquire('o', 'another')).not.toBeNull();
    places[0]?.();
    places[0]?.();
    expect(connections.acquire('o', 'u')).not.toBeNull();
    expect(connections.acquire('o', 'u')).toBeNull();
  });

  test('counts by organization', () => {
    const connections = new ConnectionQuota();
    const users = (user: number): (() => void) | null => connections.acquire('o', `u${user}`);
    const users500 = Array.from({ length: MAX_CONNECTIONS_PER_ORGANIZATION }, (_, user) => users(user));
    expect(users500).not.toContain(null);
    expect(users(500)).toBeNull();
    expect(connections.acquire('p', 'u0')).not.toBeNull();
  });
});

describe('penalties', () => {
  test('an address with many rejected handshakes waits', () => {
    let now = 0;
    const penalties = new HandshakePenalties(() => now);
    for (let i = 0; i < 19; i += 1) penalties.noteRefused('a');
    expect(penalties.waitForAddress('a')).toBe(0);
    penalties.noteRefused('a');
    expect(penalties.waitForAddress('a')).toBe(10_000);
    expect(penalties.waitForAddress('b')).toBe(0);
    now = 10_000;
    expect(penalties.waitForAddress('a')).toBe(0);
  });

  test('a flooding user waits at that address', () => {
    let now = 0;
    const penalties = new HandshakePenalties(() => now);
    penalties.noteFlood('u', 'a');
    expect([penalties.waitForUser('u', 'a'), penalties.waitForUser('u', 'b')]).toEqual([FLOOD_PENALTY_MS, 0]);
    now = FLOOD_PENALTY_MS;
    expect(penalties.waitForUser('u', 'a')).toBe(0);
  });
});

test('history entries are rooted at the record and contain the touched mirrored columns', () => {
  const mirrors = { name: 'n', tags: ['t'] };
  expect(toHistoryPatches([{ op: 'replace', path: '', value: {} }], mirrors)).toEqual([
    { op: 'replace', path: '/workflow_schema', value: {} },
    { op: 'replace', path: '/name', value: 'n' },
    { op: 'replace', path: '/tags', value: ['t'] },
  ]);
  expect(toHistoryPatches([{ op: 'add', path: '/metadata/tags/0', value: 't' }], mirrors)).toEqual([
    { op: 'add', path: '/workflow_schema/metadata/tags/0', value: 't' },
    { op: 'replace', path: '/tags', value: ['t'] },
  ]);
  expect(toHistoryPatches([{ op: 'remove', path: '/metadata/nameless' }], mirrors)).toHaveLength(1);
});
