/** Plain HTTP answers of the realtime server: JSON, never cached; its errors are flat (`{error}`). */
import type { ServerResponse } from 'node:http';

export interface PlainAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answer(response: ServerResponse, { status, body, headers = {} }: PlainAnswer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** What every unknown path gets. */
export const answerNotFound = (response: ServerResponse): void =>
  answer(response, { status: 404, body: { error: 'Endpoint not found' } });
