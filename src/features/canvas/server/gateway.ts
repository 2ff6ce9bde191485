/**
 * The life of a connection: packets are metered, the handshake is authorized, then the session's events go to the rooms
 * until it disconnects. Enforces the limits of one connection.
 */
import { TrustedProxies } from '../../../platform/access/client-address.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Server, Socket } from 'socket.io';
import type { AccessWatch } from './access-watch.ts';
import { EventRouter } from './event-router.ts';
import { FloodMeter } from './flood.ts';
import type { FrameScheduler } from './frames.ts';
import {
  HandshakeError,
  readHandshake,
  readRelayedHandshake,
  readToken,
  type HandshakeDeps,
  type AuthorizedClient,
} from './handshake.ts';
import { traceHandshake } from './traces.ts';
import { ConnectionQuota, MAX_SESSION_AGE_MS, HandshakePenalties, UNJOINED_MS } from './limits.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Reply } from '../room/ports.ts';
import { readRelayTicket } from './relay-ticket.ts';
import type { Relays } from './relays.ts';
import { SocketSession } from './socket-session.ts';
import { TokenExpiry } from './token-expiry.ts';
import type { Connection } from './transport.ts';

/** How often all connections are checked for unread bytes, idle sockets and age. */
const CHECK_MS = 500;

interface GatewayDeps extends HandshakeDeps {
  readonly io: Server;
  readonly rooms: RoomApi;
  readonly access: AccessWatch;
  readonly frames: FrameScheduler;
  readonly relays: Relays;
}

/** A session with its socket, router and timers. */
interface ConnectedClient {
  readonly session: SocketSession;
  readonly socket: Socket;
  readonly router: EventRouter;
  readonly tokenExpiry: TokenExpiry;
  readonly since: number;
  /** Monotonic time since which it is in no room; null while it is in one. */
  unjoinedSince: number | null;
}

export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #connections = new ConnectionQuota();
  readonly #penalties = new HandshakePenalties();
  readonly #proxies: TrustedProxies;
  readonly #meters = new WeakMap<Connection, FloodMeter>();
  readonly #clients = new Map<string, ConnectedClient>();
  readonly #checkTimer: NodeJS.Timeout;
  #isDraining = false;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    this.#proxies = new TrustedProxies(deps.config.trustedProxies);
    deps.io.engine.on('connection', (conn: Connection) => this.#meterPackets(conn));
    deps.io.use((socket, next) => {
      traceHandshake(socket.handshake.headers, () => this.#authorize(socket)).then(
        () => next(),
        (error: unknown) => {
          // Socket.io clients reconnect after a closed connection, but not after a connect_error.
          if (this.#isDraining) socket.conn.close();
          next(this.#toHandshakeError(socket, error));
        },
      );
    });
    deps.io.on('connection', (socket) => this.#onConnection(socket));
    this.#checkTimer = setInterval(() => this.#checkClients(), CHECK_MS).unref();
  }

  /** All connected sessions. */
  get sessions(): readonly SocketSession[] {
    return [...this.#clients.values()].map((guest) => guest.session);
  }

  /** Bytes that all clients together had not read at the last check. */
  get unreadBytes(): number {
    let bytes = 0;
    for (const { session } of this.#clients.values()) bytes += session.unreadBytes;
    return bytes;
  }

  /** Rejects handshakes and sends every client a random delay after which to reconnect. */
  startDraining(): void {
    this.#isDraining = true;
    for (const { session } of this.#clients.values()) {
      session.send('server:draining', { reconnectInMs: Math.round(500 + Math.random() * 4_500) });
    }
  }

  /** Closes the engine connections: a client does not reconnect after an `io server disconnect`. */
  closeConnections(): void {
    for (const { socket } of this.#clients.values()) socket.conn.close();
  }

  /** Whether new connections are accepted. */
  get isOpen(): boolean {
    return !this.#isDraining;
  }

  dispose(): void {
    clearInterval(this.#checkTimer);
    for (const guest of this.#clients.values()) this.#forget(guest);
  }

  #meterPackets(conn: Connection): void {
    const meter = new FloodMeter();
    this.#meters.set(conn, meter);
    conn.on('packet', (packet: { readonly data?: unknown }) => {
      const { data } = packet;
      const bytes = typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0;
      if (!meter.countPacket(bytes)) this.#closeFlooding(conn);
    });
  }

  #closeFlooding(conn: Connection): void {
    for (const { session, socket } of this.#clients.values()) {
      if (socket.conn !== conn) continue;
      const address = this.#findAddress(socket);
      this.#penalties.noteFlood(session.userId, address);
      session.send('flood', { retryAfterMs: this.#penalties.waitForUser(session.userId, address) });
      session.flushFrame();
      this.#deps.log.warn({ user_id: session.userId }, 'a flooding connection was closed');
    }
    conn.close();
  }

  #findAddress({ handshake }: Socket): string {
    return this.#proxies.findClient(handshake.address, handshake.headers).address;
  }

  /** Authorizes a handshake and counts the connection. @throws HandshakeError, without counting it */
  async #authorize(socket: Socket): Promise<AuthorizedClient> {
    const { auth } = socket.handshake;
    const address = this.#findAddress(socket);
    if (this.#isDraining) throw new HandshakeError('SERVER_DRAINING', 'The server is restarting');
    const relayed = readRelayTicket(this.#deps.config.auth, auth['relay']);
    if (relayed !== null) {
      // The relaying process counts the connection, and all its clients have one address.
      const client = await readRelayedHandshake(this.#deps, relayed);
      socket.data.visitor = client;
      return client;
    }
    requireNoWait(this.#penalties.waitForAddress(address));
    const visitor = await readHandshake(this.#deps, auth);
    const { caller, organizationId } = visitor.scope;
    requireNoWait(this.#penalties.waitForUser(caller.userId, address));
    const release = this.#connections.acquire(organizationId, caller.userId);
    if (release === null) throw new HandshakeError('TOO_MANY_CONNECTIONS', 'Too many connections');
    socket.data.visitor = visitor;
    // The connection may close before it becomes a session, so the quota is released by the transport's close.
    socket.conn.once('close', release);
    if (socket.conn.readyState !== 'open') release();
    return visitor;
  }

  #toHandshakeError(socket: Socket, error: unknown): HandshakeError {
    if (!(error instanceof HandshakeError)) {
      this.#deps.log.error({ err: error }, 'a handshake failed');
      return new HandshakeError('AUTH_UNAVAILABLE', 'The connection cannot be authorised right now');
    }
    if (!error.data.retryable) this.#penalties.noteRefused(this.#findAddress(socket));
    return error;
  }

  #onConnection(socket: Socket): void {
    const { rooms, access, frames, relays, log, config } = this.#deps;
    const visitor: AuthorizedClient = socket.data.visitor;
    const session = new SocketSession(socket, visitor, { frames, access });
    const meter = this.#meters.get(socket.conn);
    const tokenExpiry = new TokenExpiry(session, visitor.tokenEndsAtMs, config.endsSocketsWithTokens);
    const router = new EventRouter({
      rooms,
      relays,
      log,
      session,
      refresh: (payload) => this.#refresh(session, tokenExpiry, payload),
      onRejected: () => {
        if (meter?.countRejection() === false) this.#closeFlooding(socket.conn);
      },
    });
    const now = systemClock.monotonic();
    const guest: ConnectedClient = { session, socket, router, tokenExpiry, since: now, unjoinedSince: now };
    this.#clients.set(socket.id, guest);
    access.add(session);
    socket.onAny((event: string, ...args: unknown[]) => router.handle(event, args));
    socket.once('disconnect', () => {
      this.#clients.delete(socket.id);
      this.#forget(guest);
      session.end();
      access.remove(session);
      relays.dropAll(session);
      rooms.disconnect(session);
    });
  }

  #forget({ router, tokenExpiry }: ConnectedClient): void {
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
        throw new HandshakeError('TOKEN_INVALID', 'The token is of another user');
      }
      clock.setEnd(tokenEndsAtMs);
      return { ok: true, expiresAt: tokenEndsAtMs };
    } catch (error) {
      if (error instanceof HandshakeError) return { ok: false, ...error.data };
      throw error;
    }
  }

  #checkClients(): void {
    const now = systemClock.monotonic();
    for (const guest of this.#clients.values()) {
      const { session } = guest;
      if (!session.checkBackpressure(now)) {
        this.#deps.log.warn({ user_id: session.userId }, 'a client that does not read was disconnected');
        continue;
      }
      if (session.roomCount > 0) guest.unjoinedSince = null;
      else guest.unjoinedSince ??= now;
      const isIdle = guest.unjoinedSince !== null && now - guest.unjoinedSince > UNJOINED_MS;
      // The engine connection is closed, so that Socket.io clients reconnect.
      if (isIdle || now - guest.since > MAX_SESSION_AGE_MS) guest.socket.conn.close();
    }
  }
}

/** @throws HandshakeError with `retryAfterMs` */
function requireNoWait(waitMs: number): void {
  if (waitMs > 0) throw new HandshakeError('TOO_MANY_CONNECTIONS', 'Too many attempts; wait', waitMs);
}
