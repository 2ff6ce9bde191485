/** What tests of a dying canvas stand on: the realtime server as a process of its own, and people at work on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { inject } from 'vitest';
import { anyPort } from '../../../src/local/ports.ts';
import { Canvas, overSocket } from '../../../src/realtime/client.ts';
import { definition } from '../../realtime/support/canvas.ts';
import { Peer } from '../../realtime/support/peer.ts';
import { startApi, type ApiServer, type Tenant } from '../../support/api-server.ts';
import '../../support/build-setup.ts';
import { Slot } from '../../support/service.ts';
import { eventually } from '../../support/waiting.ts';

export interface CanvasSituation {
  readonly api: ApiServer;
  readonly realtime: Slot;
  readonly url: string;
  tenant(): Promise<Tenant>;
  workflow(tenant: Tenant): Promise<string>;
  /** A bare client: it forgets what it has sent. Waits until the server lets it in. */
  peer(tenant: Tenant): Promise<Peer>;
  /** A client as the product has it: it comes back, and sends again what was not saved. */
  editor(tenant: Tenant, workflowId: string, clientId: string): Editor;
  close(): Promise<void>;
}

export interface Editor {
  readonly canvas: Canvas;
  readonly socket: Socket;
  /** opIds that the server refused for good. */
  readonly dropped: string[];
  close(): void;
}

/** @param environment of the realtime process, beside what it needs */
export async function startCanvasSituation(
  environment: Readonly<Record<string, string>> = {},
): Promise<CanvasSituation> {
  const api = await startApi();
  const { config } = api.deps;
  const logs = mkdtempSync(join(tmpdir(), 'faults-canvas-'));
  const port = await anyPort();
  const url = `http://127.0.0.1:${port}`;
  const realtime = new Slot({
    name: 'realtime',
    logs,
    entry: join(inject('builtService'), 'src', 'serve-realtime.js'),
    ready: 'the realtime server is listening',
    environment: {
      APP_ENV: 'test',
      HOST: '127.0.0.1',
      REALTIME_PORT: String(port),
      DATABASE_URL: config.databaseUrl,
      AUTH_JWKS_URL: config.auth.jwksUrl ?? '',
      AUTH_ISSUER: config.auth.issuer ?? '',
      APP_URL: config.appUrl ?? '',
      ...environment,
    },
  });
  await realtime.start();
  const closing: (() => void)[] = [];
  return {
    api,
    realtime,
    url,
    tenant: async () => api.tenant({ exp: Math.floor(Date.now() / 1000) + 6 * 3_600 }),
    async workflow(tenant) {
      const body = { name: 'Canvas', workflow_schema: definition() };
      return String((await tenant.call('POST', '/workflows', { body })).body.id);
    },
    async peer({ token, org }) {
      const peer = await eventually('a connection', 30_000, () =>
        Peer.connect({ url, auth: { token, organizationId: org } }).catch(() => null),
      );
      closing.push(() => peer.close());
      return peer;
    },
    editor({ token, org }, workflowId, clientId) {
      const socket = io(url, {
        auth: { token, organizationId: org, clientId, caps: ['frames'] },
        transports: ['websocket'],
        forceNew: true,
        reconnectionDelay: 100,
        reconnectionDelayMax: 500,
      });
      const dropped: string[] = [];
      const canvas = new Canvas({
        transport: overSocket(socket),
        workflowId,
        clientId,
        clock: {
          setTimeout: (work, ms) => setTimeout(work, ms),
          clearTimeout: (timer) => clearTimeout(Number(timer)),
        },
        onDropped: (opId) => void dropped.push(opId),
      });
      canvas.open();
      const close = (): void => {
        canvas.close();
        socket.disconnect();
      };
      closing.push(close);
      return { canvas, socket, dropped, close };
    },
    async close() {
      for (const close of closing) close();
      await realtime.kill();
      await api.close();
      rmSync(logs, { recursive: true, force: true });
    },
  };
}
