/** Helmet's headers as Koa middleware, and that nothing is kept between here and the caller. */
import helmet from 'helmet';
import type { Middleware } from 'koa';

/** Middleware: before everything that answers. */
export function securityHeaders(): Middleware {
  const setHeaders = helmet();
  return (ctx, next) => {
    // With helmet's defaults nothing is asynchronous: the headers are set when it returns.
    // An answer is its caller's; rows with files of their own say otherwise.
    ctx.set('Cache-Control', 'no-store');
    setHeaders(ctx.req, ctx.res, (error) => {
      if (error !== undefined) throw error;
    });
    return next();
  };
}
