/** CORS for the web application's origin; other origins get no permission. */
import type { Middleware } from 'koa';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, X-API-KEY, X-Organization-ID, Idempotency-Key, Last-Event-ID, X-Request-ID, traceparent, tracestate';
const EXPOSED_HEADERS =
  'X-Request-ID, X-Error-Code, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
/** Two hours, the maximum of Chromium. */
const MAX_AGE_SECONDS = '7200';

/** Creates the middleware. @param appUrl APP_URL; without it no origin is allowed */
export function cors(appUrl: string | undefined): Middleware {
  const allowed = appUrl === undefined ? null : new URL(appUrl).origin;
  return async (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin === '') return next();
    ctx.vary('Origin');
    // Credentials travel in headers, never in cookies: no Access-Control-Allow-Credentials.
    if (origin === allowed) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';
    if (!isPreflight) return next();
    if (origin === allowed) {
      ctx.set('Access-Control-Allow-Methods', METHODS);
      ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
      ctx.set('Access-Control-Max-Age', MAX_AGE_SECONDS);
    }
    ctx.status = 204;
  };
}
