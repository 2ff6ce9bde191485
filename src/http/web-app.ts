/**
 * The web application at /app: the files that its build left in dist/web. Files with a hash in their name are kept by
 * browsers for ever, the page itself never; a path that is no file is the page, which has routes of its own.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import type { Config } from '../config/config.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const NONCE = '__CSP_NONCE__';
/** Where OAuth providers send browsers (SPEC SRV-oauth-return): the page has its addresses below /app alone. */
const OAUTH_RETURN = '/oauth/callback';

/** What the page must know before anybody has signed in. */
export interface WebConfig {
  /** Null: no identity provider is configured, and nobody can sign in. */
  readonly issuer: string | null;
  readonly client_id: string;
  /** Null: at the page's own origin. */
  readonly realtime_url: string | null;
  readonly temporal_ui_url: string | null;
  readonly temporal_namespace: string;
}

export const webConfig = ({ auth, web, temporal }: Config): WebConfig => ({
  issuer: auth.issuer ?? null,
  client_id: web.clientId,
  realtime_url: web.realtimeUrl ?? null,
  temporal_ui_url: temporal.uiUrl ?? null,
  temporal_namespace: temporal.namespace,
});

/** SPEC SEC-W01: scripts of this origin alone, nothing inline, no text as markup but by the page's one policy, connections to the service and the provider alone. */
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

/** Read once: what is not in the map is not served, whatever its path looks like. */
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
 * Middleware for GET /app, what is below it, and /oauth/callback.
 * @param directory of the build
 * @returns null when nothing has been built there
 */
export function buildWebApp(directory: string, config: Config): Middleware | null {
  const index = join(directory, 'index.html');
  if (!existsSync(index)) return null;
  const page = readFileSync(index, 'utf8');
  const assets = readAssets(join(directory, 'assets'));
  const told = webConfig(config);
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
      if (path === '/app/config.json') ctx.body = told;
      else {
        const nonce = randomBytes(16).toString('base64');
        ctx.set('Content-Security-Policy', buildPolicy(told, nonce));
        ctx.type = 'html';
        ctx.body = page.replace(NONCE, nonce);
      }
    }
    return Promise.resolve();
  };
}
