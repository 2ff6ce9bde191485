/**
 * Serves clients of this process in rooms that another process owns. Each such room of a client has a Socket.io connection to
 * the owner, on which the events of both pass unchanged: the owner alone orders, saves and answers.
 */
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';
import type { RemoteRooms, Reply, Session } from '../room/ports.ts';
import type { JoinRequest } from '../room/read-presence.ts';
import { reject } from '../room/rejection.ts';
import { MAX_ROOMS_PER_SESSION } from '../room/rooms.ts';
import { signRelayTicket, type RelaySecrets } from './relay-ticket.ts';
import { toSocketSession, type SocketSession } from './socket-session.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** The owner waits 5 s for its database. */
const JOIN_TIMEOUT_MS = 7_000;

/** Events that are not passed to the client: they are about the connection between the processes, or this process sends its own. */
const PRIVATE: ReadonlySet<unknown> = new Set(['server:draining', 'auth:expiring', 'workflow:join-error']);
/** Events after which the session is no longer in the room. */
const LAST: ReadonlySet<unknown> = new Set([
  'workflow:moved',
  'workflow:deleted',
  'workflow:access-revoked',
  'session:replaced',
]);

const REPLY = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true) }),
  z.looseObject({ ok: z.literal(false), code: z.string(), message: z.string(), retryable: z.boolean() }),
]);

/** One client in one room of another process. */
class Relay {
  readonly session: SocketSession;
  readonly workflowId: string;
  /** Whether the client is in the room, so that its events go there. */
  isJoined = false;
  readonly #owner: Socket;

  constructor(session: SocketSession, workflowId: string, owner: Socket) {
    this.session = session;
    this.workflowId = workflowId;
    this.#owner = owner;
  }

  send(event: string, ...args: readonly unknown[]): void {
    this.#owner.emit(event, ...args);
  }

  /** Joins. @returns null when the owner cannot be reached or does not answer */
  join(request: JoinRequest): Promise<Reply | null> {
    return new Promise((resolve) => {
      this.#owner.once('connect', () => {
        const answer = (error: Error | null, reply: unknown): void =>
          resolve(error === null ? (REPLY.safeParse(reply).data ?? null) : null);
        this.#owner.timeout(JOIN_TIMEOUT_MS).emit('workflow:join', request, answer);
      });
      this.#owner.once('connect_error', () => resolve(null));
      this.#owner.once('disconnect', () => resolve(null));
    });
  }

  /** Calls back with the names of the events that the client got. */
  onEvents(listener: (names: readonly unknown[]) => void): void {
    this.#owner.onAny((event: string, payload: unknown) => {
      // A frame (frames.ts) is a list of events.
      const entries: readonly unknown[] | null = event === 'ops' && Array.isArray(payload) ? payload : null;
      const names =
        entries === null ? [event] : entries.map((entry) => (Array.isArray(entry) ? entry[0] : null));
      const isPublic = names.map((name) => !PRIVATE.has(name));
      if (!isPublic.includes(true)) return;
      this.session.forward(event, entries === null ? payload : entries.filter((_, index) => isPublic[index]));
      listener(names);
    });
  }

  onLost(listener: () => void): void {
    this.#owner.once('disconnect', listener);
  }

  close(): void {
    this.#owner.disconnect();
  }
}

export class Relays implements RemoteRooms {
  readonly #secrets: RelaySecrets;
  readonly #relays = new Map<SocketSession, Map<string, Relay>>();

  /** @param secrets of all processes */
  constructor(secrets: RelaySecrets) {
    this.#secrets = secrets;
  }

  /** Counts the sessions that are in a room of another process. */
  get count(): number {
    let count = 0;
    for (const relays of this.#relays.values())
      for (const { isJoined } of relays.values()) count += Number(isJoined);
    return count;
  }

  /** Finds the relay of a session in a room. */
  find(session: SocketSession, workflowId: string | undefined): Relay | undefined {
    return workflowId === undefined ? undefined : this.#relays.get(session)?.get(workflowId);
  }

  async join(session: Session, request: JoinRequest, ownerUrl: string): Promise<Reply | null> {
    const member = toSocketSession(session);
    // A relayed client is not relayed again: the process that sent it here has an outdated lease, and will read it anew.
    if (member.client.isRelayed || member.gone.aborted) return null;
    if ((this.#relays.get(member)?.size ?? 0) >= MAX_ROOMS_PER_SESSION) return reject({ code: 'ROOM_LIMIT' });
    const relay = this.#open(member, request.workflowId, ownerUrl);
    const reply = await relay.join(request);
    if (reply?.ok === true) {
      this.#noteJoined(relay);
      return reply;
    }
    this.drop(relay);
    // The owner may be draining, or have lost the room.
    return reply === null || reply.retryable ? null : reply;
  }

  #open(session: SocketSession, workflowId: string, ownerUrl: string): Relay {
    const owner = io(ownerUrl, {
      auth: { relay: signRelayTicket(this.#secrets, session.client) },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: CONNECT_TIMEOUT_MS,
    });
    const relay = new Relay(session, workflowId, owner);
    const rooms = this.#relays.get(session) ?? new Map<string, Relay>();
    this.#relays.set(session, rooms.set(workflowId, relay));
    relay.onEvents((names) => {
      if (names.includes('workflow:joined')) this.#noteJoined(relay);
      if (names.some((name) => LAST.has(name))) this.drop(relay);
    });
    relay.onLost(() => {
      if (!this.#isKnown(relay)) return;
      const { isJoined } = relay;
      this.drop(relay);
      // Looks to the client like the death of this process, from which every client reconnects.
      if (isJoined) session.reconnect();
    });
    return relay;
  }

  #isKnown(relay: Relay): boolean {
    return this.find(relay.session, relay.workflowId) === relay;
  }

  /** Counts the room of the session: the gateway closes connections that are in none. */
  #noteJoined(relay: Relay): void {
    if (relay.isJoined || !this.#isKnown(relay)) return;
    relay.isJoined = true;
    relay.session.roomCount += 1;
  }

  /** Ends a relay. */
  drop(relay: Relay): void {
    if (this.#isKnown(relay)) {
      const rooms = this.#relays.get(relay.session);
      rooms?.delete(relay.workflowId);
      if (rooms?.size === 0) this.#relays.delete(relay.session);
      if (relay.isJoined) relay.session.roomCount -= 1;
    }
    relay.isJoined = false;
    relay.close();
  }

  /** Ends all relays of a session that has disconnected. */
  dropAll(session: SocketSession): void {
    for (const relay of this.#relays.get(session)?.values() ?? []) this.drop(relay);
  }
}
