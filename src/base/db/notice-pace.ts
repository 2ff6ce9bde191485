/**
 * Rate limit for notices that only wake listeners: two in a row per subject, then one per 25 ms, which is how often a stream
 * reads (runs/stream/run-stream.ts). Each notice is a round trip and wakes every listening process; a run of 50 short calls
 * spent a tenth of its time on them (test/bench/README.md).
 */

/** The readers of a stream use the same limits: more notices than reads would be wasted. */
export const GAP_MS = 25;
export const IN_A_ROW = 2;

/** How a notice about a subject is rate-limited. */
export interface Pace {
  readonly subject: string;
  /** No notice follows: it is sent immediately and replaces one that waits. */
  readonly isLast: boolean;
}

interface Subject {
  spare: number;
  /** The notice that waits; all notices of a subject are alike, so one is enough. */
  held: (() => void) | null;
  timer: NodeJS.Timeout;
}

export class NoticePace {
  readonly #subjects = new Map<string, Subject>();

  /** Calls `send` now, later, or never if a later notice of the subject replaces it. */
  pass({ subject, isLast }: Pace, send: () => void): void {
    const known = this.#subjects.get(subject);
    if (isLast) {
      if (known !== undefined) this.#forget(subject, known);
      send();
    } else if (known === undefined) {
      this.#subjects.set(subject, { spare: IN_A_ROW - 1, held: null, timer: this.#startTimer(subject) });
      send();
    } else if (known.spare > 0) {
      known.spare -= 1;
      send();
    } else known.held = send;
  }

  /** Sends the waiting notices. */
  end(): void {
    for (const [subject, known] of this.#subjects) {
      this.#forget(subject, known);
      known.held?.();
    }
  }

  #startTimer(subject: string): NodeJS.Timeout {
    return setTimeout(() => {
      const known = this.#subjects.get(subject);
      if (known === undefined) return;
      const { held } = known;
      if (held === null) this.#forget(subject, known);
      else {
        known.held = null;
        known.timer = this.#startTimer(subject);
        held();
      }
    }, GAP_MS);
  }

  #forget(subject: string, known: Subject): void {
    clearTimeout(known.timer);
    this.#subjects.delete(subject);
  }
}
