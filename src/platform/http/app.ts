/**
 * The HTTP application. A request passes, in this order: the caller behind proxies, logging, error writer, security headers, CORS, and then the checks
 * of its route (serve-route.ts): credential, rate limits, organization, role, validation.
 */
import helmet from 'helmet';
import Koa, { type Middleware } from 'koa';
import { TrustedProxies } from '../access/client-address.ts';
import { cors } from './cors.ts';
import { mount } from './mount.ts';
import { observeRequest } from './observe-request.ts';
import { respondErrors } from './respond-errors.ts';
import type { Route } from './route.ts';
import { serveRoute, type HttpDeps } from './serve-route.ts';

/** Sets helmet's headers, and forbids caches to store answers. */
function securityHeaders(): Middleware {
  const setHeaders = helmet();
  return (ctx, next) => {
    // Routes that serve cacheable files overwrite it.
    ctx.set('Cache-Control', 'no-store');
    // With helmet's defaults the headers are set synchronously.
    setHeaders(ctx.req, ctx.res, (error) => {
      if (error !== undefined) throw error;
    });
    return next();
  };
}

/** Sets the address and the scheme of the request to those of the caller. */
function findClient(proxies: TrustedProxies): Middleware {
  return (ctx, next) => {
    const { address, scheme } = proxies.findClient(ctx.req.socket.remoteAddress ?? '', ctx.headers);
    ctx.request.ip = address;
    // Koa reads it from the headers of every peer, or of none.
    if (scheme !== null) Object.defineProperty(ctx.request, 'protocol', { value: scheme });
    return next();
  };
}

/**
 * Builds the application; it does not listen yet.
 * @param routes the routes, in the order of matching
 * @param web the middleware that serves the web application; null without one
 */
export function createApp<Deps extends HttpDeps>(
  deps: Deps,
  routes: readonly Route<Deps>[],
  web: Middleware | null = null,
): Koa {
  const app = new Koa();
  // Koa would write its own errors, such as a connection lost during an answer, to stderr.
  app.on('error', (error: unknown) => deps.log.debug({ err: error }, 'connection failed'));
  app.use(findClient(new TrustedProxies(deps.config.trustedProxies)));
  app.use(observeRequest(deps.log));
  app.use(respondErrors(deps.log));
  app.use(securityHeaders());
  app.use(cors(deps.config.appUrl));
  if (web !== null) app.use(web);
  for (const middleware of mount(routes, (row) => serveRoute(deps, row))) app.use(middleware);
  return app;
}
