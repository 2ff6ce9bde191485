/** Plain HTTP answers of the realtime server: JSON, never cached; its errors are flat (`{error}`). */
import type { ServerResponse } from 'node:http';

export function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** What every unknown path gets. */
export const answerNotFound = (response: ServerResponse): void =>
  answer(response, 404, { error: 'Endpoint not found' });
