/**
 * Locks on nodes, in memory only, so that a restart leaves none stuck. A lock expires unless its holder renews it, and
 * every write checks the holder, so a tab that slept past the expiry cannot write.
 */
import type { Timer } from '../../../base/clock.ts';
import type { Clock, Session } from './ports.ts';
import { reject, type RejectedReply } from './rejection.ts';

export const LOCK_TTL_MS = 30_000;
export const MAX_LOCKS_PER_SESSION = 20;
/** Locks of one user in one room, over all tabs. */
export const MAX_LOCKS_PER_USER = 40;
/** Another user may steal a lock that was not renewed for this long. */
const STEALABLE_AFTER_MS = 10_000;

export type UnlockReason = 'released' | 'expired' | 'disconnected' | 'stolen' | 'node-deleted' | 'revoked';

interface Lock {
  readonly nodeId: string;
  holder: Session;
  readonly token: number;
  renewedAt: number;
}

export interface LockView {
  readonly nodeId: string;
  readonly holder: { readonly sessionId: string; readonly userId: string; readonly name: string };
  readonly expiresAt: string;
}

/** Called after each change, in order. */
interface LockListener {
  locked(lock: LockView, by: Session): void;
  unlocked(lock: LockView, reason: UnlockReason): void;
}

export class Locks {
  readonly #clock: Clock;
  readonly #listener: LockListener;
  readonly #locks = new Map<string, Lock>();
  #lastToken = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock, listener: LockListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  #view({ nodeId, holder: { sessionId, userId, name }, renewedAt }: Lock): LockView {
    const remaining = renewedAt + LOCK_TTL_MS - this.#clock.monotonic();
    const expiresAt = new Date(this.#clock.now() + remaining).toISOString();
    return { nodeId, holder: { sessionId, userId, name }, expiresAt };
  }

  #isLive(lock: Lock): boolean {
    return this.#clock.monotonic() < lock.renewedAt + LOCK_TTL_MS;
  }

  #findLive(nodeId: string): Lock | undefined {
    const lock = this.#locks.get(nodeId);
    return lock !== undefined && this.#isLive(lock) ? lock : undefined;
  }

  /** Whether somebody other than this session holds the node. */
  isLockedFor(session: Session, nodeId: string): boolean {
    const lock = this.#findLive(nodeId);
    return lock !== undefined && lock.holder !== session;
  }

  list(): LockView[] {
    return [...this.#locks.values()].filter((lock) => this.#isLive(lock)).map((lock) => this.#view(lock));
  }

  /** Acquires or renews a lock. @returns its token and expiry, or a rejection that names the holder */
  acquire(
    session: Session,
    nodeId: string,
    steal: boolean,
  ): { readonly ok: true; readonly token: number; readonly expiresAt: string } | RejectedReply {
    const present = this.#findLive(nodeId);
    const ended = present === undefined ? this.#locks.get(nodeId) : undefined;
    if (ended !== undefined) this.#remove(ended, 'expired');
    if (present !== undefined && present.holder !== session && !(steal && this.#maySteal(session, present))) {
      return { ...reject({ code: 'NODE_LOCKED' }), ...this.#view(present) };
    }
    if (present?.holder !== session && this.#isFull(session, present)) {
      return reject({ code: 'LOCK_LIMIT' });
    }
    if (present !== undefined && present.holder !== session) this.#remove(present, 'stolen');
    const token = present?.holder === session ? present.token : (this.#lastToken += 1);
    const lock = { nodeId, holder: session, token, renewedAt: this.#clock.monotonic() };
    this.#locks.set(nodeId, lock);
    const view = this.#view(lock);
    this.#listener.locked(view, session);
    this.#arm();
    return { ok: true, token, expiresAt: view.expiresAt };
  }

  /** Another tab of the same user may always steal; others (all are owners or admins) when the lock looks abandoned. */
  #maySteal(session: Session, lock: Lock): boolean {
    return (
      lock.holder.userId === session.userId || this.#clock.monotonic() - lock.renewedAt >= STEALABLE_AFTER_MS
    );
  }

  /** @param taken the lock that the session would steal: it no longer counts for its holder */
  #isFull(session: Session, taken: Lock | undefined): boolean {
    const live = [...this.#locks.values()].filter((lock) => lock !== taken && this.#isLive(lock));
    const ofUser = live.filter(({ holder }) => holder.userId === session.userId);
    const ofSession = ofUser.filter(({ holder }) => holder === session);
    return ofSession.length >= MAX_LOCKS_PER_SESSION || ofUser.length >= MAX_LOCKS_PER_USER;
  }

  #findHeld(session: Session, nodeId: string, token: number): Lock | undefined {
    const lock = this.#findLive(nodeId);
    return lock?.holder === session && lock.token === token ? lock : undefined;
  }

  /** Renews the locks that the session still holds under their tokens. */
  renew(
    session: Session,
    requests: readonly { readonly nodeId: string; readonly token: number }[],
  ): { readonly renewed: { nodeId: string; expiresAt: string }[]; readonly lost: string[] } {
    const renewed: { nodeId: string; expiresAt: string }[] = [];
    const lost: string[] = [];
    for (const { nodeId, token } of requests) {
      const lock = this.#findHeld(session, nodeId, token);
      if (lock === undefined) {
        lost.push(nodeId);
        continue;
      }
      lock.renewedAt = this.#clock.monotonic();
      renewed.push({ nodeId, expiresAt: this.#view(lock).expiresAt });
    }
    return { renewed, lost };
  }

  /** @returns false when the session does not hold the node under this token */
  release(session: Session, nodeId: string, token: number): boolean {
    const lock = this.#findHeld(session, nodeId, token);
    if (lock === undefined) return false;
    this.#remove(lock, 'released');
    return true;
  }

  /** Releases all locks of a session. */
  releaseAll(session: Session, reason: UnlockReason): void {
    for (const lock of this.#locks.values()) if (lock.holder === session) this.#remove(lock, reason);
  }

  /** Moves the locks of a replaced session to its successor, with their tokens and expiries. */
  transfer(from: Session, to: Session): void {
    for (const lock of this.#locks.values()) {
      if (lock.holder !== from) continue;
      lock.holder = to;
      this.#listener.locked(this.#view(lock), to);
    }
  }

  /** Removes the locks of deleted nodes. */
  removeDeleted(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) {
      const lock = this.#locks.get(nodeId);
      if (lock !== undefined) this.#remove(lock, 'node-deleted');
    }
  }

  #remove(lock: Lock, reason: UnlockReason): void {
    this.#locks.delete(lock.nodeId);
    this.#listener.unlocked(this.#view(lock), reason);
  }

  /** Starts the one timer, for the lock that expires first. */
  #arm(): void {
    if (this.#timer !== null || this.#locks.size === 0) return;
    const first = Math.min(...[...this.#locks.values()].map((lock) => lock.renewedAt));
    const wait = Math.max(1, first + LOCK_TTL_MS - this.#clock.monotonic());
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      for (const lock of this.#locks.values()) if (!this.#isLive(lock)) this.#remove(lock, 'expired');
      this.#arm();
    }, wait);
  }

  dispose(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#locks.clear();
  }
}
