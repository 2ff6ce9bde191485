/**
 * A service that says back all it was sent, headers and body, as services do in their errors: `/status/401/...` answers
 * 401, everything else 200.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface EchoServer {
  readonly origin: string;
  readonly hostPort: string;
  /** What it has said, in the order of the requests. */
  readonly said: readonly string[];
  close(): Promise<void>;
}

export async function startEchoServer(): Promise<EchoServer> {
  const said: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      const echo = JSON.stringify({
        url,
        headers,
        body,
        error: { message: `refused ${url} ${JSON.stringify(headers)}` },
      });
      said.push(echo);
      response.writeHead(Number(/^\/status\/(\d{3})/.exec(url)?.[1] ?? 200), {
        'content-type': 'application/json',
      });
      response.end(echo);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    said,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
