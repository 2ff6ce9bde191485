/** How often others have a turn while something works. */

/** Does it, and counts the turns of the event loop until it is done. */
export async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  try {
    await act();
  } finally {
    clearImmediate(next);
  }
  return turns;
}
