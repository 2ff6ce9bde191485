/**
 * The HTTP application. Top to bottom, the order in which a request meets its guards: error writer, security headers,
 * CORS, request id, then per row (serve-route.ts) credential, rate limits, organization, role, validation.
 */
import { randomUUID } from 'node:crypto';
import Koa, { type Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { Deps } from '../deps.ts';
import { cors } from './cors.ts';
import { mount } from './mount.ts';
import { respondErrors } from './respond-errors.ts';
import { serveRoute } from './serve-route.ts';
import { allRoutes } from './tables.ts';

/** The client's own id is taken over when it is harmless, so that both sides' logs meet. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get('X-Request-ID');
  const id = REQUEST_ID.test(given) ? given : randomUUID();
  ctx.state['requestId'] = id;
  ctx.set('X-Request-ID', id);
  await next();
};

/** @returns the application; nothing listens yet */
export function createApp(deps: Deps): Koa {
  const app = new Koa();
  // Failures that Koa itself notices (a connection that broke under an answer) belong to the log, not to stderr.
  app.on('error', (error: unknown) => deps.log.debug({ err: error }, 'connection failed'));
  app.use(respondErrors(deps.log));
  app.use(helmet() as unknown as Middleware);
  app.use(cors(deps.config.appUrl));
  app.use(requestId);
  for (const middleware of mount(allRoutes(), (row) => serveRoute(deps, row))) app.use(middleware);
  return app;
}
