/** Turns of the event loop between the slices of long work. */

/**
 * Long work that waits for its next turn. One slice runs in each round of the event loop: with a slice of each, forty long works would
 * let everything else wait for the slices of all. The queue belongs to the event loop, which is the one of the process.
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
