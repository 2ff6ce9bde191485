/**
 * Writes lists of unknown size: reads their sizes first, then their values, a page at a time. The bytes of a page count from before it
 * is read until the client has taken it.
 */
import type { FairSemaphore, Release, ShareLimits } from '../../shares/fair-semaphore.ts';

const MIB = 1024 * 1024;

/**
 * Bytes of answers that are read and not taken yet. A byte costs about six of memory until then: as row, value, text and buffer.
 */
export const ANSWER_SHARES: ShareLimits = { capacity: 64 * MIB, perOrganization: 16 * MIB };

/** A page holds at most as much, or one item. */
const PAGE_BYTES = MIB / 2;

/** Waits for a share of so many bytes. */
type TakeShare = (bytes: number) => Promise<Release>;

/** Binds the shares to one organization. @param signal aborts the wait, which throws its reason */
export const bindShares =
  (answers: FairSemaphore, organizationId: string, signal?: AbortSignal): TakeShare =>
  (bytes) =>
    answers.acquire(organizationId, {
      weight: Math.max(1, bytes),
      ...(signal === undefined ? {} : { signal }),
    });

/** Runs work that finds out on its way how many bytes it holds until its end: it takes one share, once. */
export async function withShare<Result>(
  take: TakeShare,
  work: (hold: (bytes: number) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let release: Release = () => undefined;
  try {
    return await work(async (bytes) => {
      // Holding one share while waiting for another could deadlock.
      release();
      release = await take(bytes);
    });
  } finally {
    release();
  }
}

interface Sized {
  readonly bytes: number;
}

/** Cuts a list into pages, in its order. */
export function* cutPages<Item extends Sized>(
  items: readonly Item[],
  maxBytes = PAGE_BYTES,
): Generator<Item[]> {
  let page: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (page.length > 0 && bytes + item.bytes > maxBytes) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(item);
    bytes += item.bytes;
  }
  if (page.length > 0) yield page;
}

/** Passes on one text within its share. */
export async function* writeShared(
  bytes: number,
  take: TakeShare,
  read: () => Promise<string>,
): AsyncGenerator<string> {
  const release = await take(bytes);
  try {
    yield await read();
  } finally {
    release();
  }
}

/** Passes on the items of a list as JSON texts with commas between them, a page at a time. */
export async function* writeList<Item extends Sized>(
  items: readonly Item[],
  take: TakeShare,
  read: (page: readonly Item[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  let comma = '';
  for (const page of cutPages(items)) {
    const bytes = page.reduce((sum, item) => sum + item.bytes, 0);
    for await (const text of writeShared(bytes, take, async () => (await read(page)).join(','))) {
      if (text === '') continue;
      yield comma + text;
      comma = ',';
    }
  }
}
