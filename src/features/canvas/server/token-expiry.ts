/**
 * Expiry of a socket's token. Sends `auth:expiring` a minute before; the socket is closed with its token only if the operator
 * wants it (REALTIME_ENFORCE_JWT_EXP), because session tokens of identity providers often live for a minute.
 */
import { systemClock } from '../../../base/clock.ts';
import type { Session } from '../room/ports.ts';

const TELL_BEFORE_MS = 60_000;
/** The socket outlives its token by this, so that a refresh in flight arrives. */
const GRACE_MS = 30_000;
/** setTimeout takes at most 31 bits. */
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
    const left = Math.max(0, endsAtMs - systemClock.now());
    // At half of the remaining life for tokens that live less than two minutes.
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
