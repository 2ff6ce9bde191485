/** Checks whether an archive may be unpacked. Headers can lie, so every entry is inflated, counted and discarded. */
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { ExtractionFailed } from '../extraction-port.ts';
import { damaged, encrypted, tooLarge } from './refusals.ts';

const MAX_ENTRIES = 2_000;
const MAX_INFLATED_BYTES = 100 * 1024 * 1024;
const MAX_RATIO = 100;
/** Below this size a high ratio is harmless: a short repetitive text compresses very well. */
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;

const END_OF_DIRECTORY = 'PK\u0005\u0006';
const END_OF_DIRECTORY_BYTES = 22;

const unsafe = (): ExtractionFailed =>
  new ExtractionFailed('unsafe_archive', 'The document is a malicious archive and was rejected');

/**
 * Archive readers disagree when there are several directories or bytes around them. The checked entries must be those that
 * are read later, so there may be only one directory, at the end.
 */
function requireOneDirectory(bytes: Buffer): void {
  const at = bytes.lastIndexOf(END_OF_DIRECTORY, undefined, 'latin1');
  if (at < 0 || at + END_OF_DIRECTORY_BYTES > bytes.length) throw damaged('document');
  const directoryBytes = bytes.readUInt32LE(at + 12);
  const directoryOffset = bytes.readUInt32LE(at + 16);
  const commentBytes = bytes.readUInt16LE(at + 20);
  // Zip64 records, which move the directory, are not needed for documents of 25 MB.
  if (directoryOffset + directoryBytes !== at || at + END_OF_DIRECTORY_BYTES + commentBytes !== bytes.length)
    throw unsafe();
}

async function countInflatedBytes(archive: ZipFile, entry: Entry, limit: number): Promise<number> {
  let count = 0;
  for await (const piece of await archive.openReadStreamPromise(entry)) {
    count += (piece as Buffer).length;
    if (count > limit) throw tooLarge('The document is too large when unpacked');
  }
  return count;
}

async function checkEntries(archive: ZipFile, packedBytes: number): Promise<void> {
  if (archive.entryCount > MAX_ENTRIES)
    throw tooLarge(`The document contains more than ${MAX_ENTRIES} files`);
  const limit = Math.min(MAX_INFLATED_BYTES, Math.max(RATIO_COUNTS_FROM_BYTES, packedBytes * MAX_RATIO));
  const names = new Set<string>();
  let total = 0;
  for await (const entry of archive.eachEntry()) {
    if (entry.isEncrypted()) throw encrypted('document');
    // Readers disagree on which of two entries with the same name to use.
    if (names.has(entry.fileName)) throw unsafe();
    names.add(entry.fileName);
    total += await countInflatedBytes(archive, entry, limit - total);
  }
}

/**
 * @throws ExtractionFailed `too_large` (100 MB unpacked, 100 times its size, 2,000 entries), `encrypted`,
 *   `unsafe_archive` (names that lead out of it, two directories), `damaged`
 */
export async function checkArchive(bytes: Buffer): Promise<void> {
  requireOneDirectory(bytes);
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
    await checkEntries(archive, bytes.length);
  } catch (error) {
    throw error instanceof ExtractionFailed ? error : toRefusal(error);
  }
}

/** Converts an error of yauzl, which has no codes, by its message. */
function toRefusal(error: unknown): ExtractionFailed {
  const message = error instanceof Error ? error.message : '';
  if (/relative path|absolute path|invalid characters in fileName/.test(message)) return unsafe();
  return /encryption/.test(message) ? encrypted('document') : damaged('document');
}
