/**
 * The end of the token that a socket was opened with. A client is told a little before; whether the socket ends too is
 * the operator's choice (REALTIME_ENFORCE_JWT_EXP): session tokens of identity providers live for a minute.
 */
import type { Session } from '../room/ports.ts';

const TELL_BEFORE_MS = 60_000;
/** A socket outlives its token by this, so that a refresh that is under way arrives. */
const GRACE_MS = 30_000;
/** setTimeout holds no more than 31 bits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class TokenExpiry {
  readonly #session: Session;
  readonly #isEnforced: boolean;
  #timers: NodeJS.Timeout[] = [];

  constructor(session: Session, endsAtMs: number, isEnforced: boolean) {
    this.#session = session;
    this.#isEnforced = isEnforced;
    this.setEnd(endsAtMs);
  }

  /** @param endsAtMs milliseconds since the epoch */
  setEnd(endsAtMs: number): void {
    this.dispose();
    const left = Math.max(0, endsAtMs - Date.now());
    // Half-way for tokens that live no longer than the notice.
    const tellIn = Math.max(left - TELL_BEFORE_MS, left / 2);
    this.#after(tellIn, () => this.#session.send('auth:expiring', { expiresAt: endsAtMs }));
    if (this.#isEnforced) this.#after(left + GRACE_MS, () => this.#session.close('TOKEN_EXPIRED'));
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #after(ms: number, work: () => void): void {
    if (ms <= MAX_TIMER_MS) this.#timers.push(setTimeout(work, ms).unref());
  }
}
