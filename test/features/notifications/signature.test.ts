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
  test('is attempted a dozen times within 24 hours, at growing distances, and then no more', () => {
    const times = [0];
    for (;;) {
      const nowMs = times.at(-1) ?? 0;
      const due = computeRetryTime({ attempts: times.length, createdMs: 0, nowMs, retryAfterSeconds: null });
      if (due === null) break;
      times.push(due);
    }
    const delays = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(times).toHaveLength(13);
    expect(times.at(-1)).toBeLessThanOrEqual(24 * 3_600_000);
    expect(times.at(-1)).toBeGreaterThan(20 * 3_600_000);
  });

  test('waits as long as the endpoint asks, up to an hour', () => {
    const wait = (retryAfterSeconds: number): number | null =>
      computeRetryTime({ attempts: 1, createdMs: 0, nowMs: 0, retryAfterSeconds });
    expect([wait(1), wait(60), wait(999_999)]).toEqual([5_000, 60_000, 3_600_000]);
  });
});
