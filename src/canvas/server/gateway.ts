/**
 * The life of a connection: counted from its first packet, let in by its handshake, then a session whose events go to
 * the rooms, until it ends or is ended. Limits of one connection are enforced here.
 */
import type { Server, Socket } from 'socket.io';
import type { AccessWatch } from './access-watch.ts';
import { EventRouter } from './event-router.ts';
import { FloodMeter } from './flood.ts';
import type { FrameClock } from './frames.ts';
import { HandshakeRefused, readHandshake, readToken, type HandshakeDeps, type Visitor } from './handshake.ts';
import { observedHandshake } from './observed.ts';
import { Connections, MAX_SESSION_AGE_MS, Penalties, UNJOINED_MS } from './limits.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Reply } from '../room/ports.ts';
import { SocketSession } from './socket-session.ts';
import { TokenExpiry } from './token-expiry.ts';
import type { Connection } from './transport.ts';

/** How often all connections are looked at: unread bytes, sockets that join nothing, age. */
const LOOK_MS = 500;

export interface GatewayDeps extends HandshakeDeps {
  readonly io: Server;
  readonly rooms: RoomApi;
  readonly access: AccessWatch;
  readonly frames: FrameClock;
}

/** One session and what belongs to its connection. */
interface Guest {
  readonly session: SocketSession;
  readonly socket: Socket;
  readonly router: EventRouter;
  readonly tokenExpiry: TokenExpiry;
  readonly since: number;
  /** Since when it is in no room; null while it is in one. */
  unjoinedSince: number | null;
}

export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #connections = new Connections();
  readonly #penalties = new Penalties();
  readonly #meters = new WeakMap<Connection, FloodMeter>();
  readonly #guests = new Map<string, Guest>();
  readonly #looking: NodeJS.Timeout;
  #isDraining = false;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    deps.io.engine.on('connection', (conn: Connection) => this.#measure(conn));
    deps.io.use((socket, next) => {
      observedHandshake(socket.handshake.headers, () => this.#letIn(socket)).then(
        () => next(),
        (error: unknown) => {
          // Plain clients come back by themselves from a lost connection, and from a refusal never.
          if (this.#isDraining) socket.conn.close();
          next(this.#refusal(socket, error));
        },
      );
    });
    deps.io.on('connection', (socket) => this.#welcome(socket));
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** The sessions that are connected. */
  get sessions(): readonly SocketSession[] {
    return [...this.#guests.values()].map((guest) => guest.session);
  }

  /** What all clients together had not taken when they were looked at last. */
  get unreadBytes(): number {
    let bytes = 0;
    for (const { session } of this.#guests.values()) bytes += session.unreadBytes;
    return bytes;
  }

  /** No more handshakes; everybody is told to come again, not all at the same moment. */
  startDraining(): void {
    this.#isDraining = true;
    for (const { session } of this.#guests.values()) {
      session.send('server:draining', { reconnectInMs: Math.round(500 + Math.random() * 4_500) });
    }
  }

  /** Closes all connections below Socket.io: a client that is told `io server disconnect` does not come back by itself. */
  closeConnections(): void {
    for (const { socket } of this.#guests.values()) socket.conn.close();
  }

  /** Whether a connection may be opened at all. */
  get isOpen(): boolean {
    return !this.#isDraining;
  }

  dispose(): void {
    clearInterval(this.#looking);
    for (const guest of this.#guests.values()) this.#forget(guest);
  }

  #measure(conn: Connection): void {
    const meter = new FloodMeter();
    this.#meters.set(conn, meter);
    conn.on('packet', (packet: { readonly data?: unknown }) => {
      const { data } = packet;
      const bytes = typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0;
      if (!meter.packet(bytes)) this.#flooded(conn);
    });
  }

  #flooded(conn: Connection): void {
    for (const { session, socket } of this.#guests.values()) {
      if (socket.conn !== conn) continue;
      this.#penalties.noteFlood(session.userId, socket.handshake.address);
      session.send('flood', {
        retryAfterMs: this.#penalties.waitOfUser(session.userId, socket.handshake.address),
      });
      session.flushFrame();
      this.#deps.log.warn({ user_id: session.userId }, 'a connection was closed for flooding');
    }
    conn.close();
  }

  /** @throws HandshakeRefused, and nothing is kept */
  async #letIn(socket: Socket): Promise<Visitor> {
    const { address, auth } = socket.handshake;
    if (this.#isDraining) throw new HandshakeRefused('SERVER_DRAINING', 'The server is restarting');
    requireNoWait(this.#penalties.waitOfAddress(address));
    const visitor = await readHandshake(this.#deps, auth);
    const { caller, organizationId } = visitor.scope;
    requireNoWait(this.#penalties.waitOfUser(caller.userId, address));
    const giveBack = this.#connections.take(organizationId, caller.userId);
    if (giveBack === null) throw new HandshakeRefused('TOO_MANY_CONNECTIONS', 'Too many connections');
    socket.data.visitor = visitor;
    // The connection may end before it becomes a session: its place is bound to the transport.
    socket.conn.once('close', giveBack);
    if (socket.conn.readyState !== 'open') giveBack();
    return visitor;
  }

  #refusal(socket: Socket, error: unknown): HandshakeRefused {
    if (!(error instanceof HandshakeRefused)) {
      this.#deps.log.error({ err: error }, 'a handshake failed');
      return new HandshakeRefused('AUTH_UNAVAILABLE', 'The connection cannot be authorised right now');
    }
    if (!error.data.retryable) this.#penalties.noteRefused(socket.handshake.address);
    return error;
  }

  #welcome(socket: Socket): void {
    const { rooms, access, frames, log, config } = this.#deps;
    const visitor: Visitor = socket.data.visitor;
    const session = new SocketSession(socket, visitor, { frames, access });
    const meter = this.#meters.get(socket.conn);
    const tokenExpiry = new TokenExpiry(session, visitor.tokenEndsAtMs, config.endsSocketsWithTokens);
    const router = new EventRouter({
      rooms,
      log,
      session,
      refresh: (payload) => this.#refresh(session, tokenExpiry, payload),
      onRejected: () => {
        if (meter?.rejection() === false) this.#flooded(socket.conn);
      },
    });
    const now = performance.now();
    const guest: Guest = { session, socket, router, tokenExpiry, since: now, unjoinedSince: now };
    this.#guests.set(socket.id, guest);
    access.add(session);
    socket.onAny((event: string, ...args: unknown[]) => router.take(event, args));
    socket.once('disconnect', () => {
      this.#guests.delete(socket.id);
      this.#forget(guest);
      session.end();
      access.remove(session);
      rooms.lost(session);
    });
  }

  #forget({ router, tokenExpiry }: Guest): void {
    router.dispose();
    tokenExpiry.dispose();
  }

  /** `auth:refresh`: a later token of the same user. */
  async #refresh(session: SocketSession, clock: TokenExpiry, payload: unknown): Promise<Reply> {
    const token: unknown =
      typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'token') : undefined;
    try {
      const { caller, tokenEndsAtMs } = await readToken(this.#deps, token);
      if (caller.userId !== session.userId) {
        throw new HandshakeRefused('TOKEN_INVALID', 'The token is of another user');
      }
      clock.setEnd(tokenEndsAtMs);
      return { ok: true, expiresAt: tokenEndsAtMs };
    } catch (error) {
      if (error instanceof HandshakeRefused) return { ok: false, ...error.data };
      throw error;
    }
  }

  #look(): void {
    const now = performance.now();
    for (const guest of this.#guests.values()) {
      const { session } = guest;
      if (!session.checkPace(now)) {
        this.#deps.log.warn({ user_id: session.userId }, 'a client that does not read was cut off');
        continue;
      }
      if (session.roomCount > 0) guest.unjoinedSince = null;
      else guest.unjoinedSince ??= now;
      const isIdle = guest.unjoinedSince !== null && now - guest.unjoinedSince > UNJOINED_MS;
      // Closed below Socket.io: clients come back by themselves.
      if (isIdle || now - guest.since > MAX_SESSION_AGE_MS) guest.socket.conn.close();
    }
  }
}

/** @throws HandshakeRefused that says how long to wait */
function requireNoWait(waitMs: number): void {
  if (waitMs > 0) throw new HandshakeRefused('TOO_MANY_CONNECTIONS', 'Too many attempts; wait', waitMs);
}
