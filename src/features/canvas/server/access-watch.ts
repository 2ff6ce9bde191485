/**
 * Checks that connected users may still edit. Decisions are cached, and read again on a notice and every 30 s. While the
 * database does not answer, the last decisions hold.
 */
import { systemClock } from '../../../base/clock.ts';
import { hasLiveRole } from '../../../platform/access/membership.ts';
import { readRoles, type Member } from '../../../platform/access/still-allowed.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Logger } from '../../../base/log.ts';
import type { Session } from '../room/ports.ts';

const SWEEP_MS = 30_000;

/** Sessions of one user in one organization. */
interface WatchedMember extends Member {
  readonly sessions: Set<Session>;
  isDenied: boolean;
  readAt: number;
}

/** A change of access, of one user in one organization; a field left out stands for all. */
interface AccessChange {
  readonly organizationId?: string;
  readonly userId?: string;
}

interface AccessWatchDeps {
  readonly db: Sql;
  readonly log: Logger;
  /** Called once for each session whose access is gone. */
  onRevoked(session: Session): void;
  /** Milliseconds after which a decision is read again. */
  readonly sweepMs?: number;
}

const toKey = ({ organizationId, userId }: Member): string => `${organizationId} ${userId}`;

export class AccessWatch {
  readonly #deps: AccessWatchDeps;
  readonly #watched = new Map<string, WatchedMember>();
  readonly #sweepMs: number;
  readonly #sweep: NodeJS.Timeout;

  constructor(deps: AccessWatchDeps) {
    this.#deps = deps;
    this.#sweepMs = deps.sweepMs ?? SWEEP_MS;
    this.#sweep = setInterval(() => void this.#reread([...this.#watched.values()]), this.#sweepMs).unref();
  }

  /** Adds a session whose handshake was just allowed. */
  add(session: Session): void {
    const key = toKey(session);
    const { organizationId, userId } = session;
    const watched = this.#watched.get(key) ?? {
      organizationId,
      userId,
      sessions: new Set(),
      isDenied: false,
      readAt: 0,
    };
    // The handshake has just read the role, so it overrides an older denial.
    watched.isDenied = false;
    watched.readAt = systemClock.monotonic();
    watched.sessions.add(session);
    this.#watched.set(key, watched);
  }

  remove(session: Session): void {
    const watched = this.#watched.get(toKey(session));
    watched?.sessions.delete(session);
    if (watched?.sessions.size === 0) this.#watched.delete(toKey(session));
  }

  /** Returns the cached decision. An old one is read again in the background and still holds. */
  mayEdit(session: Session): boolean {
    const watched = this.#watched.get(toKey(session));
    if (watched === undefined || !watched.sessions.has(session) || watched.isDenied) return false;
    if (systemClock.monotonic() - watched.readAt > this.#sweepMs) {
      watched.readAt = systemClock.monotonic();
      void this.#reread([watched]);
    }
    return true;
  }

  /** Reads the decisions that a change concerns. */
  handleChange({ organizationId, userId }: AccessChange): Promise<void> {
    return this.#reread(
      [...this.#watched.values()].filter(
        (watched) =>
          (organizationId === undefined || watched.organizationId === organizationId) &&
          (userId === undefined || watched.userId === userId),
      ),
    );
  }

  /** Reads all decisions: notices may have been missed. */
  rereadAll(): Promise<void> {
    return this.#reread([...this.#watched.values()]);
  }

  dispose(): void {
    clearInterval(this.#sweep);
    this.#watched.clear();
  }

  /** Never throws. */
  async #reread(members: readonly WatchedMember[]): Promise<void> {
    if (members.length === 0) return;
    const readAt = systemClock.monotonic();
    try {
      const rows = await readRoles(this.#deps.db, members);
      const allowed = new Set(rows.filter(({ role }) => hasLiveRole(role)).map(toKey));
      for (const watched of members) this.#applyDecision(watched, allowed.has(toKey(watched)), readAt);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'access could not be read; the last decisions hold');
    }
  }

  #applyDecision(watched: WatchedMember, isAllowed: boolean, readAt: number): void {
    // A handshake allowed the user after this query began, so its result may be stale.
    if (!isAllowed && watched.readAt > readAt) {
      void this.#reread([watched]);
      return;
    }
    watched.readAt = systemClock.monotonic();
    if (isAllowed || watched.isDenied) return;
    watched.isDenied = true;
    for (const session of watched.sessions) this.#deps.onRevoked(session);
  }
}
