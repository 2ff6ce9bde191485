/** Starts the API and the realtime server over one database in this process. */
import { listenRealtime, type RealtimeServer } from '../../../../src/features/canvas/server/server.ts';
import { readPort } from '../../../../src/platform/http/server.ts';
import { startApi, type ApiServer, type Tenant } from '../../../support/api-server.ts';
import { Peer, type Payload } from './peer.ts';

export interface Canvas {
  readonly api: ApiServer;
  readonly server: RealtimeServer;
  readonly url: string;
  /** Connects a member of the tenant. */
  peer(tenant: Tenant, more?: Readonly<Record<string, unknown>>): Promise<Peer>;
  /** Another user, an admin of the tenant's organization. */
  colleague(tenant: Tenant): Promise<Tenant & { readonly userId: string }>;
  /** A workflow of the nodes a and b. */
  workflow(tenant: Tenant): Promise<string>;
  /** The record, over the API. */
  record(tenant: Tenant, workflowId: string): Promise<Payload>;
  close(): Promise<void>;
}

const node = (id: string, x: number): object => ({
  id,
  type: 'transformer',
  name: id,
  position: { x, y: 0 },
  config: { mode: 'map', fields: { [id]: 1 } },
});

/** start -> a -> b -> end. */
export const definition = (): object => ({
  metadata: { name: 'Canvas', description: '', version: '1.0.0', tags: [] },
  config: {},
  state_schema: { fields: {} },
  nodes: [node('a', 0), node('b', 300)],
  edges: [
    { id: 'start-a', source: '__start__', target: 'a' },
    { id: 'a-b', source: 'a', target: 'b' },
    { id: 'b-end', source: 'b', target: '__end__' },
  ],
  entry_point: '__start__',
  input_parameters: [],
});

export interface CanvasOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** In place of the API's own address of the database, for the realtime server alone. */
  databaseUrl?(url: string): Promise<string> | string;
}

export async function startCanvas(options: CanvasOptions = {}): Promise<Canvas> {
  const api = await startApi(options.environment);
  const databaseUrl =
    (await options.databaseUrl?.(api.deps.config.databaseUrl)) ?? api.deps.config.databaseUrl;
  const deps = { ...api.deps, config: { ...api.deps.config, databaseUrl } };
  const server = await listenRealtime(deps, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${readPort(server.http)}`;
  const peers = new Set<Peer>();
  return {
    api,
    server,
    url,
    async peer({ token, org }, more = {}) {
      const peer = await Peer.connect({ url, auth: { token, organizationId: org, ...more } });
      peers.add(peer);
      return peer;
    },
    async colleague(tenant) {
      const invited = await api.tenant();
      const [user] = await api.deps.db.query<{ userId: string }>(
        `INSERT INTO memberships (user_id, organization_id, role)
         SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1 RETURNING user_id AS "userId"`,
        [invited.org, tenant.org],
      );
      return { ...invited, org: tenant.org, userId: user?.userId ?? '' };
    },
    async workflow(tenant) {
      const made = await tenant.call('POST', '/workflows', {
        body: { name: 'Canvas', workflow_schema: definition() },
      });
      return String(made.body.id);
    },
    record: async (tenant, workflowId) => (await tenant.call('GET', `/workflows/${workflowId}`)).body,
    async close() {
      for (const peer of peers) peer.close();
      await server.drain();
      await api.close();
    },
  };
}
