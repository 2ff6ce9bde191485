/** Plain HTTP of the realtime server: /health, /ready, /metrics and the operator's routes; anything else is 404. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../../base/clock.ts';
import { METRICS_TYPE, readMetrics } from '../../../base/observe/metrics.ts';
import { noteOccupancy } from '../../../base/observe/realtime-metrics.ts';
import { TrustedProxies } from '../../../platform/access/client-address.ts';
import { isServable, readSchemaState } from '../../../base/db/migrations.ts';
import { opensMetrics } from '../../../platform/access/metrics-access.ts';
import { OperatorKey } from '../../../platform/access/operator-key.ts';
import { AdminApi, type Occupancy } from './admin.ts';
import { sendJson, sendNotFound } from './send-json.ts';
import type { HandshakeDeps } from './handshake.ts';
import { traceRequest } from './traces.ts';

const BASE = 'http://realtime';

/** Creates the handler of requests that are not Socket.io's; it reads `occupancy` for each request. */
export function createHttpHandler(
  deps: HandshakeDeps,
  { occupancy, isOpen }: { readonly occupancy: () => Occupancy; readonly isOpen: () => boolean },
): (request: IncomingMessage, response: ServerResponse) => void {
  const admin = new AdminApi(deps, occupancy);
  const operatorKey = new OperatorKey();
  const proxies = new TrustedProxies(deps.config.trustedProxies);

  /** Without the operator's key it is 404, as at the API. */
  const serveMetrics = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, socket } = request;
    const { address } = proxies.findClient(socket.remoteAddress ?? '', headers);
    const isOpen = opensMetrics(operatorKey, deps.config, { headers, address });
    if (!isOpen) return sendNotFound(response);
    noteOccupancy(occupancy());
    response.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' });
    response.end(await readMetrics(deps.db, 0));
  };

  /** For load balancers: 503 while no client should connect here. */
  const serveReady = async (response: ServerResponse): Promise<void> => {
    const schema = await readSchemaState(deps.db);
    const isReady = isOpen() && isServable(schema);
    const failing = deps.watch.listFailing();
    const body = { status: isReady ? 'ready' : 'not_ready', database: schema !== null, schema, failing };
    sendJson(response, { status: isReady ? 200 : 503, body });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '/';
    if (!URL.canParse(target, BASE)) {
      return sendJson(response, { status: 400, body: { error: 'Invalid request target' } });
    }
    const url = new URL(target, BASE);
    if (url.pathname.startsWith('/admin/')) return admin.serve(request, response, url);
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendNotFound(response);
    if (url.pathname === '/metrics') return serveMetrics(request, response);
    if (url.pathname === '/ready') return serveReady(response);
    if (url.pathname !== '/health') return sendNotFound(response);
    const { rooms, connections } = occupancy();
    const timestamp = new Date(systemClock.now()).toISOString();
    const body = { status: 'healthy', uptime: process.uptime(), rooms, connections, timestamp };
    sendJson(response, { status: 200, body });
  };

  return (request, response) => {
    traceRequest(request, response, () => serve(request, response)).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a plain request failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, { status: 500, body: { error: 'Internal error' } });
    });
  };
}
