/** Turns of the event loop between the slices of long work. */

/**
 * Long work that waits for its next turn. Runs one slice per round of the event loop, so that forty long computations do not block
 * everything else. The queue belongs to the event loop, of which a process has one.
 */
const waiting: (() => void)[] = [];

function serveNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serveNext);
}

/** Yields to the event loop, and to other long work. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serveNext);
  });
}
