/** Waiting for what must come to be: looks again and again, with a generous bound that names what did not come. */

const LOOK_MS = 50;
/** A look that never ends must not wait for ever, nor one that a stalling machine delays be cut short. */
const MIN_PATIENCE_MS = 5_000;

/**
 * Looks until there is something.
 * @param what completes the sentence "waited for ..."
 * @throws after `withinMs`, or what `look` throws; a look under way then has at least MIN_PATIENCE_MS
 */
export async function eventually<Found>(
  what: string,
  withinMs: number,
  look: () => Found | null | undefined | Promise<Found | null | undefined>,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await within(Math.max(deadline - performance.now(), MIN_PATIENCE_MS), what, look());
    if (found !== null && found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** @throws when `work` has not ended after `ms` */
async function within<Found>(ms: number, what: string, work: Found | Promise<Found>): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`looking for ${what} did not end within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
