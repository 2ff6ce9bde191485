/** JSON responses of the realtime server, never cached; errors are flat (`{error}`). */
import type { ServerResponse } from 'node:http';

interface JsonResponse {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendJson(response: ServerResponse, { status, body, headers = {} }: JsonResponse): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

export const sendNotFound = (response: ServerResponse): void =>
  sendJson(response, { status: 404, body: { error: 'Endpoint not found' } });
