/** The editor in a real browser: its page built and served, the API behind it, a realtime process of its own beside it. */
import { expect } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { readPort } from '../../../../src/platform/http/server.ts';
import { startCanvasSituation, type CanvasSituation } from '../../../faults/support/canvas-situation.ts';
import { APP_URL } from '../../../support/identity-provider.ts';
import type { Tenant } from '../../../support/api-server.ts';
import { buildOnce } from './build-once.ts';
import { launchChromium, openWindow } from './chromium.ts';
import { buildEditorPage, editorAddress, serveEditorPage } from './editor-page.ts';

interface OpenOptions {
  /** What the opened page shows; without it, a node. */
  readonly shows?: string;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface CanvasPage {
  readonly canvas: CanvasSituation;
  readonly browser: Browser;
  /** Opens a workflow in a window of its own; what the page throws fails the test. */
  open(tenant: Pick<Tenant, 'token' | 'org'>, workflowId: string, options?: OpenOptions): Promise<Page>;
  readonly errors: string[];
  close(): Promise<void>;
}

/** Takes the network from a page, and waits until it knows: until then it would send what is edited. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect.poll(() => page.getAttribute('[data-save]', 'data-save')).toMatch(/^Offline/);
}

export async function startCanvasPage(): Promise<CanvasPage> {
  const outDir = await buildOnce('canvas-page', buildEditorPage);
  let apiPort = 0;
  const page = await serveEditorPage(outDir, { apiPort: () => apiPort });
  const origin = `http://127.0.0.1:${readPort(page)}`;
  const environment = { APP_URL: origin, AUTH_AUTHORIZED_PARTIES: APP_URL };
  const canvas = await startCanvasSituation(environment, environment);
  apiPort = Number(new URL(canvas.api.url).port);
  const browser = await launchChromium();
  const errors: string[] = [];
  return {
    canvas,
    browser,
    errors,
    async open({ token, org }, workflow, { shows = '.react-flow__node', prepare } = {}) {
      const shown = await openWindow(browser);
      shown.on('pageerror', (error) => errors.push(String(error)));
      await prepare?.(shown);
      await shown.goto(editorAddress({ origin, token, org, workflow, realtime: canvas.url }));
      await shown.waitForSelector(shows);
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
