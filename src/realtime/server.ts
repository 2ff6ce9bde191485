/** The Socket.io server of canvas co-editing: who may connect. Nothing is offered yet to those who have. */
import { createServer, type Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { Deps } from '../deps.ts';
import { HandshakeRefused, readHandshake } from './handshake.ts';
import { healthHandler } from './health.ts';

export interface RealtimeServer {
  readonly http: HttpServer;
  /** Disconnects everybody and stops to listen. */
  close(): Promise<void>;
}

/** Starts to listen. @throws Error with `code` EADDRINUSE, EACCES, ... when it cannot */
export async function listenRealtime(
  deps: Pick<Deps, 'config' | 'db' | 'keySet' | 'log'>,
  host: string,
  port: number,
): Promise<RealtimeServer> {
  const http = createServer();
  const io = new Server(http, {
    serveClient: false,
    // Ghosts of lost connections are gone within 18 s (realtime, R43).
    pingInterval: 10_000,
    pingTimeout: 8_000,
    maxHttpBufferSize: 1_048_576,
    ...(deps.config.appUrl === undefined ? {} : { cors: { origin: deps.config.appUrl, credentials: true } }),
  });
  // socket.io takes over the requests for its own path and leaves the others to this handler.
  const onHealth = healthHandler(() => ({ rooms: 0, connections: io.engine.clientsCount }));
  http.on('request', (request, response) => {
    if (!(request.url ?? '').startsWith('/socket.io/')) onHealth(request, response);
  });
  io.use((socket, next) => {
    readHandshake(deps, socket.handshake.auth).then(
      () => next(),
      (error: unknown) => {
        if (error instanceof HandshakeRefused) return next(error);
        deps.log.error({ err: error }, 'a handshake failed');
        return next(
          new HandshakeRefused('AUTH_UNAVAILABLE', 'The connection cannot be authorised right now', true),
        );
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve();
    });
  });
  return {
    http,
    async close() {
      await io.close();
    },
  };
}
