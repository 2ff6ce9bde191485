/** Sliding minutes in memory, which limit requests while the database cannot count them. */
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../base/clock.ts';

const WINDOW_MS = 60_000;
/** Maximum number of subjects; the least recently used one is dropped. */
const MAX_SUBJECTS = 10_000;

export interface WindowResult {
  /** 0: admitted; else the position (from 1) of the first subject at its limit. */
  readonly exhausted: number;
  readonly retryAfterSeconds: number;
}

export class LocalWindows {
  readonly #times = new LRUCache<string, readonly number[]>({ max: MAX_SUBJECTS });

  /** Counts one request for every subject; for none when one of them is at its limit. */
  take(subjects: readonly string[], limits: readonly number[], now = systemClock.now()): WindowResult {
    const windows = subjects.map((subject) =>
      (this.#times.get(subject) ?? []).filter((time) => now - time < WINDOW_MS),
    );
    for (const [index, times] of windows.entries()) {
      const limit = limits[index] ?? 0;
      if (times.length < limit) continue;
      const freesAtMs = times[times.length - limit] ?? now;
      return { exhausted: index + 1, retryAfterSeconds: Math.ceil((freesAtMs + WINDOW_MS - now) / 1000) };
    }
    for (const [index, subject] of subjects.entries()) {
      this.#times.set(subject, [...(windows[index] ?? []), now]);
    }
    return { exhausted: 0, retryAfterSeconds: 0 };
  }
}
