/** Routes of the service itself: root and probes (SPEC API-probes). */
import { z } from 'zod';
import { SERVICE_NAME, VERSION, type Config } from '../../base/config/config.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { unrouted } from '../../base/errors.ts';
import { refusal } from '../../platform/http/wire.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import type { DependencyWatch } from '../../base/observe/dependencies.ts';
import { METRICS_TYPE, readMetrics } from '../../base/observe/metrics.ts';
import type { RunFeed } from '../../engine/runs/stream/feed.ts';
import { AT } from '../../platform/http/docs/example-ids.ts';
import { readHealthReport, type HealthDeps } from './health-report.ts';
import { opensMetrics } from '../../platform/access/metrics-access.ts';
import { OperatorKey } from '../../platform/access/operator-key.ts';
import { Readiness, type ReadinessReport } from './readiness.ts';
import { eventTime } from '../../platform/http/fields.ts';

const version = z.string().meta({ description: 'Version of the build' });

export interface SystemDeps extends HealthDeps {
  readonly config: Config;
  readonly feed: RunFeed;
  readonly watch: Pick<DependencyWatch, 'listFailing'>;
}
const route = routesFor<SystemDeps>();

const common = { method: 'GET', tag: 'system', access: 'public' } as const;
const ROOT = { service: SERVICE_NAME, version: VERSION, openapi: '/openapi.json' };
const LIVE = { status: 'healthy', service: SERVICE_NAME, version: VERSION };
const answers = (name: string) => ({ status: 'healthy', message: `${name} answers` });
const REPORT_REPLIES = {
  200: {
    overall: 'healthy',
    checks: { database: answers('database'), temporal: answers('temporal') },
    version: VERSION,
    timestamp: AT,
  },
  401: { detail: 'Invalid health check API key' },
  503: { detail: 'Health check API key is not configured' },
};
const condition = z.enum(['healthy', 'warning', 'unhealthy']);
const check = z
  .looseObject({
    status: condition.meta({ description: 'Result of the check' }),
    message: z.string().meta({ description: 'Details for the operator' }),
  })
  .meta({ id: 'HealthCheck' });
const root = z
  .looseObject({
    service: z.string().meta({ description: 'Name of the service' }),
    version: version,
    openapi: z.string().meta({ description: 'Path of the OpenAPI document' }),
  })
  .meta({ id: 'ServiceRoot' });
const health = z
  .looseObject({
    status: z
      .literal('healthy')
      .meta({ description: 'The process responds; its dependencies are not checked' }),
    service: z.string().meta({ description: 'Name of the service' }),
    version: version,
  })
  .meta({ id: 'Health' });
const report = z
  .looseObject({
    overall: condition.meta({ description: 'The worst status of the checks' }),
    checks: z.record(z.string(), check).meta({ description: 'The checks by name' }),
    version: version,
    timestamp: eventTime,
  })
  .meta({ id: 'HealthReport' });
const ready = z
  .looseObject({
    status: z.enum(['ready', 'not_ready']).meta({ description: 'Whether this process should get requests' }),
    database: z.boolean().meta({ description: 'Whether the database answers' }),
    schema: z.enum(['current', 'newer', 'older', 'incompatible']).nullable().meta({
      description:
        '`current`: the database has the migrations of this build; `newer`: also those of a later one; `older`: it lacks some; `incompatible`: it has removed what this build uses; with both the process cannot serve; null: it does not answer',
    }),
    draining: z
      .boolean()
      .meta({ description: 'The process is about to stop: it answers, but send new requests elsewhere' }),
    failing: z
      .array(z.string())
      .describe(
        'What did not work when it was last asked, within 15 seconds: `temporal`, `identity_provider`, … Runs are accepted without them, so they do not make the status',
      ),
  })
  .meta({ id: 'Readiness' });
const READY: ReadinessReport = {
  status: 'ready',
  database: true,
  schema: 'current',
  draining: false,
  failing: [],
};
const headers = { 'X-Health-API-Key': "The operator's secret" };

/** @param operatorKey counts wrong keys, for the lifetime of the process */
export function systemRoutes(operatorKey = new OperatorKey()): readonly Route<SystemDeps>[] {
  const readiness = new Readiness();
  return [
    route({
      ...common,
      path: '/',
      operationId: 'getServiceRoot',
      summary: 'Service root',
      replies: { 200: root },
      example: { replies: { 200: ROOT } },
      async handle() {
        return { status: 200, body: ROOT };
      },
    }),
    route({
      ...common,
      path: '/system/health',
      operationId: 'getHealth',
      summary: 'Liveness check; dependencies are not checked',
      replies: { 200: health },
      example: { replies: { 200: LIVE } },
      async handle() {
        return { status: 200, body: LIVE };
      },
    }),
    route({
      ...common,
      path: '/ready',
      operationId: 'getReadiness',
      summary: 'Readiness check for load balancers: 503 while this process should get no requests',
      replies: { 200: ready, 503: ready },
      example: { replies: { 200: READY, 503: { ...READY, status: 'not_ready', draining: true } } },
      async handle({ deps }) {
        const body = await readiness.read(deps, deps.feed.isDraining);
        if (body.status === 'ready') return { status: 200, body };
        return { status: 503, body, headers: { 'X-Error-Code': 'not_ready' satisfies ErrorCode } };
      },
    }),
    route({
      ...common,
      path: '/metrics',
      operationId: 'getMetrics',
      summary:
        'Metrics in the Prometheus format; requires X-Health-API-Key or a bearer token for scraping, else 404',
      headers,
      replies: { 200: 'text', 404: refusal, 429: refusal },
      async handle({ deps, ctx }) {
        if (!opensMetrics(operatorKey, deps.config, { headers: ctx.headers, address: ctx.ip }))
          throw unrouted();
        const body = await readMetrics(deps.db, deps.feed.semaphore.open);
        return { status: 200, body, headers: { 'Content-Type': METRICS_TYPE } };
      },
    }),
    route({
      ...common,
      path: '/system/health/oauth',
      operationId: 'getHealthReport',
      summary: 'Health report for operators; requires X-Health-API-Key',
      headers,
      replies: {
        200: report,
        401: refusal,
        429: refusal,
        503: refusal,
      },
      example: { replies: REPORT_REPLIES },
      async handle({ deps, ctx }) {
        operatorKey.check(deps.config.healthApiKeys, ctx.get('X-Health-API-Key'), ctx.ip);
        return { status: 200, body: await readHealthReport(deps) };
      },
    }),
  ];
}
