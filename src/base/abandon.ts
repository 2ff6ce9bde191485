/** Stops waiting for work that goes on after its abort: a server, a library or a mistake would decide when its caller ends. */
import type { Clock } from './clock.ts';

/** Work that listens to its signal ends within this time, also in a busy process, and its own error tells more than the abort. */
export const ABANDON_AFTER_MS = 2_000;

/**
 * Waits for work, which is abandoned two seconds after its abort: what comes of it then counts for nobody.
 * @param onAbandoned gets the end of abandoned work; it never rejects
 * @throws the work's error; the reason of the signal when the work is abandoned
 */
export function abandonAfterAbort<Result>(
  work: Promise<Result>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  onAbandoned: (end: Promise<void>) => void = () => undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: object | null = null;
    const abandon = (): void => {
      onAbandoned(
        work.then(
          () => undefined,
          () => undefined,
        ),
      );
      reject(signal.reason as Error);
    };
    const wait = (): void => void (timer = clock.setTimeout(abandon, ABANDON_AFTER_MS));
    const settle = (): void => {
      signal.removeEventListener('abort', wait);
      if (timer !== null) clock.clearTimeout(timer);
    };
    work.finally(settle).then(resolve, reject);
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}
