/** A refused handshake: if this fails, the page waits for ever for a server that has refused it, or gives up one that is busy. */
import { expect, test } from 'vitest';
import { readConnectRefusal } from '../../../../src/surfaces/web/canvas/connect-refusal.ts';

const refuse = (data: object): Error => Object.assign(new Error('refused'), { data });

test.each([
  [{ code: 'ROLE_FORBIDDEN', retryable: false }, null],
  [{ code: 'SERVER_DRAINING', retryable: true }, 2_000],
  [{ code: 'TOO_MANY_CONNECTIONS', retryable: true, retryAfterMs: 100 }, 2_000],
  [{ code: 'TOO_MANY_CONNECTIONS', retryable: true, retryAfterMs: 30_000 }, 30_000],
  // The next handshake brings a renewed token.
  [{ code: 'TOKEN_EXPIRED', retryable: false }, 2_000],
] as const)('%j is tried again after %s ms', (data, retryAfterMs) => {
  expect(readConnectRefusal(refuse(data))).toEqual({ code: data.code, retryAfterMs });
});

test('an error of the network is no refusal', () => {
  expect(readConnectRefusal(new Error('xhr poll error'))).toBeNull();
});
