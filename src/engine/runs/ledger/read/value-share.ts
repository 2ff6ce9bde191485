/**
 * The bytes of stored values that one piece of work holds: an attempt of a node, an advance, or a transaction that ends a step. They
 * count on the share of the organization before they are loaded.
 */
import type { ByteLease } from '../../../../base/shares/byte-budget.ts';
import { ShareFull } from '../../walk/values.ts';

/**
 * The most that one node loads of the state: twice what its templates may render (MAX_RENDERED_TOTAL_CHARS), because a reference
 * loads a whole value to read a part of it. Half of an organization's share, so that two such nodes run concurrently.
 */
export const MAX_STATE_BYTES = 32 * 1024 * 1024;

/**
 * Uncounted bytes of each piece of work, so that the usual load is one statement and never waits. As much as of a response
 * (outbound/answer-bytes.ts).
 */
export const FREE_STATE_BYTES = 64 * 1024;

export class ValueShare {
  /** Counts the bytes; what else the work holds may count on it, too. */
  readonly lease: ByteLease;
  /** The most that one node loads. */
  readonly maxBytes: number;
  #granted = FREE_STATE_BYTES;
  #signal: AbortSignal | null = null;

  constructor(lease: ByteLease, maxBytes: number) {
    this.lease = lease;
    this.maxBytes = maxBytes;
  }

  /** Bytes that may be held without a wait. */
  get granted(): number {
    return this.#granted;
  }

  /**
   * Counts the bytes that the work holds, all together.
   * @throws ShareFull when it has to wait; `run` does. Never waits here: holders of the bytes may wait for the caller's connection or
   *   locks
   */
  hold(bytes: number): void {
    const more = bytes - this.#granted;
    if (more <= 0) return;
    const wait = this.lease.grow(more, this.#signal);
    this.#granted = bytes;
    if (wait === null) return;
    // The work may still roll back when the wait is aborted.
    wait.catch(() => undefined);
    throw new ShareFull(wait);
  }

  /** Runs work, and again after each wait for the bytes that it lacked. @throws the reason of the signal, which aborts a wait */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal | null = null): Promise<Result> {
    this.#signal = signal;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ShareFull)) throw error;
        await error.granted;
      }
    }
  }

  /**
   * Runs work that loads values and does nothing else, as `run` does, in turns. Nobody waits for bytes in a turn, which those who have
   * them may wait for.
   * @param takeTurn waits for a turn; returns what ends it
   */
  load(work: () => Promise<void>, signal: AbortSignal, takeTurn: () => Promise<() => void>): Promise<void> {
    const inTurn = async (): Promise<void> => {
      const endTurn = await takeTurn();
      try {
        await work();
      } finally {
        endTurn();
      }
    };
    return this.run(inTurn, signal);
  }
}

/** The bytes that a process shares between organizations, and the most that one node loads. */
export interface ByteShares {
  readonly bytes: { open(organizationId: string): ByteLease };
  readonly maxStateBytes: number;
}

/** Runs work that loads values: again after each wait for its bytes, which are given back at its end. */
export async function withValueShare<Result>(
  { bytes, maxStateBytes }: ByteShares,
  organizationId: string,
  work: (share: ValueShare) => Promise<Result>,
): Promise<Result> {
  const lease = bytes.open(organizationId);
  try {
    const share = new ValueShare(lease, maxStateBytes);
    return await share.run(() => work(share));
  } finally {
    lease.close();
  }
}
