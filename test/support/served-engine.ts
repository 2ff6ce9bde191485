/** The API with a real Temporal behind it: what it accepts is run. */
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { drain, listen } from '../../src/platform/http/server.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { startApi, type ApiServer, type Tenant } from './api-server.ts';
import type { EngineWithRecorder } from './engine-with-servers.ts';

interface Deployment {
  /** Beside the name. */
  readonly metadata?: JsonObject;
  readonly by?: Tenant;
}

export interface ServedEngine<Started extends EngineWithRecorder> {
  readonly api: ApiServer;
  readonly started: Started;
  readonly url: string;
  readonly tenant: Tenant;
  /** A key of the tenant that many requests may use. */
  readonly apiKey: string;
  /** Creates a workflow and deploys it. @returns its id */
  deploy(name: string, definition: JsonObject, more?: Deployment): Promise<string>;
  close(): Promise<void>;
}

/** @param start starts the engine with the servers that its runs call */
export async function serveEngine<Started extends EngineWithRecorder>(
  start: (environment: Readonly<Record<string, string>>) => Promise<Started>,
): Promise<ServedEngine<Started>> {
  const api = await startApi();
  const port = await findAnyPort();
  const started = await start({ DATABASE_URL: api.deps.config.databaseUrl });
  const { engine, dispatcher } = started.engine;
  const server = await listen(createApp({ ...api.deps, engine, dispatcher }, allRoutes()), '127.0.0.1', port);
  api.deps.feed.start();
  const tenant = await api.tenant();
  const key = await tenant.call('POST', '/api-keys', { body: { name: 'x', rate_limit_per_minute: 1_000 } });
  return {
    api,
    started,
    url: `http://127.0.0.1:${port}`,
    tenant,
    apiKey: key.body.key,
    async deploy(name, definition, { metadata = {}, by = tenant } = {}) {
      const named = { name, version: '1.0.0', ...metadata };
      const body = { name, workflow_schema: { ...definition, metadata: named } };
      const workflowId = (await by.call('POST', '/workflows', { body })).body.id as string;
      const { status } = await by.call('POST', `/workflows/${workflowId}/deploy`);
      if (status !== 201) throw new Error(`the deployment of ${name} was answered ${status}`);
      return workflowId;
    },
    async close() {
      await api.deps.feed.stop();
      await drain(server, 1_000);
      await started.engine.close();
      await api.close();
    },
  };
}
