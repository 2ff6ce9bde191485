/**
 * The operator's look into the realtime server (SPEC API-probes): both the admin key and the token of
 * the one operator are needed. Bodies of refusals are flat; the key never reaches a log.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { normalizeEmail } from '../../access/provision.ts';
import { TokenRefused } from '../../access/jwt.ts';
import type { HandshakeDeps } from './handshake.ts';
import { ApiError } from '../../errors.ts';
import { OperatorKey } from '../../access/operator-key.ts';
import { answer, answerNotFound } from './answer.ts';

/** Counted in memory; nothing is asked of the database or of other processes. */
export interface Occupancy {
  /** Live workflow rooms. */
  readonly rooms: number;
  /** Every connected transport client, of all namespaces. */
  readonly connections: number;
  /** Of those that have joined a room: who is at work, and who looks away. */
  readonly active: number;
  readonly idle: number;
  /** Accepted operations that no save contains yet. */
  readonly unsavedOperations: number;
  /** Rooms that cannot save at present. */
  readonly degradedRooms: number;
  /** Sent, and not taken by the clients yet, as far as this process holds it. */
  readonly unreadBytes: number;
}

type AdminDeps = Pick<HandshakeDeps, 'config' | 'keySet' | 'log'>;

class Refused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = status === 401 ? { 'WWW-Authenticate': 'Bearer', ...headers } : headers;
  }
}

/** Approximate, and flat. */
function quickStats(now: Occupancy): object {
  return {
    timestamp: new Date().toISOString(),
    uptime: process.uptime(),
    rooms: now.rooms,
    connections: now.connections,
    activeConnections: now.active,
    idleConnections: now.idle,
    unsavedOperations: now.unsavedOperations,
  };
}

function fullStats(now: Occupancy): object {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    timestamp: new Date().toISOString(),
    uptime: process.uptime(),
    connections: { total: now.connections, active: now.active, idle: now.idle },
    rooms: { total: now.rooms, degraded: now.degradedRooms, unsavedOperations: now.unsavedOperations },
    memory: { rssBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal },
    cpu: { userSeconds: user / 1e6, systemSeconds: system / 1e6 },
    // Named by the interface, and not measured here.
    bandwidth: null,
    latency: null,
  };
}

const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};

export class AdminApi {
  readonly #deps: AdminDeps;
  readonly #occupancy: () => Occupancy;
  readonly #operatorKey = new OperatorKey();

  constructor(deps: AdminDeps, occupancy: () => Occupancy) {
    this.#deps = deps;
    this.#occupancy = occupancy;
  }

  /** Answers a request below /admin. Never throws. */
  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const stats = { '/admin/quick-stats': quickStats, '/admin/stats': fullStats }[url.pathname];
    if (stats === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      answerNotFound(response);
      return;
    }
    try {
      await this.#authorize(request, url);
      answer(response, { status: 200, body: stats(this.#occupancy()) });
    } catch (error) {
      if (error instanceof Refused) {
        const { status, message, headers } = error;
        answer(response, { status, body: { error: message }, headers });
        return;
      }
      this.#deps.log.error({ err: error }, 'statistics could not be collected');
      answer(response, { status: 500, body: { error: 'Failed to collect statistics' } });
    }
  }

  /** @throws Refused */
  async #authorize(request: IncomingMessage, url: URL): Promise<void> {
    const { realtimeAdmin } = this.#deps.config;
    if (realtimeAdmin === null) throw new Refused(503, 'Admin API is not configured');
    const given =
      header(request, 'x-api-key') ||
      header(request, 'x-admin-api-key') ||
      (url.searchParams.get('api_key') ?? '');
    if (given === '') throw new Refused(401, 'Admin API key is required');
    this.#checkKey(realtimeAdmin.apiKey, given, request.socket.remoteAddress ?? '');
    const [, token] = /^Bearer +(\S+)$/i.exec(header(request, 'authorization')) ?? [];
    if (token === undefined) throw new Refused(401, 'Bearer token is required');
    const claims = await this.#deps.keySet.verify(token).catch((error: unknown) => {
      if (!(error instanceof TokenRefused)) throw error;
      if (error.reason === 'provider_away') throw new Refused(503, error.message, error.headers);
      throw new Refused(401, 'Invalid or expired token');
    });
    const isOperator =
      claims.isEmailVerified && normalizeEmail(claims.email) === normalizeEmail(realtimeAdmin.email);
    if (!isOperator) throw new Refused(403, 'User is not authorized');
  }

  /** Guessing is slowed down by address. @throws Refused */
  #checkKey(expected: string, given: string, address: string): void {
    try {
      this.#operatorKey.check(expected, given, address);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isSlowed = error.failure.shape === 'A' && error.failure.status === 429;
      if (isSlowed) throw new Refused(429, 'Too many wrong admin API keys', error.headers);
      throw new Refused(401, 'Invalid admin API key');
    }
  }
}
