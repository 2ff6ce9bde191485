/** Calls of the page that wait before they are sent again: the frame tells why nothing new is shown, and for how long. */
import type { Wait } from '../../client/client.ts';
import { systemClock } from '../../../base/clock.ts';

/** A shorter wait is over before somebody has read of it. */
const SHORTEST_MS = 2_000;
const LIMITS: Readonly<Record<string, 'requests' | 'runs'>> = {
  rate_limited: 'requests',
  rate_limit_exceeded: 'runs',
};

export interface ShownWait {
  /** The limit that the organization has reached; `service`: the service is away. */
  readonly reason: 'requests' | 'runs' | 'service';
  /** On the monotonic clock. */
  readonly untilMs: number;
}

let shown: ShownWait | null = null;
const listeners = new Set<() => void>();

/** Takes a wait of a client; of several waits the longest is shown. */
export function noteWait({ error, waitMs }: Wait): void {
  const untilMs = systemClock.monotonic() + waitMs;
  if (waitMs < SHORTEST_MS || untilMs <= (shown?.untilMs ?? 0)) return;
  shown = { reason: LIMITS[error.code ?? ''] ?? 'service', untilMs };
  for (const listener of listeners) listener();
}

export const readWait = (): ShownWait | null => shown;
export const subscribeToWaits = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
