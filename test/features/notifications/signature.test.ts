/** If this fails, receivers that verify notifications turn all of them away, or take forged ones. */
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { computeRetryTime } from '../../../src/features/notifications/retry-schedule.ts';
import { createSecret, signMessage } from '../../../src/features/notifications/signature.ts';

const BODY = '{"type":"run.failed","data":{"name":"Zoë"}}';
const [secret, next, foreign] = [createSecret(), createSecret(), createSecret()];
/** The library compares with the real clock. */
const signed = (secrets: readonly string[]): Record<string, string> => ({
  ...signMessage(secrets, { id: 'e1', nowMs: Date.now(), body: BODY }),
});
const verify = (key: string, body: string, headers: Record<string, string>): unknown =>
  new Webhook(key).verify(body, headers);

describe('a signed message', () => {
  test('verifies with the library of Standard Webhooks', () => {
    expect(verify(secret, BODY, signed([secret]))).toEqual(JSON.parse(BODY));
  });

  test('verifies with either secret during a rotation', () => {
    const headers = signed([next, secret]);
    expect(verify(secret, BODY, headers)).toEqual(JSON.parse(BODY));
    expect(verify(next, BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test.each([
    ['another body', BODY.replace('failed', 'waited'), {}, secret],
    ['another id', BODY, { 'webhook-id': 'e2' }, secret],
    ['another time', BODY, { 'webhook-timestamp': '1' }, secret],
    ['a foreign secret', BODY, {}, foreign],
  ])('does not verify with %s', (_, body, changed, key) => {
    expect(() => verify(key, body, { ...signed([secret]), ...changed })).toThrow(WebhookVerificationError);
  });
});

describe('a delivery that fails', () => {
  test('is attempted some 15 times within 24 hours, at growing distances, and then no more', () => {
    const times = [0];
    for (;;) {
      const nowMs = times.at(-1) ?? 0;
      const failed = { id: 'd', attempts: times.length, createdMs: 0, nowMs, retryAfterSeconds: null };
      const due = computeRetryTime(failed);
      if (due === null) break;
      times.push(due);
    }
    const longest = [5, 30, 120, 600, 1_800, 3_600, 7_200, ...Array<number>(12).fill(14_400)];
    for (const [at, time] of times.slice(1).entries()) {
      const delay = (time - (times[at] ?? 0)) / 1_000;
      expect(delay).toBeGreaterThanOrEqual((longest[at] ?? 0) / 2);
      expect(delay).toBeLessThanOrEqual(longest[at] ?? 0);
    }
    expect(times.length).toBeGreaterThan(12);
    expect(times.at(-1)).toBeLessThanOrEqual(24 * 3_600_000);
    expect(times.at(-1)).toBeGreaterThan(20 * 3_600_000);
  });

  test('waits at least as long as the endpoint asks, up to an hour', () => {
    const wait = (retryAfterSeconds: number): number =>
      computeRetryTime({ id: 'd', attempts: 1, createdMs: 0, nowMs: 0, retryAfterSeconds }) ?? 0;
    // The spread of the first attempt is 2.5 s.
    for (const [asked, least] of [
      [1, 2_500],
      [60, 60_000],
      [999_999, 3_600_000],
    ] as const) {
      expect(wait(asked)).toBeGreaterThanOrEqual(least);
      expect(wait(asked)).toBeLessThanOrEqual(least + 2_500);
    }
  });

  test('comes back apart from others that failed in the same moment', () => {
    const failed = { attempts: 2, createdMs: 0, nowMs: 0, retryAfterSeconds: null };
    const due = Array.from({ length: 100 }, (_, at) => computeRetryTime({ id: `d${at}`, ...failed }));
    expect(new Set(due).size).toBeGreaterThan(90);
  });
});
