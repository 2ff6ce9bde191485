/** Helmet's headers as Koa middleware. */
import helmet from 'helmet';
import type { Middleware } from 'koa';

/** Middleware: before everything that answers. */
export function securityHeaders(): Middleware {
  const setHeaders = helmet();
  return (ctx, next) => {
    // With helmet's defaults nothing is asynchronous: the headers are set when it returns.
    setHeaders(ctx.req, ctx.res, (error) => {
      if (error !== undefined) throw error;
    });
    return next();
  };
}
