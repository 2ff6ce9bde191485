/** The table of rows as a Koa router: exact paths only; what no row matches is 404, a wrong method 405. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { respondUnrouted } from './respond-errors.ts';
import type { Route } from './route.ts';

type Method = Route['method'];

/**
 * @param serve makes the middleware that serves one row
 * @returns the router, and behind it the answer for everything unrouted
 */
export function mount<Deps>(
  rows: readonly Route<Deps>[],
  serve: (row: Route<Deps>) => (ctx: Context) => Promise<void>,
): Middleware[] {
  // strict: a trailing slash is another path; sensitive: so is another case (SPEC API-versioning).
  const router = new Router({ strict: true, sensitive: true });
  for (const { path, missing, methods } of findShadows(rows)) {
    router.register(path, missing, (ctx) => respondUnrouted(ctx as unknown as Context, methods));
  }
  for (const row of rows) {
    const handle = serve(row);
    router.register(row.path, [row.method], (ctx) => handle(ctx as unknown as Context));
  }
  const unrouted: Middleware = async (ctx) => {
    const matching = rows.filter((row) => matches(router, row, ctx.path));
    const narrowest = matching.filter((row) => !matching.some((other) => isNarrower(other.path, row.path)));
    respondUnrouted(ctx, [...new Set(narrowest.map((row) => row.method))]);
  };
  return [router.routes() as unknown as Middleware, unrouted];
}

interface Shadow {
  readonly path: string;
  readonly methods: readonly Method[];
  readonly missing: Method[];
}

/**
 * Paths that are one of several: `/workflows/run` is also a `/workflows/:workflow_id`, whose methods would take `run` for
 * an id. Such a path has its own methods only; those it is missing are 405.
 */
function findShadows(rows: readonly Route[]): Shadow[] {
  const methodsByPath = new Map<string, Method[]>();
  for (const row of rows) methodsByPath.set(row.path, [...(methodsByPath.get(row.path) ?? []), row.method]);
  const paths = [...methodsByPath.keys()];
  return paths.flatMap((path) => {
    const methods = methodsByPath.get(path) ?? [];
    const wider = paths.filter((other) => isNarrower(path, other));
    const missing = wider
      .flatMap((other) => methodsByPath.get(other) ?? [])
      .filter((method) => !methods.includes(method));
    return missing.length === 0 ? [] : [{ path, methods, missing: [...new Set(missing)] }];
  });
}

/** True if every address of `path` is one of `wider`, too. */
function covers(wider: string, path: string): boolean {
  const parts = path.split('/');
  const pattern = wider.split('/');
  return (
    pattern.length === parts.length && pattern.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}

const isNarrower = (path: string, than: string): boolean => path !== than && covers(than, path);

function matches(router: Router, row: Route, path: string): boolean {
  return router.stack.some((layer) => layer.path === row.path && layer.match(path));
}
