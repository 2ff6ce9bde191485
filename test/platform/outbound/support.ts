/** A server on loopback that records what reaches it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}
export interface Sink {
  readonly base: string;
  readonly port: number;
  readonly heard: Heard[];
  answer: (request: Heard, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function sink(): Promise<Sink> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        socket: request.socket,
      };
      heard.push(one);
      made.answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const made: Sink = {
    base: `http://127.0.0.1:${port}`,
    port,
    heard,
    answer: (_request, response) => response.end('ok'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return made;
}
