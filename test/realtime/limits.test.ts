/** Limits as arithmetic: buckets, meters, places and penalties, under a clock of the test's own. */
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { Dispatch } from '../../src/realtime/dispatch.ts';
import { FloodMeter } from '../../src/realtime/flood.ts';
import {
  Connections,
  FLOOD_PENALTY_MS,
  MAX_CONNECTIONS_PER_ORGANIZATION,
  MAX_CONNECTIONS_PER_USER,
  Penalties,
} from '../../src/realtime/limits.ts';
import { refused } from '../../src/realtime/room/rejection.ts';
import { historyPatches } from '../../src/realtime/store/history-patches.ts';
import { TokenBucket } from '../../src/realtime/room/token-bucket.ts';

/** How many of `tries` succeed. */
const taken = (tries: number, take: () => unknown): number =>
  Array.from({ length: tries }, () => Boolean(take())).filter(Boolean).length;

test('a bucket gives its burst, then its rate', () => {
  let now = 0;
  const bucket = new TokenBucket(40, 120, () => now);
  expect(taken(200, () => bucket.take())).toBe(120);
  expect(bucket.waitMs()).toBe(25);
  now = 1_000;
  expect(taken(200, () => bucket.take())).toBe(40);
  now = 100_000;
  expect(taken(200, () => bucket.take())).toBe(120);
});

test('behind an operation that its room refused for the rate, the next are refused without asking the room', () => {
  const asked: unknown[] = [];
  const rejected: unknown[] = [];
  const dispatch = new Dispatch({
    log: createLog('silent', 'test'),
    session: { send: (event: string) => void rejected.push(event) } as never,
    doors: {
      apply(_: unknown, __: string, payload: unknown) {
        asked.push(payload);
        return refused({ code: 'RATE_LIMITED', details: { retryAfterMs: 500 } });
      },
    } as never,
    refresh: () => Promise.reject(new Error('not asked for')),
    onRejected: () => expect.fail('a rate is no fault'),
  });
  const replies: unknown[] = [];
  for (const opId of ['first', 'second']) {
    dispatch.take('node:move', [{ opId }, (reply: unknown) => void replies.push(reply)]);
  }
  dispatch.dispose();
  expect(asked).toEqual([{ opId: 'first' }]);
  expect(rejected).toEqual(['operation:rejected']);
  const limited = { ok: false, code: 'RATE_LIMITED', details: { retryAfterMs: expect.any(Number) } };
  expect(replies).toMatchObject([limited, limited]);
});

describe('the flood meter', () => {
  test('counts packets and bytes within a second', () => {
    let now = 0;
    const meter = new FloodMeter(() => now);
    expect(taken(400, () => meter.packet(10))).toBe(300);
    now = 1_000;
    expect(meter.packet(10)).toBe(true);
    expect(meter.packet(2 * 1_048_576)).toBe(false);
  });

  test('counts refusals within ten seconds', () => {
    let now = 0;
    const meter = new FloodMeter(() => now);
    expect(taken(60, () => meter.rejection())).toBe(50);
    now = 10_000;
    expect(meter.rejection()).toBe(true);
  });
});

describe('places for connections', () => {
  test('are counted by user, and given back once', () => {
    const connections = new Connections();
    const places = Array.from({ length: MAX_CONNECTIONS_PER_USER }, () => connections.take('o', 'u'));
    expect(connections.take('o', 'u')).toBeNull();
    expect(connections.take('o', 'another')).not.toBeNull();
    places[0]?.();
    places[0]?.();
    expect(connections.take('o', 'u')).not.toBeNull();
    expect(connections.take('o', 'u')).toBeNull();
  });

  test('are counted by organization', () => {
    const connections = new Connections();
    const users = (user: number): (() => void) | null => connections.take('o', `u${user}`);
    const users500 = Array.from({ length: MAX_CONNECTIONS_PER_ORGANIZATION }, (_, user) => users(user));
    expect(users500).not.toContain(null);
    expect(users(500)).toBeNull();
    expect(connections.take('p', 'u0')).not.toBeNull();
  });
});

describe('penalties', () => {
  test('an address whose handshakes are refused again and again waits', () => {
    let now = 0;
    const penalties = new Penalties(() => now);
    for (let i = 0; i < 19; i += 1) penalties.noteRefused('a');
    expect(penalties.waitOfAddress('a')).toBe(0);
    penalties.noteRefused('a');
    expect(penalties.waitOfAddress('a')).toBe(10_000);
    expect(penalties.waitOfAddress('b')).toBe(0);
    now = 10_000;
    expect(penalties.waitOfAddress('a')).toBe(0);
  });

  test('who flooded waits, from that address', () => {
    let now = 0;
    const penalties = new Penalties(() => now);
    penalties.noteFlood('u', 'a');
    expect([penalties.waitOfUser('u', 'a'), penalties.waitOfUser('u', 'b')]).toEqual([FLOOD_PENALTY_MS, 0]);
    now = FLOOD_PENALTY_MS;
    expect(penalties.waitOfUser('u', 'a')).toBe(0);
  });
});

test('history entries are rooted at the record, with the columns that mirror what was touched', () => {
  const mirrors = { name: 'n', tags: ['t'] };
  expect(historyPatches([{ op: 'replace', path: '', value: {} }], mirrors)).toEqual([
    { op: 'replace', path: '/workflow_schema', value: {} },
    { op: 'replace', path: '/name', value: 'n' },
    { op: 'replace', path: '/tags', value: ['t'] },
  ]);
  expect(historyPatches([{ op: 'add', path: '/metadata/tags/0', value: 't' }], mirrors)).toEqual([
    { op: 'add', path: '/workflow_schema/metadata/tags/0', value: 't' },
    { op: 'replace', path: '/tags', value: ['t'] },
  ]);
  expect(historyPatches([{ op: 'remove', path: '/metadata/nameless' }], mirrors)).toHaveLength(1);
});
