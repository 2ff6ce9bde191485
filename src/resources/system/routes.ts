/** The service's own rows: root and probes (SPEC API-probes). */
import { z } from 'zod';
import { SERVICE_NAME, VERSION, type Config } from '../../config/config.ts';
import { ApiError } from '../../errors.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { METRICS_TYPE, readMetrics } from '../../observe/metrics.ts';
import type { RunFeed } from '../../runs/stream/feed.ts';
import { AT } from '../../http/docs/example-ids.ts';
import { healthReport, type HealthDeps } from './health-report.ts';
import { OperatorKey } from '../../access/operator-key.ts';

export interface SystemDeps extends HealthDeps {
  readonly config: Config;
  readonly feed: RunFeed;
}
const route = routesFor<SystemDeps>();

const common = { method: 'GET', tag: 'system', access: 'public' } as const;
const ROOT = { service: SERVICE_NAME, version: VERSION, openapi: '/openapi.json' };
const LIVE = { status: 'healthy', service: SERVICE_NAME, version: VERSION };
const answers = (name: string) => ({ status: 'healthy', message: `${name} answers` });
const check = z.looseObject({ status: z.enum(['healthy', 'warning', 'unhealthy']), message: z.string() });

/** @param operatorKey counts wrong tries for as long as the process lives */
export function systemRoutes(operatorKey = new OperatorKey()): readonly Route<SystemDeps>[] {
  return [
    route({
      ...common,
      path: '/',
      summary: 'Service root',
      replies: { 200: z.looseObject({ service: z.string(), version: z.string() }) },
      example: { replies: { 200: ROOT } },
      async handle() {
        return { status: 200, body: ROOT };
      },
    }),
    route({
      ...common,
      path: '/system/health',
      summary: 'Liveness; asks nothing else',
      replies: { 200: z.object({ status: z.literal('healthy'), service: z.string(), version: z.string() }) },
      example: { replies: { 200: LIVE } },
      async handle() {
        return { status: 200, body: LIVE };
      },
    }),
    route({
      ...common,
      path: '/metrics',
      isUnlisted: true,
      summary:
        'Metrics for operators in the Prometheus format; without X-Health-API-Key there is nothing here',
      replies: { 200: z.string() },
      async handle({ deps, ctx }) {
        if (!operatorKey.opens(deps.config.healthApiKey, ctx.get('X-Health-API-Key'), ctx.ip)) {
          throw new ApiError({ shape: 'A', status: 404, detail: 'Not Found' });
        }
        const body = await readMetrics(deps.db, deps.feed.semaphore.open);
        return { status: 200, body, headers: { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' } };
      },
    }),
    route({
      ...common,
      path: '/system/health/oauth',
      summary: 'Health report for operators; needs X-Health-API-Key',
      headers: { 'X-Health-API-Key': "The operator's secret" },
      replies: {
        200: z.looseObject({
          overall: z.enum(['healthy', 'warning', 'unhealthy']),
          checks: z.record(z.string(), check),
        }),
        401: z.looseObject({ detail: z.string() }),
        429: z.looseObject({ detail: z.string() }),
        503: z.looseObject({ detail: z.string() }),
      },
      example: {
        replies: {
          200: {
            overall: 'healthy',
            checks: { database: answers('database'), temporal: answers('temporal') },
            version: VERSION,
            timestamp: AT,
          },
          401: { detail: 'Invalid health check API key' },
          503: { detail: 'Health check API key is not configured' },
        },
      },
      async handle({ deps, ctx }) {
        operatorKey.check(deps.config.healthApiKey, ctx.get('X-Health-API-Key'), ctx.ip);
        return { status: 200, body: await healthReport(deps), headers: { 'Cache-Control': 'no-store' } };
      },
    }),
  ];
}
