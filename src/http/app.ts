/**
 * The HTTP application. Top to bottom, the order in which a request meets its guards: observation, error writer,
 * security headers, CORS, then per row (serve-route.ts) credential, rate limits, organization, role, validation.
 */
import Koa, { type Middleware } from 'koa';
import { cors } from './cors.ts';
import { mount } from './mount.ts';
import { observeRequest } from './observe-request.ts';
import { respondErrors } from './respond-errors.ts';
import { securityHeaders } from './security-headers.ts';
import type { Route } from './route.ts';
import { serveRoute, type HttpDeps } from './serve-route.ts';

/**
 * @param routes the rows, in the order in which they are tried
 * @param web what serves the web application; null: nothing does
 * @returns the application; nothing listens yet
 */
export function createApp<Deps extends HttpDeps>(
  deps: Deps,
  routes: readonly Route<Deps>[],
  web: Middleware | null = null,
): Koa {
  const app = new Koa();
  // Failures that Koa itself notices (a connection that broke under an answer) belong to the log, not to stderr.
  app.on('error', (error: unknown) => deps.log.debug({ err: error }, 'connection failed'));
  app.use(observeRequest(deps.log));
  app.use(respondErrors(deps.log));
  app.use(securityHeaders());
  app.use(cors(deps.config.appUrl));
  if (web !== null) app.use(web);
  for (const middleware of mount(routes, (row) => serveRoute(deps, row))) app.use(middleware);
  return app;
}
