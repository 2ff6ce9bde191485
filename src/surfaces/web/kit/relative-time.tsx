/** A moment as the time since it; the exact one is shown on hover. */
import { useSyncExternalStore } from 'react';
import { formatRelative } from './format-relative.ts';
import { moment } from './moment.ts';
import { pageClock } from './page-clock.ts';

/** Returns the current time, and renders each second: for a component that is small, or shows little else. */
export const useNow = (): number => useSyncExternalStore(pageClock.subscribe, () => pageClock.now);

/** A text that the current time changes: renders only when the text is another. */
export const useTimedText = (format: (nowMs: number) => string): string =>
  useSyncExternalStore(pageClock.subscribe, () => format(pageClock.now));

export function RelativeTime({ at }: { readonly at: string }) {
  const text = useTimedText((nowMs) => formatRelative(at, nowMs));
  return (
    <time dateTime={at} title={moment(at)}>
      {text}
    </time>
  );
}
