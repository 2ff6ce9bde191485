/** Sliding minutes in this process's memory: what limits requests while the database cannot count them. */
import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
/** Subjects remembered; beyond, the one that was idle longest is forgotten. */
const MAX_SUBJECTS = 10_000;

export interface WindowResult {
  /** 0: admitted. Else the position of the first subject without capacity. */
  readonly exhausted: number;
  readonly retryAfterSeconds: number;
}

export class LocalWindows {
  readonly #times = new LRUCache<string, readonly number[]>({ max: MAX_SUBJECTS });

  /** Takes one from each subject's window, or from none. */
  take(subjects: readonly string[], limits: readonly number[], now = Date.now()): WindowResult {
    const windows = subjects.map((subject) =>
      (this.#times.get(subject) ?? []).filter((time) => now - time < WINDOW_MS),
    );
    for (const [index, times] of windows.entries()) {
      const limit = limits[index] ?? 0;
      if (times.length < limit) continue;
      const frees = times[times.length - limit] ?? now;
      return { exhausted: index + 1, retryAfterSeconds: Math.ceil((frees + WINDOW_MS - now) / 1000) };
    }
    for (const [index, subject] of subjects.entries()) {
      this.#times.set(subject, [...(windows[index] ?? []), now]);
    }
    return { exhausted: 0, retryAfterSeconds: 0 };
  }
}
