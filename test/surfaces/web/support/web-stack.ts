/** The web application as it is built, served by the API beside a real realtime server and the local sign-in page. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { createApp } from '../../../../src/platform/http/app.ts';
import { drain, listen } from '../../../../src/platform/http/server.ts';
import { buildWebApp } from '../../../../src/platform/http/web-app.ts';
import { startIssuer } from '../../../../src/processes/local/issuer.ts';
import { findAnyPort } from '../../../../src/processes/local/ports.ts';
import { allRoutes, type ApiDeps } from '../../../../src/processes/routes.ts';
import { startCanvas, type Canvas } from '../../../features/canvas/support/canvas.ts';
import { buildOnce } from './build-once.ts';
import { launchChromium, openWindow } from './chromium.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a page says of an event `securitypolicyviolation`: the console does not tell of all of them. */
const VIOLATION = 'The policy was violated:';
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) =>
  console.log('${VIOLATION}', effectiveDirective, sample))`;

export interface WebStack {
  readonly origin: string;
  /** Where the page was built to. */
  readonly outDir: string;
  readonly canvas: Canvas;
  readonly browser: Browser;
  /** What pages threw, and what the policy kept from them. */
  readonly trouble: string[];
  /** A window of its own, on a page of the application. */
  open(path: string): Promise<Page>;
  close(): Promise<void>;
}

const buildWebPage = async (outDir: string): Promise<void> => {
  await build({
    configFile: join(ROOT, 'src/surfaces/web/vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
};

/**
 * @param more who runs what the API accepts, on its database, and who takes money; without them nothing runs and nobody does
 * @param environment more variables for the API
 */
export async function startWebStack(
  more?: (databaseUrl: string) => Promise<Partial<Pick<ApiDeps, 'engine' | 'dispatcher' | 'topups'>>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<WebStack> {
  const home = mkdtempSync(join(tmpdir(), 'web-app-'));
  const outDir = await buildOnce('web', buildWebPage);
  const port = await findAnyPort();
  const origin = `http://127.0.0.1:${port}`;
  const issuer = await startIssuer(join(home, 'key.pem'), origin);
  const canvas = await startCanvas({
    environment: {
      APP_URL: origin,
      AUTH_ISSUER: issuer.issuer,
      AUTH_JWKS_URL: issuer.jwksUrl,
      ...environment,
    },
  });
  const { databaseUrl } = canvas.api.deps.config;
  const deps: ApiDeps = { ...canvas.api.deps, ...(await more?.(databaseUrl)) };
  deps.feed.start();
  const config = { ...deps.config, web: { ...deps.config.web, realtimeUrl: canvas.url } };
  const server = await listen(createApp(deps, allRoutes(), buildWebApp(outDir, config)), '127.0.0.1', port);
  const browser = await launchChromium();
  const trouble: string[] = [];
  return {
    origin,
    outDir,
    canvas,
    browser,
    trouble,
    async open(path) {
      const page = await openWindow(browser);
      page.on('pageerror', (error) => trouble.push(String(error)));
      await page.addInitScript(TELL_VIOLATIONS);
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy') || message.text().startsWith(VIOLATION))
          trouble.push(`${message.text()} (${JSON.stringify(message.location())}, ${page.url()})`);
      });
      await page.goto(origin + path);
      return page;
    },
    async close() {
      await browser.close();
      await drain(server, 1_000);
      await canvas.close();
      await issuer.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
