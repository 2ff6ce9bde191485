/** The Node server of the application: timeouts against slow clients, and graceful shutdown. */
import { Server, type ServerResponse } from 'node:http';
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
 * A server that can announce the end of its connections. `maxRequestsPerSocket` stays unlimited: Node answers further requests
 * with 503, and answers that set `keep-alive` themselves, as streams do, could not announce it.
 */
class ApiServer extends Server {
  readonly #unanswered = new Set<ServerResponse>();
  #isClosing = false;

  constructor(app: Koa) {
    super({
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const handle = app.callback();
    this.on('request', (request, response) => {
      if (this.#isClosing) response.shouldKeepAlive = false;
      this.#unanswered.add(response);
      response.once('close', () => this.#unanswered.delete(response));
      void handle(request, response);
    });
  }

  /**
   * Sends `Connection: close` with every answer from now on: a proxy that keeps connections would otherwise send its next request
   * on one that is about to close, and answer 502.
   */
  announceClose(): void {
    this.#isClosing = true;
    for (const response of this.#unanswered) response.shouldKeepAlive = false;
  }
}

/** Starts to listen. @throws Error with `code` EADDRINUSE, EACCES, ... */
export async function listen(app: Koa, host: string, port: number): Promise<ApiServer> {
  const server = new ApiServer(app);
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
export async function drain(server: ApiServer, graceMs: number): Promise<void> {
  server.announceClose();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle after its last answer and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
