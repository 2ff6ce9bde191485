/** The web application on a developer's machine: built for the API, or served with hot reload. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';
import type { PrintLine } from './progress.ts';

const SOURCE = join(ROOT, 'src/surfaces/web');
const CONFIG = join(SOURCE, 'vite.config.ts');
const BUILT = join(ROOT, 'dist/web/index.html');

/** Folders whose changes require a build: the page, and what it imports. */
export const WEB_SOURCES = ['base', 'language', 'features/canvas', 'surfaces/client', 'surfaces/web'].map(
  (folder) => join(ROOT, 'src', folder),
);

function isBuilt(): boolean {
  if (!existsSync(BUILT)) return false;
  const builtMs = statSync(BUILT).mtimeMs;
  return WEB_SOURCES.every((room) =>
    readdirSync(room, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= builtMs),
  );
}

/** Builds the files that the API serves at /app, unless they are up to date. */
export async function buildWeb(say: PrintLine): Promise<void> {
  if (isBuilt()) return;
  say('web application: building');
  const { build } = await import('vite');
  await build({ configFile: CONFIG, logLevel: 'error' });
  say('web application: built');
}

/** Serves the page with hot reload, and proxies every other request to the API. */
export async function serveWeb(port: number, apiUrl: string): Promise<{ stop(): Promise<void> }> {
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: CONFIG,
    logLevel: 'warn',
    plugins: [
      {
        // As in src/platform/http/web-app.ts, where the API serves the page.
        name: 'oauth-return',
        configureServer: ({ middlewares }) => {
          middlewares.use('/oauth/callback', (request, response) => {
            const { search } = new URL(request.url ?? '', 'http://page');
            response.writeHead(303, { location: `/app/oauth/callback${search}` }).end();
          });
        },
      },
    ],
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: { '/app/config.json': apiUrl, '^/(?!app/)': apiUrl },
    },
  });
  await server.listen();
  return { stop: () => server.close() };
}
