/** GET /health of the realtime server (specification, "Service probes"); every other plain path is 404. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Occupancy {
  readonly rooms: number;
  /** Every connected transport client, of all namespaces. */
  readonly connections: number;
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(body));
}

/** The handler of plain HTTP requests; errors of this server are flat (`{error}`). */
export function healthHandler(
  occupancy: () => Occupancy,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/health' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      answer(response, 404, { error: 'Endpoint not found' });
      return;
    }
    answer(response, 200, {
      status: 'healthy',
      uptime: process.uptime(),
      ...occupancy(),
      timestamp: new Date().toISOString(),
    });
  };
}
