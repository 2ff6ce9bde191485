/** The table of rows as a Koa router: exact paths only; what no row matches is 404, a wrong method 405. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { respondUnrouted } from './respond-errors.ts';
import type { Route } from './route.ts';

/**
 * @param serve makes the middleware that serves one row
 * @returns the router, and behind it the answer for everything unrouted
 */
export function mount(
  rows: readonly Route[],
  serve: (row: Route) => (ctx: Context) => Promise<void>,
): Middleware[] {
  // strict: a trailing slash is another path; sensitive: so is another case (specification, "Versioning").
  const router = new Router({ strict: true, sensitive: true });
  for (const row of rows) {
    const handle = serve(row);
    router.register(row.path, [row.method], (ctx) => handle(ctx as unknown as Context));
  }
  const unrouted: Middleware = async (ctx) => {
    const methods = rows.filter((row) => matches(router, row, ctx.path)).map((row) => row.method);
    respondUnrouted(ctx, [...new Set(methods)]);
  };
  return [router.routes() as unknown as Middleware, unrouted];
}

function matches(router: Router, row: Route, path: string): boolean {
  return router.stack.some((layer) => layer.path === row.path && layer.match(path));
}
