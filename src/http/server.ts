/** The Node server of the application: timeouts against slow clients, and graceful shutdown. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';

/** Timeouts of requests that arrive slowly (SPEC SEC-P26); answers have none, because of streams. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 2_000;
/** Longer than load balancers keep a connection (60 s): closing it first could break a request of theirs. */
const KEEP_ALIVE_MS = 65_000;
const IDLE_CHECK_MS = 100;

/**
 * Starts to listen. `maxRequestsPerSocket` stays unlimited: Node answers further requests with 503, and answers that set
 * `keep-alive` themselves, as streams do, could not announce it.
 * @throws Error with `code` EADDRINUSE, EACCES, ...
 */
export async function listen(app: Koa, host: string, port: number): Promise<Server> {
  const handle = app.callback();
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void handle(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

/** Returns the port that a server listens on. */
export function readPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
}

/** Stops accepting connections and waits for requests in progress, at most `graceMs`; then closes all connections. */
export async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle after its last answer and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
