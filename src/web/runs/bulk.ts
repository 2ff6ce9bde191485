/** Works on many runs, a few at a time, and counts how it goes. */

export interface BulkProgress<Item> {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly { readonly item: Item; readonly error: Error }[];
}

/** Requests at one time: enough to be quick, few enough to leave the rate limit to others. */
const CONCURRENCY = 4;

/** Does `work` for each item; a failure is reported and does not stop the others. */
export async function runInBulk<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onProgress: (progress: BulkProgress<Item>) => void,
): Promise<void> {
  let progress: BulkProgress<Item> = { total: items.length, done: 0, failures: [] };
  const queue = items.values();
  const drain = async (): Promise<void> => {
    // All loops share one iterator: each item is taken once.
    for (const item of queue) {
      const error = await work(item).then(
        () => null,
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      );
      const failures = error === null ? progress.failures : [...progress.failures, { item, error }];
      progress = { ...progress, done: progress.done + 1, failures };
      onProgress(progress);
    }
  };
  onProgress(progress);
  await Promise.all(Array.from({ length: CONCURRENCY }, drain));
}
