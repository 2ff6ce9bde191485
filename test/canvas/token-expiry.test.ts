/** What the end of a token does to its socket. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../src/canvas/room/ports.ts';
import { TokenExpiry } from '../../src/canvas/server/token-expiry.ts';

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

test('a client is told before its token ends, and the socket goes on', () => {
  const clock = new TokenExpiry(session, Date.now() + 600_000, false);
  vi.advanceTimersByTime(539_000);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(2_000_000);
  expect(sent).toEqual(['auth:expiring']);
  clock.dispose();
});

test('where tokens are enforced the socket ends half a minute after its token (SEC-W09), unless there is a later one', () => {
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
