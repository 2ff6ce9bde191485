/** The audience of a room over Socket.io: an event is encoded once for clients with `frames` and once for the others. */
import type { Server } from 'socket.io';
import { encodeEntry } from './frames.ts';
import type { Audience, BroadcastOptions, RoomKey, Session, SnapshotMessage } from '../room/ports.ts';
import { SharedSchemaCache } from './shared-schema.ts';
import { toSocketSession, type SocketSession } from './socket-session.ts';

/** The sessions in each room, for events that do not come from the room itself. */
export class SocketsByRoom {
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

  list(key: RoomKey): Iterable<SocketSession> {
    return this.#byRoom.get(toSocketRoom(key)) ?? [];
  }
}

/** The name includes the organization, so that two organizations never share a Socket.io room. */
const toSocketRoom = ({ organizationId, workflowId }: RoomKey): string =>
  `wf:${organizationId}:${workflowId}`;

class SocketAudience implements Audience {
  readonly #io: Server;
  readonly #members: SocketsByRoom;
  readonly #name: string;
  readonly #schemas: SharedSchemaCache;
  readonly #framed = new Set<SocketSession>();
  readonly #plain = new Set<SocketSession>();

  constructor(
    key: RoomKey,
    {
      io,
      members,
      schemas,
    }: { readonly io: Server; readonly members: SocketsByRoom; readonly schemas: SharedSchemaCache },
  ) {
    this.#io = io;
    this.#members = members;
    this.#schemas = schemas;
    this.#name = toSocketRoom(key);
  }

  add(session: Session): void {
    const member = toSocketSession(session);
    this.#members.add(this.#name, member);
    if (member.isFramed) {
      this.#framed.add(member);
      return;
    }
    this.#plain.add(member);
    member.join(this.#name);
  }

  remove(session: Session): void {
    const member = toSocketSession(session);
    this.#members.remove(this.#name, member);
    this.#framed.delete(member);
    if (this.#plain.delete(member)) member.leave(this.#name);
  }

  sendSnapshot(session: Session, { event, payload, schema }: SnapshotMessage): void {
    toSocketSession(session).sendSnapshot({ event, payload }, this.#schemas.share(schema));
  }

  broadcast(event: string, payload: object, { except, volatile = false }: BroadcastOptions = {}): void {
    if (this.#framed.size > 0) {
      const entry = encodeEntry(event, payload);
      for (const member of this.#framed) {
        if (member !== except && !(volatile && member.isSlow)) member.push(entry);
      }
    }
    if (this.#plain.size === 0) return;
    // Socket.io has a room for each socket id, which excludes that socket.
    const left = except === undefined ? [] : [except.sessionId];
    if (volatile) for (const member of this.#plain) if (member.isSlow) left.push(member.sessionId);
    this.#io.to(this.#name).except(left).emit(event, payload);
  }
}

/** Returns a factory of audiences that share one cache of encoded definitions. */
export function createAudiences(io: Server, members: SocketsByRoom): (key: RoomKey) => Audience {
  const schemas = new SharedSchemaCache();
  return (key) => new SocketAudience(key, { io, members, schemas });
}
