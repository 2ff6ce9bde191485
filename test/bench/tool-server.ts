/** The loopback server that tool nodes and hand-written activities call; it notes when each call arrived. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolServer {
  readonly hostPort: string;
  /** An address whose calls are told apart by `tag` and answered after `delayMs`. */
  url(tag: string, delayMs?: number): string;
  /** `performance.now()` of the first call with the tag, when it arrives. */
  firstCall(tag: string): Promise<number>;
  close(): Promise<void>;
}

/** Starts the server on a free port. */
export async function startToolServer(): Promise<ToolServer> {
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    const at = performance.now();
    const url = new URL(request.url ?? '/', 'http://tool');
    const tag = url.pathname.slice(1);
    waiting.get(tag)?.(at);
    waiting.delete(tag);
    const answer = (): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    };
    const delayMs = Number(url.searchParams.get('delay_ms') ?? 0);
    request.resume().once('end', () => (delayMs === 0 ? answer() : setTimeout(answer, delayMs)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    hostPort,
    url: (tag, delayMs = 0) => `http://${hostPort}/${tag}?delay_ms=${delayMs}`,
    firstCall: (tag) => new Promise((resolve) => waiting.set(tag, resolve)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
