/** The members of a room, with their presence and locks, which begin and end together. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { Locks, type LockView, type UnlockReason } from './locks.ts';
import type { Audience, Clock, Reply, Session } from './ports.ts';
import { Presence } from './presence.ts';
import { readEphemeral, type LockRequest } from './read-presence.ts';
import { reject } from './rejection.ts';

export class RoomMembers {
  readonly #workflowId: string;
  readonly #audience: Audience;
  readonly #presence: Presence;
  readonly locks: Locks;

  /** @param onEmpty called when the last member has left */
  constructor(
    { workflowId, clock, audience }: { workflowId: string; clock: Clock; audience: Audience },
    onEmpty: () => void,
  ) {
    this.#workflowId = workflowId;
    this.#audience = audience;
    this.locks = new Locks(clock, {
      locked: (handleLockRequest) => this.#broadcastLock('node:locked', handleLockRequest),
      unlocked: (lock, reason) => this.#broadcastLock('node:unlocked', lock, reason),
    });
    this.#presence = new Presence({ clock, audience, workflowId }, (session) => {
      this.locks.releaseAll(session, 'disconnected');
      if (this.#presence.size === 0) onEmpty();
    });
  }

  #broadcastLock(event: string, { nodeId, holder, expiresAt }: LockView, reason?: UnlockReason): void {
    const payload = { workflowId: this.#workflowId, nodeId, holder };
    this.#audience.broadcast(
      event,
      reason === undefined ? { ...payload, expiresAt } : { ...payload, reason },
    );
  }

  get size(): number {
    return this.#presence.size;
  }

  get idle(): number {
    return this.#presence.countIdle();
  }

  /** Present and connected. */
  has(session: Session): boolean {
    return this.#presence.has(session);
  }

  /** Adds a session. It replaces the older session of the same tab and takes over its locks. */
  join(session: Session): void {
    const old = this.#presence.findPredecessor(session);
    if (old !== null) {
      this.locks.transfer(old, session);
      old.send('session:replaced', { workflowId: this.#workflowId, bySessionId: session.sessionId });
    }
    if (!this.#presence.has(session)) this.#presence.join(session);
    if (old !== null) this.#presence.leave(old);
  }

  leave(session: Session): void {
    this.#presence.leave(session);
  }

  /** The connection was lost; the client may come back under the same clientId. */
  disconnect(session: Session): void {
    this.#presence.disconnect(session);
  }

  revoke(session: Session): void {
    session.send('workflow:access-revoked', { workflowId: this.#workflowId });
    this.locks.releaseAll(session, 'revoked');
    this.#presence.leave(session);
  }

  /** Answers a lock request; `isThere` says whether the document has a node. */
  lock(session: Session, request: LockRequest, isThere: (nodeId: string) => boolean): Reply {
    switch (request.event) {
      case 'node:lock':
        if (!session.mayEdit()) return reject({ code: 'FORBIDDEN' });
        if (!isThere(request.nodeId)) return reject({ code: 'NODE_NOT_FOUND' });
        return this.locks.acquire(session, request.nodeId, request.steal);
      case 'node:lock-renew':
        return { ok: true, ...this.locks.renew(session, request.locks) };
      case 'node:unlock':
        return this.locks.release(session, request.nodeId, request.token)
          ? { ok: true }
          : reject({ code: 'LOCK_LOST' });
    }
  }

  /** Updates cursor, drag, selection or activity; an invalid payload is ignored. */
  updatePresence(session: Session, event: Parameters<typeof readEphemeral>[0], payload: unknown): void {
    const value = readEphemeral(event, payload);
    if (value !== null) this.#presence.update(session, event, value);
  }

  /** Lists presence and locks as `workflow:joined` carries them. */
  list(): { readonly presence: JsonObject[]; readonly locks: LockView[] } {
    return { presence: this.#presence.list(), locks: this.locks.list() };
  }

  dispose(): void {
    this.locks.dispose();
    this.#presence.dispose();
  }
}
