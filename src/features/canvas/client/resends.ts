/** Sends pending edits again: all of them after a reconnect, and those that the room has rejected for now. */
import { RETRY_MS } from './payload.ts';
import type { ReplaceableTimer } from './replaceable-timer.ts';
import type { PendingOp, Replica } from './replica.ts';

/** Hundreds of edits after an hour offline would exceed the flood limit. */
const BATCH = 40;

interface ResendDeps {
  readonly replica: Replica;
  readonly timer: ReplaceableTimer;
  isLive(): boolean;
  transmit(pending: PendingOp): void;
}

export class Resends {
  readonly #deps: ResendDeps;

  constructor(deps: ResendDeps) {
    this.#deps = deps;
  }

  /** Sends all pending edits, in batches. */
  sendAll(): void {
    const { replica, timer } = this.#deps;
    for (const [index, pending] of replica.pending.entries()) {
      pending.isHeld = index >= BATCH;
      if (!pending.isHeld) this.#deps.transmit(pending);
    }
    if (replica.pending.length > BATCH && !timer.isArmed) timer.schedule(() => this.#sendHeld(), RETRY_MS);
  }

  /** Holds an edit, and sends it after this time. */
  hold(pending: PendingOp, delayMs: number): void {
    pending.isHeld = true;
    this.#deps.timer.schedule(() => this.#sendHeld(), delayMs);
  }

  /** Sends held edits again once all others are answered: an edit sent twice uses the rate limit twice. */
  #sendHeld(): void {
    const { replica, timer } = this.#deps;
    const held = replica.pending.filter(({ isHeld }) => isHeld).length;
    if (!this.#deps.isLive() || held === 0) return;
    if (held === replica.pending.length) this.sendAll();
    else timer.schedule(() => this.#sendHeld(), RETRY_MS);
  }
}
