/** The Node server around the application: timeouts against slow senders, and an orderly end. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';

/** SPEC SEC-P26: a request that trickles in is cut off; answers may take as long as they like (streams). */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 2_000;
/** Longer than load balancers keep a connection (60 s), so that they end it, not we under a request. */
const KEEP_ALIVE_MS = 65_000;
const IDLE_CHECK_MS = 100;

/**
 * Starts to listen. A connection serves as many requests as its client likes: beyond Node's `maxRequestsPerSocket` a request is
 * refused with 503, and an answer that says `keep-alive` by itself, as a stream's does, cannot warn of it.
 * @throws Error with `code` EADDRINUSE, EACCES, ... when it cannot
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

/** The port that a server got, where 0 was asked for. */
export function readPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
}

/** Accepts nothing new and waits for what is being answered, at most `graceMs`; then cuts. */
export async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that has just finished its last answer is idle, and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
