/** What tests of a dying canvas stand on: the realtime server as a process of its own, and people at work on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { findAnyPort } from '../../../src/processes/local/ports.ts';
import { Canvas, overSocket } from '../../../src/features/canvas/client/canvas.ts';
import { definition } from '../../features/canvas/support/canvas.ts';
import { Peer } from '../../features/canvas/support/peer.ts';
import { HEALTH_KEY, startApi, type ApiServer, type Tenant } from '../../support/api-server.ts';
import '../../support/build-setup.ts';
import { Slot } from '../../support/service.ts';
import { eventually } from '../../support/waiting.ts';

/** One realtime process, at an address of its own. */
export interface CanvasNode {
  readonly realtime: Slot;
  readonly url: string;
}

type Variables = Readonly<Record<string, string>>;

export interface CanvasSituation extends CanvasNode {
  readonly api: ApiServer;
  /** Starts a further realtime process on the same database. @param more variables, by the port that it listens on */
  addNode(name: string, more?: (port: number) => Promise<Variables>): Promise<CanvasNode>;
  tenant(): Promise<Tenant>;
  workflow(tenant: Tenant): Promise<string>;
  /** Another user, an admin of the tenant's organization. */
  colleague(tenant: Tenant): Promise<Tenant>;
  /**
   * A bare client: it forgets what it has sent. Waits until the server lets it in.
   * @param options what the client says that it can read; the server, the first one if none is named
   */
  peer(tenant: Tenant, options?: { caps?: readonly string[]; node?: CanvasNode }): Promise<Peer>;
  /** A client as the product has it: it comes back, and sends again what was not saved. */
  editor(tenant: Tenant, workflowId: string, clientId: string, node?: CanvasNode): Editor;
  /** A number that a server tells its operator, the first one if none is named. */
  metric(name: string, node?: CanvasNode): Promise<number>;
  close(): Promise<void>;
}

export interface Editor {
  readonly canvas: Canvas;
  readonly socket: Socket;
  /** opIds that the server refused for good. */
  readonly dropped: string[];
  close(): void;
}

/** Opens a client as the product has it. @param clientId one per tab */
export function openEditor(
  url: string,
  { token, org }: Pick<Tenant, 'token' | 'org'>,
  workflowId: string,
  clientId: string,
): Editor {
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
    onDropped: ({ opId }) => void dropped.push(opId),
  });
  canvas.open();
  const close = (): void => {
    canvas.close();
    socket.disconnect();
  };
  return { canvas, socket, dropped, close };
}

const signedIn = (api: ApiServer): Promise<Tenant> =>
  api.tenant({ exp: Math.floor(Date.now() / 1000) + 6 * 3_600 });

async function colleagueOf(api: ApiServer, { org }: Tenant): Promise<Tenant> {
  const invited = await signedIn(api);
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1`,
    [invited.org, org],
  );
  return { ...invited, org };
}

/**
 * @param environment of the realtime process, beside what it needs
 * @param apiEnvironment the same of the API
 */
export async function startCanvasSituation(
  environment: Variables = {},
  apiEnvironment: Variables = {},
): Promise<CanvasSituation> {
  const api = await startApi(apiEnvironment);
  const { config } = api.deps;
  const logs = mkdtempSync(join(tmpdir(), 'faults-canvas-'));
  const nodes: Slot[] = [];
  const addNode: CanvasSituation['addNode'] = async (name, more) => {
    const port = await findAnyPort();
    const realtime = new Slot({
      name,
      logs,
      entry: 'src/processes/serve-realtime.js',
      ready: 'the realtime server is listening',
      environment: {
        APP_ENV: 'test',
        HOST: '127.0.0.1',
        REALTIME_PORT: String(port),
        DATABASE_URL: config.databaseUrl,
        AUTH_JWKS_URL: config.auth.jwksUrl ?? '',
        AUTH_ISSUER: config.auth.issuer ?? '',
        APP_URL: config.appUrl ?? '',
        HEALTH_API_KEY: HEALTH_KEY,
        ...environment,
        ...(await more?.(port)),
      },
    });
    nodes.push(realtime);
    await realtime.start();
    return { realtime, url: `http://127.0.0.1:${port}` };
  };
  const { realtime, url } = await addNode('realtime');
  const closing: (() => void)[] = [];
  return {
    api,
    realtime,
    url,
    addNode,
    tenant: () => signedIn(api),
    async workflow(tenant) {
      const body = { name: 'Canvas', workflow_schema: definition() };
      return String((await tenant.call('POST', '/workflows', { body })).body.id);
    },
    colleague: (tenant) => colleagueOf(api, tenant),
    async peer({ token, org }, { caps = [], node } = {}) {
      const auth = { token, organizationId: org, caps };
      const peer = await eventually('a connection', 30_000, () =>
        Peer.connect({ url: node?.url ?? url, auth }).catch(() => null),
      );
      closing.push(() => peer.close());
      return peer;
    },
    editor(tenant, workflowId, clientId, node) {
      const editor = openEditor(node?.url ?? url, tenant, workflowId, clientId);
      closing.push(() => editor.close());
      return editor;
    },
    async metric(name, node) {
      const response = await fetch(`${node?.url ?? url}/metrics`, {
        headers: { 'x-health-api-key': HEALTH_KEY },
      });
      const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text()) ?? [];
      if (value === undefined) throw new Error(`there is no metric ${name}`);
      return Number(value);
    },
    async close() {
      for (const close of closing) close();
      await Promise.all(nodes.map((node) => node.kill()));
      await api.close();
      rmSync(logs, { recursive: true, force: true });
    },
  };
}
