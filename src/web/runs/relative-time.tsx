/** A moment as the time since it; the exact one is shown on hover. */
import { useEffect, useState } from 'react';
import { systemClock } from '../../clock.ts';
import { moment } from '../kit/moment.ts';
import { runWords } from '../words-runs.ts';

const FORMAT = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const TICK_MS = 1_000;

/** Formats the distance of a moment from now: `5 minutes ago`, `yesterday`; a date after a week. */
export function formatRelative(at: string, nowMs: number): string {
  const past = nowMs - Date.parse(at);
  if (past < 60_000) return runWords.justNow;
  if (past >= 7 * 86_400_000) return moment(at);
  const [unit, ms] = UNITS.find(([, length]) => past >= length) ?? UNITS[2];
  return FORMAT.format(-Math.floor(past / ms), unit);
}

/** Returns the time now, told again each second. */
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
