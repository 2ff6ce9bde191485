/**
 * Writes lists of unknown size: reads their sizes first, then their values, page by page. The bytes of a page are reserved
 * before it is read and until the client has received it.
 */
import type { FairSemaphore, Release, ShareLimits } from '../../../../base/shares/fair-semaphore.ts';

const MIB = 1024 * 1024;

/**
 * The most bytes of answers that are read and not yet received. Each byte takes about six in memory: as row, value, text and
 * buffer.
 */
export const ANSWER_SHARES: ShareLimits = { capacity: 64 * MIB, perOrganization: 16 * MIB };

/** The most bytes of a page; a larger item is a page of its own. */
const PAGE_BYTES = MIB / 2;

/** Waits until this many bytes can be reserved. */
export type TakeShare = (bytes: number) => Promise<Release>;

/** Binds the shares to one organization. @param signal aborts the wait, which throws its reason */
export const bindShares =
  (answers: FairSemaphore, organizationId: string, signal?: AbortSignal): TakeShare =>
  (bytes) =>
    answers.acquire(organizationId, {
      weight: Math.max(1, bytes),
      ...(signal === undefined ? {} : { signal }),
    });

/** Runs work that learns its size on the way: it reserves its bytes once, and they are released at its end. */
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

/** Cuts a list into pages, keeping its order. */
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

/** Yields one text while its bytes are reserved. */
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

/** Yields the items of a list as JSON texts with commas between them, page by page. */
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
