/** The editor in Chromium, for measuring: pages on canvases of the bench, and what their main thread spent. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { DATA } from '../../../src/processes/local/paths.ts';
import { findAnyPort } from '../../../src/processes/local/ports.ts';
import { waitUntilHealthy } from '../../../src/processes/local/services.ts';
import { readPort } from '../../../src/platform/http/server.ts';
import { launchChromium } from '../../surfaces/web/support/chromium.ts';
import { buildEditorPage, editorAddress, serveEditorPage } from '../../surfaces/web/support/editor-page.ts';
import type { CanvasSide } from '../canvas/load.ts';
import { HEALTH_KEY } from '../server-metrics.ts';
import { nodeFlags, type Bench } from '../system.ts';

const HAND_MS = 1_000 / 60;
const VIEW = { width: 1_280, height: 800 };
const RUN_ID = '00000000-0000-4000-8000-000000000001';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Of all main threads of the browser: the other pages are idle. */
function findLongestTaskMs(trace: Buffer): number {
  const { traceEvents: events } = JSON.parse(trace.toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mainThreads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid} ${tid}`),
  );
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}

/** A page, and its clock: CPU time of the main thread, not wall time. */
export class Watched {
  readonly page: Page;
  readonly #session: CDPSession;

  constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** What the main thread has spent since the page was made, in ms. */
  async spentMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  }

  /** What the page still holds after a collection, in MB. */
  async heapMb(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1_000_000;
  }

  /** The next frame has been painted. */
  async painted(): Promise<void> {
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))');
  }

  /** Nothing is left to be done: three looks in a row find the main thread idle. */
  async idle(): Promise<void> {
    let before = await this.spentMs();
    for (let calm = 0; calm < 3;) {
      await this.page.waitForTimeout(150);
      const now = await this.spentMs();
      calm = now - before < 15 ? calm + 1 : 0;
      before = now;
    }
  }

  /** Traces the page while it acts. @returns the CPU time of the longest task of its main thread, in ms */
  async longestTaskMs(act: () => Promise<void>): Promise<number> {
    const browser = this.page.context().browser();
    if (browser === null) throw new Error('the page has no browser');
    let trace: Buffer = Buffer.alloc(0);
    await browser.startTracing(this.page, { categories: ['toplevel', '__metadata'] });
    try {
      await act();
    } finally {
      trace = await browser.stopTracing();
    }
    return findLongestTaskMs(trace);
  }

  /** @returns ms of the main thread for each of the steps, after ten to warm up */
  async perStep(steps: number, step: (index: number) => Promise<void>): Promise<number> {
    for (let index = 0; index < 10; index += 1) await step(index);
    const before = await this.spentMs();
    for (let index = 10; index < 10 + steps; index += 1) await step(index);
    return ((await this.spentMs()) - before) / steps;
  }

  /**
   * Moves the pointer as a hand does, whether the page keeps up or not.
   * @returns ms of the main thread for each move that the page heard: one a frame, where it keeps up
   */
  async perMove(moves: number, at: (index: number) => readonly [number, number]): Promise<number> {
    await this.page.evaluate(
      "globalThis.moves = 0; addEventListener('pointermove', () => { globalThis.moves += 1; }, true)",
    );
    const before = await this.spentMs();
    const heard: Promise<void>[] = [];
    for (let index = 0; index < moves; index += 1) {
      const [x, y] = at(index);
      heard.push(this.page.mouse.move(x, y));
      await this.page.waitForTimeout(HAND_MS);
    }
    await Promise.all(heard);
    return ((await this.spentMs()) - before) / Number(await this.page.evaluate('moves'));
  }
}

export interface Editors {
  readonly side: CanvasSide;
  open(workflowId: string): Promise<Watched>;
  /** Opens the list of runs of the first tenant. */
  openRuns(): Promise<Watched>;
  /** The next run is this stream: whoever starts and follows it is answered by the test, not by the API. */
  readonly runs: { write: ((outgoing: ServerResponse) => void) | null };
  stop(): Promise<void>;
}

export async function startEditors(bench: Bench): Promise<Editors> {
  const outDir = join(DATA, 'canvas-page');
  await buildEditorPage(outDir);
  const runs: Editors['runs'] = { write: null };
  const apiPort = Number(new URL(bench.apiUrl).port);
  const server = await serveEditorPage(outDir, {
    apiPort: () => apiPort,
    answers({ url = '' }, outgoing) {
      if (runs.write === null) return false;
      if (url === '/workflows/run') {
        outgoing
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ run_id: RUN_ID }));
        return true;
      }
      if (!url.startsWith('/workflows/listen/')) return false;
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      runs.write(outgoing);
      return true;
    },
  });
  const origin = `http://127.0.0.1:${readPort(server)}`;
  const port = await findAnyPort();
  const built = [...nodeFlags(), '--enable-source-maps', 'dist/src/processes/serve-realtime.js'];
  // Only the page's own origin may connect from a browser; the tokens are for the other one.
  const child = await bench.launch('realtime-web', built, {
    REALTIME_PORT: String(port),
    HEALTH_API_KEY: HEALTH_KEY,
    APP_URL: origin,
    AUTH_AUTHORIZED_PARTIES: 'http://127.0.0.1:3000',
  });
  const realtime = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(child, `${realtime}/health`);
  const browser = await launchChromium();
  const openPage = async (workflow: string): Promise<Watched> => {
    const { headers, organizationId } = await bench.tenant(0);
    const token = (headers['authorization'] ?? '').slice('Bearer '.length);
    const page = await browser.newPage({ viewport: VIEW });
    const session = await page.context().newCDPSession(page);
    // Else a task's time holds what other processes took from it.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(editorAddress({ origin, token, org: organizationId, workflow, realtime }));
    return new Watched(page, session);
  };
  return {
    side: {
      url: realtime,
      pid: child.pid,
      async auth(user) {
        const { headers, organizationId } = await bench.tenant(user);
        return { token: headers['authorization'], organizationId };
      },
    },
    runs,
    async open(workflow) {
      const watched = await openPage(workflow);
      await watched.page.waitForSelector('.react-flow__node [data-node]', { timeout: 60_000 });
      await watched.idle();
      return watched;
    },
    async openRuns() {
      const watched = await openPage('');
      await watched.page.getByRole('heading', { name: 'Runs' }).waitFor({ timeout: 60_000 });
      await watched.idle();
      return watched;
    },
    async stop() {
      await browser.close();
      await child.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}
