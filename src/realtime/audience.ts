/** Everybody in one room, over Socket.io: an event is encoded once for those who read frames and once for the others. */
import type { Server } from 'socket.io';
import { entryOf } from './frames.ts';
import type { Audience, BroadcastOptions, RoomKey, Session } from './room/ports.ts';
import { SocketSession } from './socket-session.ts';

function ofSocket(session: Session): SocketSession {
  if (!(session instanceof SocketSession)) throw new TypeError('not a session of this server');
  return session;
}

export class SocketAudience implements Audience {
  readonly #io: Server;
  /** The organization is part of the name: no two can meet in one. */
  readonly #name: string;
  readonly #framed = new Set<SocketSession>();
  readonly #plain = new Set<SocketSession>();

  constructor(io: Server, { organizationId, workflowId }: RoomKey) {
    this.#io = io;
    this.#name = `wf:${organizationId}:${workflowId}`;
  }

  add(session: Session): void {
    const member = ofSocket(session);
    if (member.isFramed) {
      this.#framed.add(member);
      return;
    }
    this.#plain.add(member);
    member.join(this.#name);
  }

  remove(session: Session): void {
    const member = ofSocket(session);
    this.#framed.delete(member);
    if (this.#plain.delete(member)) member.leave(this.#name);
  }

  toRoom(event: string, payload: object, { except, volatile = false }: BroadcastOptions = {}): void {
    if (this.#framed.size > 0) {
      const entry = entryOf(event, payload);
      for (const member of this.#framed) {
        if (member !== except && !(volatile && member.isSlow)) member.push(entry);
      }
    }
    if (this.#plain.size === 0) return;
    // Each socket is alone in the room of its own id.
    const left = except === undefined ? [] : [except.sessionId];
    if (volatile) for (const member of this.#plain) if (member.isSlow) left.push(member.sessionId);
    this.#io.to(this.#name).except(left).emit(event, payload);
  }
}
