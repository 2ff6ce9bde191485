/** The worker's port for operators: liveness, readiness and metrics. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from '@temporalio/worker';
import { TrustedProxies } from '../../src/platform/access/client-address.ts';
import { opensMetrics } from '../../src/platform/access/metrics-access.ts';
import { OperatorKey } from '../../src/platform/access/operator-key.ts';
import type { Config } from '../../src/base/config/config.ts';
import type { Sql } from '../../src/base/db/client.ts';
import { isServable, readSchemaState } from '../../src/base/db/migrations.ts';
import type { Logger } from '../../src/base/log.ts';
import type { DependencyWatch } from '../../src/base/observe/dependencies.ts';
import { METRICS_TYPE, readMetrics } from '../../src/base/observe/metrics.ts';
import { noteWorkers, type WorkerStatus } from '../../src/base/observe/worker-metrics.ts';

export interface WorkerPortDeps {
  readonly config: Pick<Config, 'host' | 'healthApiKeys' | 'metricsTokens' | 'trustedProxies'>;
  readonly db: Sql;
  readonly log: Logger;
  readonly watch: Pick<DependencyWatch, 'listFailing'>;
  readonly workers: Readonly<Record<string, Pick<Worker, 'getStatus'>>>;
}

export interface WorkerPort {
  /** Where it listens. */
  readonly port: number;
  close(): Promise<void>;
}

function readWorker(worker: Pick<Worker, 'getStatus'>): WorkerStatus {
  const status = worker.getStatus();
  // A worker without workflows or activities reports a poller of that kind as shut down.
  const pollers = [status.workflowPollerState, status.activityPollerState];
  const polls = pollers.includes('POLLING') && !pollers.includes('FAILED');
  return {
    isPolling: status.runState === 'RUNNING' && polls,
    workflowTasks: status.numInFlightWorkflowActivations,
    activities: status.numInFlightActivities,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(body));
}

function createHandler(deps: WorkerPortDeps) {
  const operatorKey = new OperatorKey();
  const proxies = new TrustedProxies(deps.config.trustedProxies);
  const readWorkers = (): Record<string, WorkerStatus> =>
    Object.fromEntries(Object.entries(deps.workers).map(([name, worker]) => [name, readWorker(worker)]));

  const ready = async (response: ServerResponse): Promise<void> => {
    const polling = Object.fromEntries(
      Object.entries(readWorkers()).map(([name, { isPolling }]) => [name, isPolling]),
    );
    const schema = await readSchemaState(deps.db);
    const failing = deps.watch.listFailing();
    // A worker gets its work from Temporal; whatever else fails, others may still work.
    const hasWork = !Object.values(polling).includes(false) && !failing.includes('temporal');
    const isReady = isServable(schema) && hasWork;
    const status = isReady ? 'ready' : 'not_ready';
    answer(response, isReady ? 200 : 503, { status, database: schema !== null, schema, polling, failing });
  };

  /** Answers 404 without the operator's key, as the API does. */
  const metrics = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, socket } = request;
    const { address } = proxies.findClient(socket.remoteAddress ?? '', headers);
    if (!opensMetrics(operatorKey, deps.config, { headers, address })) {
      return answer(response, 404, { error: 'Endpoint not found' });
    }
    noteWorkers(readWorkers());
    const text = await readMetrics(deps.db, 0);
    response.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' });
    response.end(text);
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.url === '/health') {
      return answer(response, 200, { status: 'healthy', uptime: process.uptime() });
    }
    if (isRead && request.url === '/ready') return ready(response);
    if (isRead && request.url === '/metrics') return metrics(request, response);
    answer(response, 404, { error: 'Endpoint not found' });
  };
}

/**
 * Opens the port. When it is taken, the worker logs that and works without it: runs matter more than metrics.
 * @param port undefined: none is opened; 0: any that is free
 * @returns null when nothing listens
 */
export async function openWorkerPort(
  deps: WorkerPortDeps,
  port: number | undefined,
): Promise<WorkerPort | null> {
  if (port === undefined) return null;
  const handle = createHandler(deps);
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      deps.log.error({ err: error }, "a request at the worker's port failed");
      if (response.headersSent) response.destroy();
      else answer(response, 500, { error: 'Internal error' });
    });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, deps.config.host, () => resolve());
    });
  } catch (error) {
    deps.log.error({ err: error, port }, "the worker's port cannot be opened; the worker runs without it");
    return null;
  }
  const { port: opened } = server.address() as AddressInfo;
  deps.log.info({ host: deps.config.host, port: opened }, "the worker's port is listening");
  return {
    port: opened,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
