/**
 * The realtime server: Socket.io, the rooms and what they stand on, put together; and its end, in which everything
 * that was acknowledged is saved first.
 */
import { createServer, type Server as HttpServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { Server } from 'socket.io';
import type { Deps } from '../../deps.ts';
import { portOf } from '../../http/server.ts';
import { AccessWatch } from './access-watch.ts';
import type { Occupancy } from './admin.ts';
import { Members, SocketAudience } from './audience.ts';
import { DURABLE_LIMITS } from './dispatch.ts';
import { FrameClock } from './frames.ts';
import { Gateway } from './gateway.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { HANDSHAKE_WITHIN_MS, MAX_FRAME_BYTES } from './limits.ts';
import { Notices } from './notices.ts';
import { plainHandler } from './plain-http.ts';
import type { RoomDoors } from '../room/doors.ts';
import type { Clock } from '../room/ports.ts';
import { Rooms } from '../room/rooms.ts';
import { RunOverlay } from './run-overlay.ts';
import { nodeAt } from '../store/node.ts';
import { PgRoomStore } from '../store/room-store.ts';

/** What an end in order may take for saving; the rest of ten seconds is for connections. */
const SAVE_WITHIN_MS = 8_000;

type Needs = Pick<Deps, 'config' | 'db' | 'keySet' | 'log'>;

export interface RealtimeServer {
  readonly http: HttpServer;
  readonly doors: RoomDoors;
  /**
   * Ends in order: nobody is let in, everything is saved, leases are released, everybody is disconnected.
   * @returns how many rooms could not be saved; the log has their operations
   */
  drain(): Promise<number>;
}

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  random: () => Math.random(),
  newId: () => randomUUID(),
};

function openSockets(http: HttpServer, appUrl: string | undefined): Server {
  return new Server(http, {
    serveClient: false,
    // Both, and polling first: that is how clients begin. A lost connection is noticed within 18 s.
    transports: ['polling', 'websocket'],
    pingInterval: 10_000,
    pingTimeout: 8_000,
    connectTimeout: HANDSHAKE_WITHIN_MS,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    ...(appUrl === undefined ? {} : { cors: { origin: appUrl, credentials: true } }),
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

function occupancyOf(io: Server, doors: RoomDoors, { unreadBytes }: Gateway): Occupancy {
  const { rooms, sessions, unsavedOps, degradedRooms } = doors.counts();
  const { active, idle } = sessions;
  const connections = io.engine.clientsCount;
  return { rooms, connections, active, idle, unsavedOperations: unsavedOps, degradedRooms, unreadBytes };
}

/** Periods that tests shorten. */
export interface Periods {
  readonly accessSweepMs?: number;
}

/** Starts to listen. @throws Error with `code` EADDRINUSE, EACCES, ... when it cannot */
export async function listenRealtime(
  deps: Needs,
  host: string,
  port: number,
  { accessSweepMs }: Periods = {},
): Promise<RealtimeServer> {
  const { config, db, log } = deps;
  const http = createServer();
  // Listening first: the address is what tells this process from others.
  await listen(http, host, port);
  const io = openSockets(http, config.appUrl);
  const store = new PgRoomStore(config.databaseUrl, nodeAt(host, portOf(http)));
  const members = new Members();
  const doors = new Rooms(
    { store, clock, log, audience: (key) => new SocketAudience(io, members, key) },
    { pinnedMaxLag: config.realtimeMaxLag, limits: DURABLE_LIMITS },
  );
  const access = new AccessWatch({
    db,
    log,
    onRevoked: (session) => {
      doors.revoke(session);
      session.close('ACCESS_REVOKED');
    },
    ...(accessSweepMs === undefined ? {} : { sweepMs: accessSweepMs }),
  });
  const frames = new FrameClock();
  const gateway = new Gateway({ deps, io, doors, access, frames });
  const answerFlush = (workflowId: string, asked: number): Promise<void> =>
    store.answerFlush(workflowId, asked);
  const notices = new Notices({ databaseUrl: config.databaseUrl, db, log, doors, access, answerFlush });
  const leases = new LeaseKeeper({ doors, store, db, log, isCluster: config.isRealtimeCluster });

  const overlay = new RunOverlay({
    databaseUrl: config.databaseUrl,
    db,
    log,
    live: () => doors.live(),
    show(key, progress, { isPrivate, createdBy }) {
      for (const member of members.of(key)) {
        const isVisible = !isPrivate || member.userId === createdBy || member.role === 'owner';
        if (isVisible) member.send('run:progress', progress, { volatile: true });
      }
    },
  });

  const onPlain = plainHandler(deps, () => occupancyOf(io, doors, gateway));
  // Socket.io takes the requests for its own path and leaves the others to this handler.
  http.on('request', (request, response) => {
    if (!(request.url ?? '').startsWith('/socket.io/')) onPlain(request, response);
  });

  return {
    http,
    doors,
    async drain() {
      gateway.startDraining();
      frames.flush();
      const unsaved = await doors.drain(SAVE_WITHIN_MS);
      leases.dispose();
      await Promise.all([notices.close(), overlay.close()]);
      access.dispose();
      frames.flush();
      io.local.disconnectSockets(true);
      gateway.dispose();
      doors.dispose();
      // Probes keep their connections alive, and would hold the end up.
      http.closeAllConnections();
      await io.close();
      await store.close();
      return unsaved;
    },
  };
}
