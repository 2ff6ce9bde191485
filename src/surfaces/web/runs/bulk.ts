/** Sends a request for each of many runs, a few at a time, and reports progress. */

export interface BulkProgress<Item> {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly { readonly item: Item; readonly error: Error }[];
}

/** Concurrent requests. A guess: more would use up the rate limit of the organization. */
const CONCURRENCY = 4;

/** Calls `send` for each item. A failure is reported in the progress and does not stop the others. */
export async function runInBulk<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<unknown>,
  onProgress: (progress: BulkProgress<Item>) => void,
): Promise<void> {
  let progress: BulkProgress<Item> = { total: items.length, done: 0, failures: [] };
  const queue = items.values();
  const sendNext = async (): Promise<void> => {
    // All lanes share one iterator: each item is taken once.
    for (const item of queue) {
      const error = await send(item).then(
        () => null,
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      );
      const failures = error === null ? progress.failures : [...progress.failures, { item, error }];
      progress = { ...progress, done: progress.done + 1, failures };
      onProgress(progress);
    }
  };
  onProgress(progress);
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
}
