/** The editor in a real browser: its page built and served, the API behind it, a realtime process of its own beside it. */
import { createServer, request as forward, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';
import react from '@vitejs/plugin-react';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';
import { portOf } from '../../../src/http/server.ts';
import { startCanvasSituation, type CanvasSituation } from '../../faults/support/canvas-situation.ts';
import { APP_URL } from '../../support/identity-provider.ts';
import type { Tenant } from '../../support/api-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUT = join(ROOT, '.data/canvas-page');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export interface CanvasPage {
  readonly canvas: CanvasSituation;
  readonly browser: Browser;
  /** Opens a workflow in a window of its own; what the page throws fails the test. */
  open(tenant: Tenant, workflowId: string, scheme?: 'dark'): Promise<Page>;
  readonly errors: string[];
  close(): Promise<void>;
}

async function servePage(api: () => number): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', 'http://page').pathname;
    const isPage = path === '/' || path.startsWith('/assets/');
    if (isPage) {
      const file = path === '/' ? '/index.html' : path;
      readFile(join(OUT, file)).then(
        (body) => outgoing.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '' }).end(body),
        () => outgoing.writeHead(404).end(),
      );
      return;
    }
    const { method, url, headers } = incoming;
    const passed = forward({ port: api(), host: '127.0.0.1', method, path: url, headers }, (answer) => {
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

export async function startCanvasPage(): Promise<CanvasPage> {
  await build({
    root: join(ROOT, 'test/web/page'),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir: OUT, emptyOutDir: true, chunkSizeWarningLimit: 4_000 },
  });
  let apiPort = 0;
  const page = await servePage(() => apiPort);
  const origin = `http://127.0.0.1:${portOf(page)}`;
  const environment = { APP_URL: origin, AUTH_AUTHORIZED_PARTIES: APP_URL };
  const canvas = await startCanvasSituation(environment, environment);
  apiPort = Number(new URL(canvas.api.url).port);
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--mute-audio'],
  });
  const errors: string[] = [];
  return {
    canvas,
    browser,
    errors,
    async open({ token, org }, workflowId, scheme) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const shown = await context.newPage();
      shown.on('pageerror', (error) => errors.push(String(error)));
      const given = { token, org, workflow: workflowId, realtime: canvas.url, scheme: scheme ?? '' };
      await shown.goto(`${origin}/#${new URLSearchParams(given).toString()}`);
      await shown.waitForSelector('.react-flow__node', { timeout: 30_000 });
      return shown;
    },
    async close() {
      await browser.close();
      await canvas.close();
      await new Promise((resolve) => {
        page.close(resolve);
      });
    },
  };
}
