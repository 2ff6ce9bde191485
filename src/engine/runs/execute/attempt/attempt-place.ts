/** The place of an attempt among those of its process: a slot, and the bytes that it holds. */
import type { Clock } from '../../../../base/clock.ts';
import type { ByteLease } from '../../../../base/shares/byte-budget.ts';
import { ValueShare } from '../../ledger/read/value-share.ts';
import type { ExecuteDeps } from '../deps.ts';

/**
 * How long abandoned work keeps its place: an organization whose work hangs takes no more of the process than before, for a time. Work
 * that never ends must not take the place of others for ever. A guess.
 */
export const KEPT_MS = 60_000;

export class AttemptPlace {
  /** Counts the bytes of the attempt, until its end is written. */
  readonly share: ValueShare;
  readonly #clock: Clock;
  readonly #lease: ByteLease;
  readonly #release: () => void;
  #abandoned: Promise<void> | null = null;
  #hasLeft = false;

  constructor({ bytes, maxStateBytes, clock }: ExecuteDeps, organizationId: string, release: () => void) {
    this.#clock = clock;
    this.#lease = bytes.open(organizationId);
    this.#release = release;
    this.share = new ValueShare(this.#lease, maxStateBytes);
  }

  /** Keeps the place for abandoned work, until it ends or its time is over. */
  keepFor(end: Promise<void>): void {
    this.#abandoned = end;
  }

  /** Gives the place back, when no abandoned work keeps it. Further calls do nothing. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const release = (): void => {
      this.#lease.close();
      this.#release();
    };
    if (this.#abandoned === null) return release();
    const timer = this.#clock.setTimeout(release, KEPT_MS);
    void this.#abandoned.then(() => {
      this.#clock.clearTimeout(timer);
      release();
    });
  }
}
