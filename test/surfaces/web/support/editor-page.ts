/** The editor alone on a page, built and served: what is no file of it is passed on to an API. */
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export interface Behind {
  apiPort(): number;
  /** Answers in place of the API, and says so. */
  answers?(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
}

/** Builds the page into a folder, which it empties. */
export async function buildEditorPage(outDir: string): Promise<void> {
  await build({
    root: join(ROOT, 'test/surfaces/web/page'),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 4_000 },
  });
}

/** Serves a folder that `buildEditorPage` has filled, on loopback. */
export async function serveEditorPage(outDir: string, behind: Behind): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', 'http://page').pathname;
    if (path === '/' || path.startsWith('/assets/')) {
      const file = path === '/' ? '/index.html' : path;
      readFile(join(outDir, file)).then(
        (body) => outgoing.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '' }).end(body),
        () => outgoing.writeHead(404).end(),
      );
      return;
    }
    if (behind.answers?.(incoming, outgoing) === true) return;
    const { method, url, headers } = incoming;
    const target = { port: behind.apiPort(), host: '127.0.0.1', method, path: url, headers };
    const passed = forward(target, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

export interface Opening {
  readonly origin: string;
  readonly token: string;
  readonly org: string;
  readonly workflow: string;
  readonly realtime: string;
}

/** The page's address for somebody who is signed in already. */
export const editorAddress = ({ origin, ...given }: Opening): string =>
  `${origin}/#${new URLSearchParams(given).toString()}`;
