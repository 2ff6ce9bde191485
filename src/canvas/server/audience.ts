/** Everybody in one room, over Socket.io: an event is encoded once for those who read frames and once for the others. */
import type { Server } from 'socket.io';
import { entryOf } from './frames.ts';
import type { Audience, BroadcastOptions, RoomKey, Session, Shown } from '../room/ports.ts';
import { SharedSchemas } from './shared-schema.ts';
import { socketSessionOf, type SocketSession } from './socket-session.ts';

/** Who is in which room, for what is shown to a room from outside it. */
export class Members {
  readonly #byRoom = new Map<string, Set<SocketSession>>();

  add(room: string, member: SocketSession): void {
    const members = this.#byRoom.get(room) ?? new Set();
    if (!members.has(member)) member.roomCount += 1;
    members.add(member);
    this.#byRoom.set(room, members);
  }

  remove(room: string, member: SocketSession): void {
    const members = this.#byRoom.get(room);
    if (members?.delete(member) === true) member.roomCount -= 1;
    if (members?.size === 0) this.#byRoom.delete(room);
  }

  of(key: RoomKey): Iterable<SocketSession> {
    return this.#byRoom.get(nameOf(key)) ?? [];
  }
}

/** The organization is part of the name: no two can meet in one room. */
const nameOf = ({ organizationId, workflowId }: RoomKey): string => `wf:${organizationId}:${workflowId}`;

class SocketAudience implements Audience {
  readonly #io: Server;
  readonly #members: Members;
  readonly #name: string;
  readonly #schemas: SharedSchemas;
  readonly #framed = new Set<SocketSession>();
  readonly #plain = new Set<SocketSession>();

  constructor(
    key: RoomKey,
    {
      io,
      members,
      schemas,
    }: { readonly io: Server; readonly members: Members; readonly schemas: SharedSchemas },
  ) {
    this.#io = io;
    this.#members = members;
    this.#schemas = schemas;
    this.#name = nameOf(key);
  }

  add(session: Session): void {
    const member = socketSessionOf(session);
    this.#members.add(this.#name, member);
    if (member.isFramed) {
      this.#framed.add(member);
      return;
    }
    this.#plain.add(member);
    member.join(this.#name);
  }

  remove(session: Session): void {
    const member = socketSessionOf(session);
    this.#members.remove(this.#name, member);
    this.#framed.delete(member);
    if (this.#plain.delete(member)) member.leave(this.#name);
  }

  show(session: Session, { event, payload, schema }: Shown): void {
    socketSessionOf(session).sendWhole({ event, payload }, this.#schemas.share(schema));
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

/** Opens the audiences of a process: a definition is encoded once for all of them. */
export function openAudiences(io: Server, members: Members): (key: RoomKey) => Audience {
  const schemas = new SharedSchemas();
  return (key) => new SocketAudience(key, { io, members, schemas });
}
