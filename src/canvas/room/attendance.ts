/** The people in a room and what they hold: presence and locks, which come and go together. */
import type { JsonObject } from '../../graph/value.ts';
import { Locks, type LockView, type UnlockReason } from './locks.ts';
import type { Audience, Clock, Reply, Session } from './ports.ts';
import { Presence } from './presence.ts';
import { readEphemeral, type LockRequest } from './read-presence.ts';
import { refused } from './rejection.ts';

export class Attendance {
  readonly #workflowId: string;
  readonly #audience: Audience;
  readonly #presence: Presence;
  readonly locks: Locks;

  /** @param onEmpty called when the last one left for good */
  constructor(
    { workflowId, clock, audience }: { workflowId: string; clock: Clock; audience: Audience },
    onEmpty: () => void,
  ) {
    this.#workflowId = workflowId;
    this.#audience = audience;
    this.locks = new Locks(clock, {
      locked: (lock) => this.#tell('node:locked', lock),
      unlocked: (lock, reason) => this.#tell('node:unlocked', lock, reason),
    });
    this.#presence = new Presence({ clock, audience, workflowId }, (session) => {
      this.locks.releaseAll(session, 'disconnected');
      if (this.#presence.size === 0) onEmpty();
    });
  }

  #tell(event: string, { nodeId, holder, expiresAt }: LockView, reason?: UnlockReason): void {
    const payload = { workflowId: this.#workflowId, nodeId, holder };
    this.#audience.toRoom(event, reason === undefined ? { ...payload, expiresAt } : { ...payload, reason });
  }

  get size(): number {
    return this.#presence.size;
  }

  get idle(): number {
    return this.#presence.idle();
  }

  /** Present and connected. */
  has(session: Session): boolean {
    return this.#presence.has(session);
  }

  /** Lets a session in. The older session of the same tab goes first, and leaves its locks to this one. */
  enter(session: Session): void {
    const old = this.#presence.predecessor(session);
    if (old !== null) {
      this.locks.handOver(old, session);
      old.send('session:replaced', { workflowId: this.#workflowId, bySessionId: session.sessionId });
    }
    if (!this.#presence.has(session)) this.#presence.enter(session);
    if (old !== null) this.#presence.leave(old);
  }

  leave(session: Session): void {
    this.#presence.leave(session);
  }

  /** The connection is lost; it may come back under the same clientId. */
  lose(session: Session): void {
    this.#presence.lose(session);
  }

  revoke(session: Session): void {
    session.send('workflow:access-revoked', { workflowId: this.#workflowId });
    this.locks.releaseAll(session, 'revoked');
    this.#presence.leave(session);
  }

  /** Answers a request about locks; `isThere` says whether the document has a node. */
  lock(session: Session, request: LockRequest, isThere: (nodeId: string) => boolean): Reply {
    switch (request.event) {
      case 'node:lock':
        if (!session.mayEdit()) return refused({ code: 'FORBIDDEN' });
        if (!isThere(request.nodeId)) return refused({ code: 'NODE_NOT_FOUND' });
        return this.locks.acquire(session, request.nodeId, request.steal);
      case 'node:lock-renew':
        return { ok: true, ...this.locks.renew(session, request.locks) };
      case 'node:unlock':
        return this.locks.release(session, request.nodeId, request.token)
          ? { ok: true }
          : refused({ code: 'LOCK_LOST' });
    }
  }

  /** Cursors and the like: what is wrong is ignored. */
  ephemeral(session: Session, event: Parameters<typeof readEphemeral>[0], payload: unknown): void {
    const value = readEphemeral(event, payload);
    if (value !== null) this.#presence.update(session, event, value);
  }

  /** As new members get it. */
  list(): { readonly presence: JsonObject[]; readonly locks: LockView[] } {
    return { presence: this.#presence.list(), locks: this.locks.list() };
  }

  dispose(): void {
    this.locks.dispose();
    this.#presence.dispose();
  }
}
