/**
 * Serves the web application's build at /app. Browsers cache files with a hash in their name forever, and the page never; a path
 * without a file serves the page, which has client-side routes.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import type { Config } from '../../base/config/config.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const NONCE = '__CSP_NONCE__';
/** The path that OAuth providers redirect browsers to (SPEC SRV-oauth-return); it redirects to the page below /app. */
const OAUTH_RETURN = '/oauth/callback';

/** The configuration that the page needs before sign-in. */
interface WebConfig {
  /** Null: no identity provider is configured, so nobody can sign in. */
  readonly issuer: string | null;
  readonly client_id: string;
  /** Null: the page's own origin. */
  readonly realtime_url: string | null;
  readonly temporal_ui_url: string | null;
  readonly temporal_namespace: string;
}

const toWebConfig = ({ auth, web, temporal }: Config): WebConfig => ({
  issuer: auth.issuer ?? null,
  client_id: web.clientId,
  realtime_url: web.realtimeUrl ?? null,
  temporal_ui_url: temporal.uiUrl ?? null,
  temporal_namespace: temporal.namespace,
});

/**
 * Builds the Content-Security-Policy (SPEC SEC-W01): scripts of this origin only, nothing inline, markup only through the page's
 * Trusted Types policy, and connections only to the service and the identity provider.
 */
function buildPolicy({ realtime_url: realtime, issuer }: WebConfig, nonce: string): string {
  const origins = [realtime, issuer].flatMap((url) => (url === null ? [] : [new URL(url).origin]));
  const sockets = realtime === null ? [] : [new URL(realtime).origin.replace(/^http/, 'ws')];
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ['connect-src', "'self'", ...origins, ...sockets].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

interface Asset {
  readonly type: string;
  /** By Content-Encoding; `identity` is always there. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** Reads all assets at start: a path outside of the map is not served. */
function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  const names = readdirSync(directory);
  for (const name of names.filter((one) => !/\.(?:br|gz)$/.test(one))) {
    const contents = new Map([['identity', readFileSync(join(directory, name))]]);
    for (const [encoding, ending] of [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const)
      if (names.includes(name + ending)) contents.set(encoding, readFileSync(join(directory, name + ending)));
    assets.set(`/app/assets/${name}`, { type: TYPES[extname(name)] ?? 'application/octet-stream', contents });
  }
  return assets;
}

function sendAsset(ctx: Context, { type, contents }: Asset): void {
  const encoding = ctx.acceptsEncodings(...contents.keys());
  const chosen = typeof encoding === 'string' ? encoding : 'identity';
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.vary('Accept-Encoding');
  if (chosen !== 'identity') ctx.set('Content-Encoding', chosen);
  ctx.type = type;
  ctx.body = contents.get(chosen);
}

/**
 * Creates the middleware of /app, the paths below it, and /oauth/callback.
 * @param directory of the build
 * @returns null without a build
 */
export function buildWebApp(directory: string, config: Config): Middleware | null {
  const index = join(directory, 'index.html');
  if (!existsSync(index)) return null;
  const page = readFileSync(index, 'utf8');
  const assets = readAssets(join(directory, 'assets'));
  const pageConfig = toWebConfig(config);
  return (ctx, next) => {
    const { path, method } = ctx;
    if (path === OAUTH_RETURN && method === 'GET') {
      ctx.status = 303;
      ctx.set('Cache-Control', 'no-store');
      ctx.set('Location', `/app${OAUTH_RETURN}${ctx.search}`);
      return Promise.resolve();
    }
    if ((path !== '/app' && !path.startsWith('/app/')) || (method !== 'GET' && method !== 'HEAD'))
      return next();
    const asset = assets.get(path);
    if (asset === undefined && path.startsWith('/app/assets/')) return next();
    ctx.status = 200;
    if (asset !== undefined) sendAsset(ctx, asset);
    else {
      ctx.set('Cache-Control', 'no-store');
      if (path === '/app/config.json') ctx.body = pageConfig;
      else {
        const nonce = randomBytes(16).toString('base64');
        ctx.set('Content-Security-Policy', buildPolicy(pageConfig, nonce));
        ctx.type = 'html';
        ctx.body = page.replace(NONCE, nonce);
      }
    }
    return Promise.resolve();
  };
}
