/** A client must be warned before its token expires; its socket is closed only where the operator wants it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../../src/features/canvas/room/ports.ts';
import { TokenExpiry } from '../../../src/features/canvas/server/token-expiry.ts';

const sent: string[] = [];
const session: Session = {
  sessionId: 's',
  organizationId: 'o',
  userId: 'u',
  name: 'n',
  role: 'owner',
  mayEdit: () => true,
  send: (event) => void sent.push(event),
  close: (code) => void sent.push(code),
};

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

test('a client gets auth:expiring before its token expires, and the socket stays open', () => {
  const clock = new TokenExpiry(session, Date.now() + 600_000, false);
  vi.advanceTimersByTime(539_000);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(2_000_000);
  expect(sent).toEqual(['auth:expiring']);
  clock.dispose();
});

test('with enforcement the socket is closed 30 s after its token expired (SEC-W09), unless it was refreshed', () => {
  const clock = new TokenExpiry(session, Date.now() + 60_000, true);
  vi.advanceTimersByTime(80_000);
  expect(sent).toEqual(['auth:expiring']);
  clock.setEnd(Date.now() + 60_000);
  vi.advanceTimersByTime(80_000);
  expect(sent).toEqual(['auth:expiring', 'auth:expiring']);
  vi.advanceTimersByTime(11_000);
  expect(sent).toEqual(['auth:expiring', 'auth:expiring', 'TOKEN_EXPIRED']);
  clock.dispose();
});
