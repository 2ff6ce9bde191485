/**
 * The operator's statistics of the realtime server (SPEC API-probes). They require the admin key and a token of the
 * operator; the key is never logged.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../../base/clock.ts';
import { normalizeEmail } from '../../../platform/access/email.ts';
import { TokenRefused } from '../../../platform/access/jwt.ts';
import type { HandshakeDeps } from './handshake.ts';
import { ApiError } from '../../../base/errors.ts';
import { TrustedProxies } from '../../../platform/access/client-address.ts';
import { OperatorKey } from '../../../platform/access/operator-key.ts';
import { sendJson, sendNotFound } from './send-json.ts';

/** Counts of this process, read from memory. */
export interface Occupancy {
  /** Live workflow rooms. */
  readonly rooms: number;
  /** Every connected transport client, of all namespaces. */
  readonly connections: number;
  /** Members of rooms whose presence is `active` or `idle`. */
  readonly active: number;
  readonly idle: number;
  /** Clients of this process in rooms of other processes. */
  readonly relayedSessions: number;
  /** Accepted operations that no save contains yet. */
  readonly unsavedOperations: number;
  /** Rooms that cannot save at present. */
  readonly degradedRooms: number;
  /** Bytes sent that clients have not read yet, as far as this process buffers them. */
  readonly unreadBytes: number;
}

type AdminDeps = Pick<HandshakeDeps, 'config' | 'keySet' | 'log'>;

class AdminError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = status === 401 ? { 'WWW-Authenticate': 'Bearer', ...headers } : headers;
  }
}

function toQuickStats(now: Occupancy): object {
  return {
    timestamp: new Date(systemClock.now()).toISOString(),
    uptime: process.uptime(),
    rooms: now.rooms,
    connections: now.connections,
    activeConnections: now.active,
    idleConnections: now.idle,
    unsavedOperations: now.unsavedOperations,
  };
}

function toFullStats(now: Occupancy): object {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    timestamp: new Date(systemClock.now()).toISOString(),
    uptime: process.uptime(),
    connections: { total: now.connections, active: now.active, idle: now.idle },
    rooms: { total: now.rooms, degraded: now.degradedRooms, unsavedOperations: now.unsavedOperations },
    memory: { rssBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal },
    cpu: { userSeconds: user / 1e6, systemSeconds: system / 1e6 },
    // The specification names these fields; they are not measured.
    bandwidth: null,
    latency: null,
  };
}

const readHeader = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};

export class AdminApi {
  readonly #deps: AdminDeps;
  readonly #occupancy: () => Occupancy;
  readonly #operatorKey = new OperatorKey();
  readonly #proxies: TrustedProxies;

  constructor(deps: AdminDeps, occupancy: () => Occupancy) {
    this.#deps = deps;
    this.#occupancy = occupancy;
    this.#proxies = new TrustedProxies(deps.config.trustedProxies);
  }

  /** Answers a request below /admin. Never throws. */
  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const stats = { '/admin/quick-stats': toQuickStats, '/admin/stats': toFullStats }[url.pathname];
    if (stats === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      sendNotFound(response);
      return;
    }
    try {
      await this.#authorize(request, url);
      sendJson(response, { status: 200, body: stats(this.#occupancy()) });
    } catch (error) {
      if (error instanceof AdminError) {
        const { status, message, headers } = error;
        sendJson(response, { status, body: { error: message }, headers });
        return;
      }
      this.#deps.log.error({ err: error }, 'statistics could not be collected');
      sendJson(response, { status: 500, body: { error: 'Failed to collect statistics' } });
    }
  }

  /** @throws Refused */
  async #authorize(request: IncomingMessage, url: URL): Promise<void> {
    const { realtimeAdmin } = this.#deps.config;
    if (realtimeAdmin === null) throw new AdminError(503, 'Admin API is not configured');
    const given =
      readHeader(request, 'x-api-key') ||
      readHeader(request, 'x-admin-api-key') ||
      (url.searchParams.get('api_key') ?? '');
    if (given === '') throw new AdminError(401, 'Admin API key is required');
    const { address } = this.#proxies.findClient(request.socket.remoteAddress ?? '', request.headers);
    this.#checkKey(realtimeAdmin.apiKeys, given, address);
    const [, token] = /^Bearer +(\S+)$/i.exec(readHeader(request, 'authorization')) ?? [];
    if (token === undefined) throw new AdminError(401, 'Bearer token is required');
    const claims = await this.#deps.keySet.verify(token).catch((error: unknown) => {
      if (!(error instanceof TokenRefused)) throw error;
      if (error.reason === 'provider_away') throw new AdminError(503, error.message, error.headers);
      throw new AdminError(401, 'Invalid or expired token');
    });
    const isOperator =
      claims.isEmailVerified && normalizeEmail(claims.email) === normalizeEmail(realtimeAdmin.email);
    if (!isOperator) throw new AdminError(403, 'User is not authorized');
  }

  /** Wrong keys are rate-limited by address. @throws Refused */
  #checkKey(expected: readonly string[], given: string, address: string): void {
    try {
      this.#operatorKey.check(expected, given, address);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isSlowed = error.failure.shape === 'A' && error.failure.status === 429;
      if (isSlowed) throw new AdminError(429, 'Too many wrong admin API keys', error.headers);
      throw new AdminError(401, 'Invalid admin API key');
    }
  }
}
