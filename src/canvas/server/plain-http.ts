/** What the realtime server answers to plain HTTP: GET /health, the operator's routes, metrics; all else is 404. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { METRICS_TYPE, readMetrics } from '../../observe/metrics.ts';
import { noteOccupancy } from '../../observe/realtime-metrics.ts';
import { OperatorKey } from '../../access/operator-key.ts';
import { AdminApi, type Occupancy } from './admin.ts';
import { answer, answerNotFound } from './answer.ts';
import type { HandshakeDeps } from './handshake.ts';
import { observedRequest } from './observed.ts';

const BASE = 'http://realtime';

/** The handler of requests that are not Socket.io's. `occupancy` is asked anew for each. */
export function plainHandler(
  deps: HandshakeDeps,
  occupancy: () => Occupancy,
): (request: IncomingMessage, response: ServerResponse) => void {
  const admin = new AdminApi(deps, occupancy);
  const operatorKey = new OperatorKey();

  /** As at the API: without the operator's key it is not there. */
  const serveMetrics = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const given = request.headers['x-health-api-key'];
    const address = request.socket.remoteAddress ?? '';
    const isOpen = operatorKey.opens(
      deps.config.healthApiKey,
      typeof given === 'string' ? given : '',
      address,
    );
    if (!isOpen) return answerNotFound(response);
    noteOccupancy(occupancy());
    response.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' });
    response.end(await readMetrics(deps.db, 0));
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '/';
    if (!URL.canParse(target, BASE)) {
      return answer(response, { status: 400, body: { error: 'Invalid request target' } });
    }
    const url = new URL(target, BASE);
    if (url.pathname.startsWith('/admin/')) return admin.serve(request, response, url);
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerNotFound(response);
    if (url.pathname === '/metrics') return serveMetrics(request, response);
    if (url.pathname !== '/health') return answerNotFound(response);
    const { rooms, connections } = occupancy();
    const timestamp = new Date().toISOString();
    const body = { status: 'healthy', uptime: process.uptime(), rooms, connections, timestamp };
    answer(response, { status: 200, body });
  };

  return (request, response) => {
    observedRequest(request, response, () => serve(request, response)).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a plain request failed');
      if (response.headersSent) response.destroy();
      else answer(response, { status: 500, body: { error: 'Internal error' } });
    });
  };
}
