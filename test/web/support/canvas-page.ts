/** The editor in a real browser: its page built and served, the API behind it, a realtime process of its own beside it. */
import type { Browser, Page } from 'playwright-core';
import { readPort } from '../../../src/http/server.ts';
import { startCanvasSituation, type CanvasSituation } from '../../faults/support/canvas-situation.ts';
import { APP_URL } from '../../support/identity-provider.ts';
import type { Tenant } from '../../support/api-server.ts';
import { launchChromium } from './chromium.ts';
import { buildEditorPage, editorAddress, serveEditorPage } from './editor-page.ts';

export interface CanvasPage {
  readonly canvas: CanvasSituation;
  readonly browser: Browser;
  /** Opens a workflow in a window of its own; what the page throws fails the test. */
  open(tenant: Tenant, workflowId: string): Promise<Page>;
  readonly errors: string[];
  close(): Promise<void>;
}

export async function startCanvasPage(): Promise<CanvasPage> {
  await buildEditorPage();
  let apiPort = 0;
  const page = await serveEditorPage({ apiPort: () => apiPort });
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
    async open({ token, org }, workflow) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const shown = await context.newPage();
      shown.on('pageerror', (error) => errors.push(String(error)));
      await shown.goto(editorAddress({ origin, token, org, workflow, realtime: canvas.url }));
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
