/** A moment as the time since it; the exact one is shown on hover. */
import { useSyncExternalStore } from 'react';
import { formatRelative } from './format-relative.ts';
import { moment } from './moment.ts';
import { ageClock, secondClock } from './page-clock.ts';

/** Returns the current time, and renders each second: for a component that is small, or shows little else. */
export const useNow = (): number => useSyncExternalStore(secondClock.subscribe, () => secondClock.now);

/** A text that changes each second: renders only when it is another. */
export const useTimedText = (format: (nowMs: number) => string): string =>
  useSyncExternalStore(secondClock.subscribe, () => format(secondClock.now));

export function RelativeTime({ at }: { readonly at: string }) {
  const text = useSyncExternalStore(ageClock.subscribe, () => formatRelative(at, ageClock.now));
  return (
    <time dateTime={at} title={moment(at)}>
      {text}
    </time>
  );
}
