/** Waiting for what must come to be: looks again and again, with a generous bound that names what did not come. */

const LOOK_MS = 50;

/**
 * Looks until there is something.
 * @param what completes the sentence "waited for ..."
 * @throws after `withinMs`, or what `look` throws
 */
export async function eventually<Found>(
  what: string,
  withinMs: number,
  look: () => Found | null | undefined | Promise<Found | null | undefined>,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
