/** A fake of the service at the network edge: the test scripts its responses; it counts sockets and requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorkflowClient, type ClientOptions } from '../../../../src/surfaces/client/client.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
export type Handler = (seen: Seen, response: ServerResponse) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  readonly requests: Seen[];
  readonly maxSockets: number;
  handler: Handler;
  client(options?: Partial<ClientOptions>): WorkflowClient;
  close(): Promise<void>;
}

export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** Refuses every request. */
export const refusing =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    json(response, status, { detail: 'no' }, headers);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: Seen[] = [];
  let sockets = 0;
  let maxSockets = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: await readBody(request),
      };
      requests.push(seen);
      await scripted.handler(seen, response);
    })();
  });
  server.on('connection', (socket) => {
    sockets += 1;
    maxSockets = Math.max(maxSockets, sockets);
    socket.once('close', () => (sockets -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scripted: ScriptedServer = {
    url,
    requests,
    get maxSockets() {
      return maxSockets;
    },
    handler: (_, response) => json(response, 200, {}),
    client: (options) =>
      new WorkflowClient({ baseUrl: url, token: 'svc_live_test', organizationId: 'org', ...options }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return scripted;
}
