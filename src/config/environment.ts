/**
 * The schema of the environment: names, formats and descriptions of variables. The tables in the READMEs are generated from
 * it.
 */
import { isIP } from 'node:net';
import { z } from 'zod';

/** A key of 32 bytes and the short id that is stored with each ciphertext. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** This service's client registration with a provider. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origin of the provider and base URL of its API, if they differ from the catalog's. */
  readonly origin: string | null;
  readonly baseUrl: string | null;
}

/** A block of IP addresses (RFC 4632): those that share the first `bits` with `address`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const hostPort = z.string().regex(/^[^/\s]+:\d{1,5}$/, 'must be host:port');

const hostPorts = list.refine(
  (items) => items.every((item) => /^\S+:\d{1,5}$/.test(item)),
  'must be a list of host:port',
);

/** Parses `address` or `address/bits`; null when it is neither. */
function parseNetwork(text: string): Network | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const max = isIP(address) === 4 ? 32 : 128;
  const given = Number(bits ?? max);
  return isIP(address) === 0 || given > max ? null : { address, bits: given };
}

const networks = list.transform((items, ctx): Network[] => {
  const parsed = items.map(parseNetwork);
  if (!parsed.includes(null)) return parsed.filter((network) => network !== null);
  ctx.addIssue({ code: 'custom', message: 'must be a list of addresses and CIDR blocks' });
  return z.NEVER;
});

/** Parses a list `id:base64key`; null unless all keys have 32 bytes and distinct ids. */
export function parseEncryptionKeys(text: string): EncryptionKey[] | null {
  const keys = text.split(',').map((part) => {
    const at = part.indexOf(':');
    return { id: part.slice(0, at).trim(), key: Buffer.from(part.slice(at + 1).trim(), 'base64') };
  });
  const wrong = keys.some((key) => !/^[A-Za-z0-9_-]{1,32}$/.test(key.id) || key.key.length !== 32);
  return wrong || new Set(keys.map((key) => key.id)).size !== keys.length ? null : keys;
}

const flag = z
  .enum(['0', '1', 'false', 'true'], { error: 'must be 1 or 0' })
  .default('0')
  .transform((text) => text === '1' || text === 'true');

/** Claims that the service reads, by their standard names. */
const CLAIM_NAMES = ['sub', 'email', 'email_verified', 'azp', 'sid', 'role'] as const;
export type ClaimNames = Readonly<Partial<Record<(typeof CLAIM_NAMES)[number], string>>>;

const claimNames = z.string().transform((text, ctx): ClaimNames => {
  const pairs = text.split(',').map((part) => /^\s*(\w+)=(\S+)\s*$/.exec(part));
  const isGood = pairs.every((pair) => CLAIM_NAMES.some((name) => name === pair?.[1]));
  if (isGood) return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]));
  ctx.addIssue({ code: 'custom', message: `must be a list of name=claim, names: ${CLAIM_NAMES.join(', ')}` });
  return z.NEVER;
});

const encryptionKeys = z.string().transform((text, ctx): EncryptionKey[] => {
  const keys = parseEncryptionKeys(text);
  if (keys !== null) return keys;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a list id:base64key of 32-byte keys with different ids',
  });
  return z.NEVER;
});

const oauthClient = z
  .strictObject({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    /** For a provider at another origin, such as GitHub Enterprise. */
    origin: httpUrl.optional(),
    base_url: httpUrl.optional(),
  })
  .transform(
    ({ client_id: clientId, client_secret: clientSecret, origin, base_url: baseUrl }): OAuthClient => ({
      clientId,
      clientSecret,
      origin: origin === undefined ? null : new URL(origin).origin,
      baseUrl: baseUrl ?? null,
    }),
  );
const oauthClients = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(z.string(), oauthClient, { error: 'must be {"integration": {"client_id", "client_secret"}}' }),
  );

/** Currencies that Stripe counts in units or thousandths; a credit is a hundredth. */
const ODD_CURRENCIES =
  'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf bhd jod kwd omr tnd'.split(' ');

/** In the order of the README tables. */
export const environment = z.object({
  APP_ENV: z
    .enum(['development', 'test', 'staging', 'production'])
    .default('development')
    .describe(
      '`development`, `test`, `staging` or `production`; the last two refuse to start without those marked *',
    ),
  HOST: z.string().optional().meta({
    description: 'address to listen on',
    shownDefault: '`127.0.0.1`; `0.0.0.0` in staging and production',
  }),
  PORT: port.default(8000).describe('port of the API'),
  REALTIME_PORT: port.default(3001).describe('port of the realtime server'),
  TRUSTED_PROXIES: networks.default([]).meta({
    description:
      'addresses and CIDR blocks of proxies, `10.0.0.0/8,…`: their `X-Forwarded-For` and `X-Forwarded-Proto` tell the caller; others cannot set them',
    shownDefault: 'none: the caller is the peer of the connection',
  }),
  SHUTDOWN_DELAY_SECONDS: z
    .string()
    .regex(/^(?:1?\d|20)$/, 'must be 0 to 20')
    .transform(Number)
    .optional()
    .meta({
      description:
        'how long the API still accepts connections after SIGTERM, with `Connection: close` and GET /ready at 503, until proxies send nothing more',
      shownDefault: '`5` in staging and production, else `0`',
    }),
  WORKER_PORT: port.optional().describe('port of the worker: probes and metrics; unset: none'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL')
    .optional()
    .describe('`postgresql://…`; the demo, dev and tests start a server of their own'),
  DATABASE_PASSWORD: z
    .string()
    .optional()
    .describe('replaces the password in `DATABASE_URL`; any characters, not percent-encoded'),
  TEMPORAL_ADDRESS: hostPort.optional().meta({ description: 'host:port', shownDefault: '`127.0.0.1:7233`' }),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('namespace'),
  TEMPORAL_TASK_QUEUE: z
    .string()
    .default('workflow-runs')
    .describe('workflows poll it, node activities with `-nodes` added, ingests of documents with `-ingest`'),
  TEMPORAL_API_KEY: z.string().optional().describe('for Temporal Cloud; enables TLS'),
  TEMPORAL_TLS_CA: z.string().optional().describe('PEM text, or the path of a PEM file'),
  TEMPORAL_TLS_CERT: z.string().optional().describe('client certificate, likewise'),
  TEMPORAL_TLS_KEY: z.string().optional().describe('its key, likewise'),
  TEMPORAL_TLS_SERVER_NAME: z
    .string()
    .optional()
    .describe("the name that the server's certificate must carry"),
  TEMPORAL_UI_URL: httpUrl
    .optional()
    .describe("address of Temporal's UI: the codec server answers browsers from there alone"),
  TEMPORAL_METRICS_ADDRESS: hostPort
    .optional()
    .describe(
      "`host:port` on which the worker serves the metrics of Temporal's SDK at `/metrics`, without authentication; unset: off",
    ),
  TEMPORAL_SHOW_NAMES: flag.describe(
    '`1` puts the names of workflows unencrypted into the search attribute `WorkflowName`, for operators who may see them',
  ),
  AUTH_JWKS_URL: httpUrl
    .optional()
    .describe('key set of the identity provider; without it every JWT is refused'),
  AUTH_ISSUER: z.string().optional().describe('`iss` of its tokens'),
  AUTH_AUTHORIZED_PARTIES: list.optional().meta({
    description:
      'list of origins or client ids; the `azp` of a token, or else its `client_id`, must be one of them',
    shownDefault: '`APP_URL`, for `azp` alone',
  }),
  AUTH_AUDIENCE: list
    .optional()
    .describe('list of which a token must carry one as `aud`; unset: not checked'),
  AUTH_CLAIMS: claimNames.default({}).meta({
    description:
      'names of claims at this provider: `email=https://example.com/email,role=app.role`, for `sub`, `email`, `email_verified`, `azp`, `sid`, `role`; dots are paths into objects',
    shownDefault: 'as they are called, `role` at `metadata.role`',
  }),
  AUTH_USERINFO: flag.describe(
    "`1` reads the email of tokens without one from the provider's userinfo endpoint (discovery from `AUTH_ISSUER`)",
  ),
  AUTH_EMAIL_ALWAYS_VERIFIED: flag.describe(
    '`1` for a provider that verifies every address and has no `email_verified` in its tokens',
  ),
  API_KEY_SECRET: z.string().min(32, 'must have at least 32 characters').optional().meta({
    description:
      'HMAC secret of API keys, callbacks and answer links; at least 32 characters, the same in all processes; see [keys](#keys) for how to replace it',
    shownDefault: 'a constant, in development and test only',
  }),
  API_KEY_SECRET_PREVIOUS: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'the former `API_KEY_SECRET`, while it is replaced: API keys, callbacks and answer links made with it still work',
    ),
  ENCRYPTION_KEYS: encryptionKeys.optional().meta({
    description:
      '`id:base64key,…` of 32-byte keys for credentials and Temporal payloads; the first writes, all read. Without keys, payloads are not encrypted and credentials cannot be stored (503)',
    shownDefault: 'none; the demo and dev keep one in `.data/`',
  }),
  HEALTH_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('the operator key: opens GET /system/health/oauth (unset: 503) and GET /metrics (unset: 404)'),
  METRICS_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('opens GET /metrics of every process to `Authorization: Bearer <token>`, for scrapers'),
  REALTIME_ADMIN_API_KEY: z.string().min(1).optional().describe('admin API of the realtime server'),
  REALTIME_ADMIN_EMAIL: z.string().min(1).optional().describe('the only operator who may use it'),
  REALTIME_MAX_LAG: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .describe('operations that a co-editor may be behind; unset: at least 256, more with more traffic'),
  REALTIME_CLUSTER: flag.describe('`1` when several realtime processes share the database'),
  REALTIME_ENFORCE_JWT_EXP: flag.describe(
    '`1` ends sockets when their tokens end; otherwise a token is needed to connect only',
  ),
  APP_URL: httpUrl
    .optional()
    .describe(
      'origin of the web application: CORS, links, and, while `AUTH_AUTHORIZED_PARTIES` is unset, what the `azp` of a token must be (it may be missing in development and test only)',
    ),
  WEB_APP: z
    .enum(['on', 'off'])
    .default('on')
    .describe('`off`: the API does not serve the web application at /app'),
  WEB_CLIENT_ID: z
    .string()
    .min(1)
    .default('workflow-web')
    .describe("the web application's public client at the identity provider"),
  REALTIME_URL: httpUrl.optional().meta({
    description: 'URL of the realtime server for browsers',
    shownDefault: "the web application's own origin",
  }),
  MANAGED_LLM_BASE_URL: httpUrl
    .optional()
    .describe('OpenAI-compatible, ends in `/v1`; nodes with the managed model fail without it'),
  MANAGED_LLM_API_KEY: z.string().optional().describe('its key'),
  MANAGED_LLM_MODEL: z.string().optional().describe('its model'),
  MANAGED_EMBEDDING_BASE_URL: httpUrl
    .optional()
    .describe('OpenAI-compatible, ends in `/v1`; without it managed knowledge bases cannot be created (503)'),
  MANAGED_EMBEDDING_API_KEY: z.string().optional().describe('its key'),
  MANAGED_EMBEDDING_MODEL: z.string().optional().describe('its model'),
  STRIPE_SECRET_KEY: z
    .string()
    .optional()
    .describe('payments into wallets by Stripe; without it top-ups answer 503'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .optional()
    .describe(
      'signing secret of the webhook endpoint; set both or none, and `APP_URL`, where people return to',
    ),
  STRIPE_API_BASE: httpUrl.optional().meta({
    description: "URL of Stripe's API, for a stand-in such as stripe-mock",
    shownDefault: "Stripe's own",
  }),
  STRIPE_CURRENCY: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be a currency in three small letters')
    .refine((code) => !ODD_CURRENCIES.includes(code), 'must be a currency of hundredths')
    .default('usd')
    .describe('currency unit of 100 credits; one with two decimals'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
    .optional()
    .describe(
      'SMTP server for links to questions: `smtp://user:password@host:587`, or `smtps://`; set it with `MAIL_FROM`',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]+@[^\r\n]+$/, 'must be an e-mail address')
    .optional()
    .describe('sender of these messages: `Workflows <workflows@example.com>`'),
  OAUTH_CLIENTS: oauthClients
    .optional()
    .describe(
      'JSON by integration: `{"github": {"client_id": "…", "client_secret": "…"}}`; `origin` and `base_url` for a provider that runs elsewhere. Needs `APP_URL`',
    ),
  OUTBOUND_ALLOW: hostPorts.default([]).meta({
    description: '`host:port,…`: private addresses that calls of tenants may reach',
    shownDefault: 'empty',
  }),
  INSTANCE_ID: z
    .string()
    .regex(/^[\w.:-]{1,128}$/, 'must be 1 to 128 letters, digits or . : _ -')
    .optional()
    .meta({ description: 'name of this process in its log', shownDefault: 'the name of the host' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'where the processes send traces; unset: tracing is off. The SDK reads its other `OTEL_` variables itself',
    ),
});
export type Environment = z.output<typeof environment>;

/** Variables that staging and production require. */
export const REQUIRED_IN_PRODUCTION = [
  'API_KEY_SECRET',
  'ENCRYPTION_KEYS',
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
] as const;
