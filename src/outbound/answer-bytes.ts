/**
 * The bytes of answers that a process holds. A lease counts those of one attempt of a node, from the socket until the end of
 * the node is written: its answer is a text, a value and a row by then, all at the same time.
 */
import type { ByteLease } from '../shares/byte-budget.ts';
import type { ShareLimits } from '../shares/fair-semaphore.ts';

const MIB = 1024 * 1024;

/**
 * A byte of a body costs about five of memory until its node has ended (150 answers of 8 MB held 6.3 GB): all of them together
 * stay below 1.4 GB, and four organizations can fill their bounds. Six of the largest answers fill the bound of one.
 */
export const ANSWER_LIMITS: ShareLimits = { capacity: 256 * MIB, perOrganization: 64 * MIB };

/**
 * Bytes of each answer that are not counted, so that the usual one neither waits nor makes others wait. A worker runs some hundred nodes at
 * a time, which is less than one organization may hold.
 */
export const FREE_BYTES = 64 * 1024;

/** One answer as it comes in. */
export class AnswerBytes {
  readonly #lease: ByteLease | null;
  readonly #signal: AbortSignal | null;
  readonly #expected: number;
  #read = 0;
  #counted = FREE_BYTES;

  /**
   * @param lease counts the bytes; null: nobody does
   * @param expected bytes that the answer announces, as far as they may be read; 0: it does not say. They are counted together,
   *   so that few answers come in whole rather than many in part
   */
  constructor(lease: ByteLease | null, expected: number, signal: AbortSignal | null) {
    this.#lease = lease;
    this.#expected = expected;
    this.#signal = signal;
  }

  /** Bytes that have come. */
  get read(): number {
    return this.#read;
  }

  /**
   * Counts bytes that have come.
   * @returns null: more may be read; else a promise that resolves when it may, and rejects with the signal's reason
   */
  take(bytes: number): Promise<void> | null {
    this.#read += bytes;
    if (this.#read <= this.#counted) return null;
    const more = Math.max(this.#read, this.#expected) - this.#counted;
    this.#counted += more;
    return this.#lease?.grow(more, this.#signal) ?? null;
  }
}

/**
 * The size that an answer announces, as far as it may be read: before its encodings are undone, which is rarely more.
 * @param length the header Content-Length, undefined or null when there is none
 */
export function announcedBytes(length: string | null | undefined, most: number): number {
  return /^\d{1,15}$/.test(length ?? '') ? Math.min(Number(length), most) : 0;
}
