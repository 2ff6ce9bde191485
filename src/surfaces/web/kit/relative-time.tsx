/** A moment as the time since it; the exact one is shown on hover. */
import { useEffect, useState } from 'react';
import { systemClock } from '../../../base/clock.ts';
import { formatRelative } from './format-relative.ts';
import { moment } from './moment.ts';

const TICK_MS = 1_000;

/** Returns the current time, updated each second. */
export function useNow(): number {
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function RelativeTime({ at, nowMs }: { readonly at: string; readonly nowMs: number }) {
  return (
    <time dateTime={at} title={moment(at)}>
      {formatRelative(at, nowMs)}
    </time>
  );
}
