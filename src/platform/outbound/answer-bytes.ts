/**
 * Counts the bytes of responses that a process holds. The lease belongs to an attempt of a node, from the socket until the
 * end of the node is written, because the response is a text, a value and a row in memory until then.
 */
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import type { ShareLimits } from '../../base/shares/fair-semaphore.ts';

const MIB = 1024 * 1024;

/**
 * The bytes that a process holds for its attempts and advances: bodies of responses and requests, and values of the state
 * (runs/ledger/read/value-share.ts). One byte of a body costs about five bytes of memory until its node ends (150 responses of 8 MB took
 * 6.3 GB), so all together stay below 1.4 GB. Four organizations fit; six of the largest responses fill the limit of one.
 */
export const BYTE_LIMITS: ShareLimits = { capacity: 256 * MIB, perOrganization: 64 * MIB };

/**
 * Uncounted bytes of each response, so that a typical one never waits. A worker runs some hundred nodes at a time, so their
 * sum is below the limit of one organization.
 */
const FREE_BYTES = 64 * 1024;

/** Counter of one response. */
export class AnswerBytes {
  readonly #lease: ByteLease | null;
  readonly #signal: AbortSignal | null;
  readonly #expected: number;
  #read = 0;
  #counted = FREE_BYTES;

  /**
   * @param lease null: the bytes are not counted
   * @param expected announced bytes, capped at what may be read; 0 when unknown. They are acquired at once, so that a few
   *   responses complete instead of many being read in part
   */
  constructor(lease: ByteLease | null, expected: number, signal: AbortSignal | null) {
    this.#lease = lease;
    this.#expected = expected;
    this.#signal = signal;
  }

  /** Received bytes. */
  get read(): number {
    return this.#read;
  }

  /**
   * Counts received bytes.
   * @returns null when reading may continue; else a promise that resolves when it may, and rejects with the signal's reason
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
 * @param length the header Content-Length
 * @param most bytes that may be read
 * @returns the announced bytes, before decoding; 0 without the header
 */
export function parseAnnouncedBytes(length: string | null | undefined, most: number): number {
  return /^\d{1,15}$/.test(length ?? '') ? Math.min(Number(length), most) : 0;
}
