/** Mounts the routes on a Koa router: exact paths only, 404 for other paths, 405 for other methods. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { useDialect, type ErrorDialect } from './error-dialect.ts';
import { respondUnrouted } from './respond-errors.ts';
import type { Route } from './route.ts';

type Method = Route['method'];

/**
 * Builds the middleware of all routes.
 * @param serve creates the handler of one route
 * @returns the router, followed by the answer for unmatched requests
 */
export function mount<Deps>(
  rows: readonly Route<Deps>[],
  serve: (row: Route<Deps>) => (ctx: Context) => Promise<void>,
): Middleware[] {
  // strict: a trailing slash is another path; sensitive: so is another case (SPEC API-versioning).
  const router = new Router({ strict: true, sensitive: true });
  const refuse = (ctx: Context, methods: readonly Method[]): void => {
    const dialect = findDoorDialect(rows, ctx.path);
    if (dialect !== undefined) useDialect(ctx, { dialect, origin: ctx.origin });
    respondUnrouted(ctx, methods);
  };
  for (const { path, missing, methods } of findShadows(rows)) {
    router.register(path, missing, (ctx) => refuse(ctx as unknown as Context, methods));
  }
  for (const row of rows) {
    const handle = serve(row);
    router.register(row.path, [row.method], (ctx) => handle(ctx as unknown as Context));
  }
  const unrouted: Middleware = async (ctx) => {
    const matching = rows.filter((row) => matches(router, row, ctx.path));
    const narrowest = matching.filter((row) => !matching.some((other) => isNarrower(other.path, row.path)));
    refuse(ctx, [...new Set(narrowest.map((row) => row.method))]);
  };
  return [router.routes() as unknown as Middleware, unrouted];
}

/** Finds the dialect of the door that a path is below: its clients read no other error, also where there is no route. */
function findDoorDialect(rows: readonly Route[], path: string): ErrorDialect | undefined {
  const [, door = ''] = path.split('/');
  return rows.find((row) => row.errors !== undefined && row.path.startsWith(`/${door}/`))?.errors;
}

interface Shadow {
  readonly path: string;
  readonly methods: readonly Method[];
  readonly missing: Method[];
}

/**
 * Finds paths that a pattern also matches: for `/workflows/run`, the methods of `/workflows/:workflow_id` would read `run` as an
 * id. Such a path has only its own methods; others are 405.
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

/** True if `wider` matches every address of `path`. */
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
