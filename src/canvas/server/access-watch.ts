/**
 * Whether those who are connected may still be: decisions are cached, told by the database when they change, and read
 * again every half minute. A database that does not answer neither evicts anybody nor lets anybody back in.
 */
import { hasLiveRole } from '../../access/membership.ts';
import { readRoles, type Member } from '../../access/still-allowed.ts';
import type { Sql } from '../../db/client.ts';
import type { Logger } from '../../log.ts';
import type { Session } from '../room/ports.ts';

const SWEEP_MS = 30_000;

/** Sessions of one user in one organization. */
interface Watched extends Member {
  readonly sessions: Set<Session>;
  isDenied: boolean;
  readAt: number;
}

/** What the database says has changed; no user: everybody, no organization: in all of them. */
export interface AccessChange {
  readonly organizationId?: string;
  readonly userId?: string;
}

export interface AccessWatchDeps {
  readonly db: Sql;
  readonly log: Logger;
  /** Called once for each session whose access is gone. */
  onRevoked(session: Session): void;
  /** After how many milliseconds a decision is read again, told of a change or not. */
  readonly sweepMs?: number;
}

const keyOf = ({ organizationId, userId }: Member): string => `${organizationId} ${userId}`;

export class AccessWatch {
  readonly #deps: AccessWatchDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #sweepMs: number;
  readonly #sweep: NodeJS.Timeout;

  constructor(deps: AccessWatchDeps) {
    this.#deps = deps;
    this.#sweepMs = deps.sweepMs ?? SWEEP_MS;
    this.#sweep = setInterval(() => void this.#read([...this.#watched.values()]), this.#sweepMs).unref();
  }

  /** A session whose handshake has just been allowed. */
  add(session: Session): void {
    const key = keyOf(session);
    const { organizationId, userId } = session;
    const watched = this.#watched.get(key) ?? {
      organizationId,
      userId,
      sessions: new Set(),
      isDenied: false,
      readAt: 0,
    };
    // A handshake is a decision of its own: a user may have been taken back.
    watched.isDenied = false;
    watched.readAt = performance.now();
    watched.sessions.add(session);
    this.#watched.set(key, watched);
  }

  remove(session: Session): void {
    const watched = this.#watched.get(keyOf(session));
    watched?.sessions.delete(session);
    if (watched?.sessions.size === 0) this.#watched.delete(keyOf(session));
  }

  /** The decision that is known now. One that is old is read again meanwhile, and allows until it is. */
  mayEdit(session: Session): boolean {
    const watched = this.#watched.get(keyOf(session));
    if (watched === undefined || !watched.sessions.has(session) || watched.isDenied) return false;
    if (performance.now() - watched.readAt > this.#sweepMs) {
      watched.readAt = performance.now();
      void this.#read([watched]);
    }
    return true;
  }

  /** Reads what a change concerns. */
  changed({ organizationId, userId }: AccessChange): Promise<void> {
    return this.#read(
      [...this.#watched.values()].filter(
        (watched) =>
          (organizationId === undefined || watched.organizationId === organizationId) &&
          (userId === undefined || watched.userId === userId),
      ),
    );
  }

  /** Reads everything: notices may have been missed. */
  recheck(): Promise<void> {
    return this.#read([...this.#watched.values()]);
  }

  dispose(): void {
    clearInterval(this.#sweep);
    this.#watched.clear();
  }

  /** Never throws. */
  async #read(asked: readonly Watched[]): Promise<void> {
    if (asked.length === 0) return;
    const readAt = performance.now();
    try {
      const rows = await readRoles(this.#deps.db, asked);
      const allowed = new Set(rows.filter(({ role }) => hasLiveRole(role)).map(keyOf));
      for (const watched of asked) this.#decide(watched, allowed.has(keyOf(watched)), readAt);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'access could not be read again; the last decisions stand');
    }
  }

  #decide(watched: Watched, isAllowed: boolean, readAt: number): void {
    // Somebody was let in after this was asked: the handshake knows better.
    if (!isAllowed && watched.readAt > readAt) {
      void this.#read([watched]);
      return;
    }
    watched.readAt = performance.now();
    if (isAllowed || watched.isDenied) return;
    watched.isDenied = true;
    for (const session of watched.sessions) this.#deps.onRevoked(session);
  }
}
