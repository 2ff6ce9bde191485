/**
 * Starts the realtime server: Socket.io, the rooms and their ports. On shutdown it saves all acknowledged operations before
 * it disconnects the clients.
 */
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Server } from 'socket.io';
import { takeTurn } from '../../../base/shares/turns.ts';
import { systemClock } from '../../../base/clock.ts';
import { readPort } from '../../../platform/http/server.ts';
import { AccessWatch } from './access-watch.ts';
import type { Occupancy } from './admin.ts';
import { SocketsByRoom, createAudiences } from './audience.ts';
import { DURABLE_LIMITS } from './event-router.ts';
import { FrameScheduler } from './frames.ts';
import { Gateway } from './gateway.ts';
import { LeaseRenewal } from './lease-renewal.ts';
import type { HandshakeDeps } from './handshake.ts';
import { HANDSHAKE_TIMEOUT_MS, MAX_FRAME_BYTES } from './limits.ts';
import { Notices } from './notices.ts';
import { storeMeters } from './traces.ts';
import { createHttpHandler } from './plain-http.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Clock } from '../room/ports.ts';
import { Rooms } from '../room/rooms.ts';
import { Relays } from './relays.ts';
import { RunOverlay } from './run-overlay.ts';
import { SocketSnapshotSemaphore } from './snapshot-semaphore.ts';
import { deriveNodeIdentity } from '../store/node.ts';
import { PgRoomStore } from '../store/room-store.ts';

/** Time for saving on shutdown; the rest of ten seconds is for closing connections. */
const SAVE_TIMEOUT_MS = 8_000;

export interface RealtimeServer {
  readonly http: HttpServer;
  readonly rooms: RoomApi;
  /**
   * Shuts down: rejects new connections, saves all rooms, releases their leases, disconnects all clients.
   * @returns how many rooms could not be saved; the log has their operations
   */
  drain(): Promise<number>;
}

const clock: Clock = {
  ...systemClock,
  random: () => Math.random(),
  newId: () => randomUUID(),
};

/**
 * Whether a page of this origin may open a socket: CORS does not apply to websockets. Without APP_URL only the server's own
 * origin may. Clients other than browsers send no origin.
 */
function isAllowedOrigin({ headers }: IncomingMessage, appOrigin: string | null): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return true;
  if (appOrigin !== null) return origin === appOrigin;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function createSocketServer(http: HttpServer, appUrl: string | undefined, isOpen: () => boolean): Server {
  const appOrigin = appUrl === undefined ? null : new URL(appUrl).origin;
  return new Server(http, {
    // Rejected by the engine during shutdown, so that clients reconnect.
    allowRequest: (request, decide) => decide(null, isOpen() && isAllowedOrigin(request, appOrigin)),
    serveClient: false,
    // Socket.io clients begin with polling. A lost connection is detected within 18 s.
    transports: ['polling', 'websocket'],
    pingInterval: 10_000,
    pingTimeout: 8_000,
    connectTimeout: HANDSHAKE_TIMEOUT_MS,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    ...(appOrigin === null ? {} : { cors: { origin: appOrigin, credentials: true } }),
  });
}

async function listen(http: HttpServer, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

interface Sessions {
  readonly gateway: Gateway;
  readonly relays: Relays;
}

function readOccupancy(io: Server, api: RoomApi, { gateway, relays }: Sessions): Occupancy {
  const { rooms, sessions, unsavedOps, degradedRooms } = api.counts();
  const { active, idle } = sessions;
  const connections = io.engine.clientsCount;
  return {
    rooms,
    connections,
    active,
    idle,
    relayedSessions: relays.count,
    unsavedOperations: unsavedOps,
    degradedRooms,
    unreadBytes: gateway.unreadBytes,
  };
}

/** Address to listen at; port 0 takes a free port. */
interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Overrides the interval of access re-checks (access-watch.ts). */
  readonly accessSweepMs?: number;
}

/** Starts the server. @throws Error with `code` EADDRINUSE, EACCES, ... when it cannot listen */
export async function listenRealtime(
  deps: HandshakeDeps,
  { host, port, accessSweepMs }: ListenOptions,
): Promise<RealtimeServer> {
  const { config, db, log } = deps;
  const http = createServer();
  // Listens first: the node's identity is derived from its address.
  await listen(http, host, port);
  const isOpen = (): boolean => gateway.isOpen;
  const io = createSocketServer(http, config.appUrl, isOpen);
  const identity = deriveNodeIdentity(host, readPort(http), config.realtimePeerUrl);
  const store = new PgRoomStore(config.databaseUrl, identity, storeMeters);
  const relays = new Relays(config.auth);
  const members = new SocketsByRoom();
  const rooms = new Rooms(
    {
      store,
      clock,
      log,
      snapshots: new SocketSnapshotSemaphore(),
      remote: relays,
      audience: createAudiences(io, members),
      takeTurn,
    },
    { pinnedMaxLag: config.realtimeMaxLag, limits: DURABLE_LIMITS },
  );
  const access = new AccessWatch({
    db,
    log,
    onRevoked: (session) => {
      rooms.revoke(session);
      session.close('ACCESS_REVOKED');
    },
    ...(accessSweepMs === undefined ? {} : { sweepMs: accessSweepMs }),
  });
  const frames = new FrameScheduler();
  const gateway = new Gateway({ ...deps, io, rooms, access, frames, relays });
  const answerFlush = (workflowId: string, request: number): Promise<void> =>
    store.answerFlush(workflowId, request);
  const notices = new Notices({ databaseUrl: config.databaseUrl, db, log, rooms, access, answerFlush });
  const leases = new LeaseRenewal({ rooms, store, db, log, isCluster: config.isRealtimeCluster });

  const overlay = new RunOverlay({
    databaseUrl: config.databaseUrl,
    db,
    log,
    live: () => rooms.listLive(),
    show(key, progress, { isPrivate, createdBy }) {
      for (const member of members.list(key)) {
        const isVisible = !isPrivate || member.userId === createdBy || member.role === 'owner';
        if (isVisible) member.send('run:progress', progress, { volatile: true });
      }
    },
  });

  const occupancy = (): Occupancy => readOccupancy(io, rooms, { gateway, relays });
  const onPlain = createHttpHandler(deps, { isOpen, occupancy });
  // Socket.io handles its own path only.
  http.on('request', (request, response) => {
    if (!(request.url ?? '').startsWith('/socket.io/')) onPlain(request, response);
  });

  return {
    http,
    rooms,
    async drain() {
      gateway.startDraining();
      frames.flush();
      const unsaved = await rooms.drain(SAVE_TIMEOUT_MS);
      leases.dispose();
      await Promise.all([notices.close(), overlay.close()]);
      access.dispose();
      frames.flush();
      gateway.closeConnections();
      gateway.dispose();
      rooms.dispose();
      // Keep-alive connections of probes would delay the shutdown.
      http.closeAllConnections();
      await io.close();
      await store.close();
      return unsaved;
    },
  };
}
