/**
 * The pace of notices that only wake: of one subject two go out in a row, then one in 25 ms, as often as a stream reads
 * (runs/stream/run-stream.ts). Each is a round trip, and wakes every process that listens: a run of 50 short calls spent
 * a tenth of its time on them (test/bench/README.md).
 */

/** A pace that is shared with those who are woken: more notices than reads would be for nothing. */
export const GAP_MS = 25;
export const IN_A_ROW = 2;

/** What tells of something that goes on. */
export interface Pace {
  readonly subject: string;
  /** Nothing follows: it goes out at once, in place of one that waits. */
  readonly isLast: boolean;
}

interface Subject {
  spare: number;
  /** The notice that waits for its turn; each says the same. */
  held: (() => void) | null;
  timer: NodeJS.Timeout;
}

export class NoticePace {
  readonly #subjects = new Map<string, Subject>();

  /** Calls `send` at once, when its turn comes, or not at all because another notice of the subject goes out after it. */
  pass({ subject, isLast }: Pace, send: () => void): void {
    const known = this.#subjects.get(subject);
    if (isLast) {
      if (known !== undefined) this.#forget(subject, known);
      send();
    } else if (known === undefined) {
      this.#subjects.set(subject, { spare: IN_A_ROW - 1, held: null, timer: this.#turnOf(subject) });
      send();
    } else if (known.spare > 0) {
      known.spare -= 1;
      send();
    } else known.held = send;
  }

  /** Sends what waits. */
  end(): void {
    for (const [subject, known] of this.#subjects) {
      this.#forget(subject, known);
      known.held?.();
    }
  }

  #turnOf(subject: string): NodeJS.Timeout {
    return setTimeout(() => {
      const known = this.#subjects.get(subject);
      if (known === undefined) return;
      const { held } = known;
      if (held === null) this.#forget(subject, known);
      else {
        known.held = null;
        known.timer = this.#turnOf(subject);
        held();
      }
    }, GAP_MS);
  }

  #forget(subject: string, known: Subject): void {
    clearTimeout(known.timer);
    this.#subjects.delete(subject);
  }
}
