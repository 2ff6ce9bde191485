/**
 * The realtime server: Socket.io, the rooms and what they stand on, put together; and its end, in which everything
 * that was acknowledged is saved first.
 */
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Server } from 'socket.io';
import { systemClock } from '../../clock.ts';
import { readPort } from '../../http/server.ts';
import { AccessWatch } from './access-watch.ts';
import type { Occupancy } from './admin.ts';
import { Members, openAudiences } from './audience.ts';
import { DURABLE_LIMITS } from './event-router.ts';
import { FrameClock } from './frames.ts';
import { Gateway } from './gateway.ts';
import { LeaseRenewal } from './lease-renewal.ts';
import type { HandshakeDeps } from './handshake.ts';
import { HANDSHAKE_WITHIN_MS, MAX_FRAME_BYTES } from './limits.ts';
import { Notices } from './notices.ts';
import { observedStore } from './observed.ts';
import { plainHandler } from './plain-http.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Clock } from '../room/ports.ts';
import { Rooms } from '../room/rooms.ts';
import { RunOverlay } from './run-overlay.ts';
import { SnapshotTurns } from './snapshot-turns.ts';
import { nodeAt } from '../store/node.ts';
import { PgRoomStore } from '../store/room-store.ts';

/** What an end in order may take for saving; the rest of ten seconds is for connections. */
const SAVE_WITHIN_MS = 8_000;

export interface RealtimeServer {
  readonly http: HttpServer;
  readonly rooms: RoomApi;
  /**
   * Ends in order: nobody is let in, everything is saved, leases are released, everybody is disconnected.
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
 * Whether a page of this origin may open a socket. CORS does not hold for websockets: what a browser says must be looked at.
 * Without APP_URL only our own origin may, as with CORS; what is no browser says none.
 */
function isOwnPage({ headers }: IncomingMessage, appOrigin: string | null): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return true;
  if (appOrigin !== null) return origin === appOrigin;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function openSockets(http: HttpServer, appUrl: string | undefined, isOpen: () => boolean): Server {
  const appOrigin = appUrl === undefined ? null : new URL(appUrl).origin;
  return new Server(http, {
    // Refused below Socket.io while the server ends: clients try again by themselves.
    allowRequest: (request, decide) => decide(null, isOpen() && isOwnPage(request, appOrigin)),
    serveClient: false,
    // Both, and polling first: that is how clients begin. A lost connection is noticed within 18 s.
    transports: ['polling', 'websocket'],
    pingInterval: 10_000,
    pingTimeout: 8_000,
    connectTimeout: HANDSHAKE_WITHIN_MS,
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

function occupancyOf(io: Server, api: RoomApi, { unreadBytes }: Gateway): Occupancy {
  const { rooms, sessions, unsavedOps, degradedRooms } = api.counts();
  const { active, idle } = sessions;
  const connections = io.engine.clientsCount;
  return { rooms, connections, active, idle, unsavedOperations: unsavedOps, degradedRooms, unreadBytes };
}

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Overrides the period of access re-checks (access-watch.ts). */
  readonly accessSweepMs?: number;
}

/** Starts to listen. @throws Error with `code` EADDRINUSE, EACCES, ... when it cannot */
export async function listenRealtime(
  deps: HandshakeDeps,
  { host, port, accessSweepMs }: ListenOptions,
): Promise<RealtimeServer> {
  const { config, db, log } = deps;
  const http = createServer();
  // Listening first: the address is what tells this process from others.
  await listen(http, host, port);
  const isOpen = (): boolean => gateway.isOpen;
  const io = openSockets(http, config.appUrl, isOpen);
  const store = new PgRoomStore(config.databaseUrl, nodeAt(host, readPort(http)), observedStore);
  const members = new Members();
  const rooms = new Rooms(
    { store, clock, log, snapshots: new SnapshotTurns(), audience: openAudiences(io, members) },
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
  const frames = new FrameClock();
  const gateway = new Gateway({ ...deps, io, rooms, access, frames });
  const answerFlush = (workflowId: string, asked: number): Promise<void> =>
    store.answerFlush(workflowId, asked);
  const notices = new Notices({ databaseUrl: config.databaseUrl, db, log, rooms, access, answerFlush });
  const leases = new LeaseRenewal({ rooms, store, db, log, isCluster: config.isRealtimeCluster });

  const overlay = new RunOverlay({
    databaseUrl: config.databaseUrl,
    db,
    log,
    live: () => rooms.live(),
    show(key, progress, { isPrivate, createdBy }) {
      for (const member of members.of(key)) {
        const isVisible = !isPrivate || member.userId === createdBy || member.role === 'owner';
        if (isVisible) member.send('run:progress', progress, { volatile: true });
      }
    },
  });

  const onPlain = plainHandler(deps, () => occupancyOf(io, rooms, gateway));
  // Socket.io takes the requests for its own path and leaves the others to this handler.
  http.on('request', (request, response) => {
    if (!(request.url ?? '').startsWith('/socket.io/')) onPlain(request, response);
  });

  return {
    http,
    rooms,
    async drain() {
      gateway.startDraining();
      frames.flush();
      const unsaved = await rooms.drain(SAVE_WITHIN_MS);
      leases.dispose();
      await Promise.all([notices.close(), overlay.close()]);
      access.dispose();
      frames.flush();
      gateway.closeConnections();
      gateway.dispose();
      rooms.dispose();
      // Probes keep their connections alive, and would hold the end up.
      http.closeAllConnections();
      await io.close();
      await store.close();
      return unsaved;
    },
  };
}
