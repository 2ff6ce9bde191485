/**
 * The environment, read and checked once at start. The only file that knows the names of the variables; every
 * problem is reported at once, by name and never with its value.
 */
import { z } from 'zod';

export const VERSION = '0.1.2';
export const SERVICE_NAME = 'workflow-automation-service';

export type AppEnv = 'development' | 'test' | 'staging' | 'production';

/** Fields of an EncryptionKey: a short id written beside each ciphertext, and 32 bytes. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** This service as a provider knows it. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider is, if not where the catalog says; and where its API is. */
  readonly origin: string | null;
  readonly baseUrl: string | null;
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const hostPorts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every((item) => /^\S+:\d{1,5}$/.test(item)), 'must be a list of host:port');

/** Reads a list `id:base64key`; null when it is not one of 32-byte keys with different ids. */
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
    /** In place of the provider's own, for one that runs elsewhere: GitHub Enterprise. */
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

/** Currencies that Stripe counts in wholes or in thousandths: a credit is a hundredth. */
const ODD_CURRENCIES =
  'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf bhd jod kwd omr tnd'.split(' ');

const environment = z.object({
  APP_ENV: z.enum(['development', 'test', 'staging', 'production']).default('development'),
  HOST: z.string().optional(),
  PORT: port.default(8000),
  REALTIME_PORT: port.default(3001),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL')
    .optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^/\s]+:\d{1,5}$/, 'must be host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('workflow-runs'),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS_CA: z.string().optional(),
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  TEMPORAL_UI_URL: httpUrl.optional(),
  AUTH_JWKS_URL: httpUrl.optional(),
  AUTH_ISSUER: z.string().optional(),
  API_KEY_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ENCRYPTION_KEYS: encryptionKeys.optional(),
  HEALTH_API_KEY: z.string().min(1).optional(),
  REALTIME_ADMIN_API_KEY: z.string().min(1).optional(),
  REALTIME_ADMIN_EMAIL: z.string().min(1).optional(),
  REALTIME_MAX_LAG: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .optional(),
  REALTIME_CLUSTER: flag,
  REALTIME_ENFORCE_JWT_EXP: flag,
  APP_URL: httpUrl.optional(),
  MANAGED_LLM_BASE_URL: httpUrl.optional(),
  MANAGED_LLM_API_KEY: z.string().optional(),
  MANAGED_LLM_MODEL: z.string().optional(),
  MANAGED_EMBEDDING_BASE_URL: httpUrl.optional(),
  MANAGED_EMBEDDING_API_KEY: z.string().optional(),
  MANAGED_EMBEDDING_MODEL: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_CURRENCY: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be a currency in three small letters')
    .refine((code) => !ODD_CURRENCIES.includes(code), 'must be a currency of hundredths')
    .default('usd'),
  OAUTH_CLIENTS: oauthClients.optional(),
  OUTBOUND_ALLOW: hostPorts.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
});
type Environment = z.output<typeof environment>;

export interface Config {
  readonly env: AppEnv;
  readonly host: string;
  readonly port: number;
  readonly realtimePort: number;
  readonly databaseUrl: string;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    /** Base name: workflows poll it, node activities poll `${taskQueue}-nodes`. */
    readonly taskQueue: string;
    readonly apiKey: string | undefined;
    readonly tls: {
      readonly ca?: string;
      readonly cert?: string;
      readonly key?: string;
      readonly serverName?: string;
    } | null;
    readonly uiUrl: string | undefined;
  };
  readonly auth: {
    readonly jwksUrl: string | undefined;
    readonly issuer: string | undefined;
    readonly apiKeySecret: string;
    readonly jwksCacheSeconds: number;
  };
  /** The first key writes, all can read. Empty outside staging and production when none is configured. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly healthApiKey: string | undefined;
  readonly realtimeAdmin: { readonly apiKey: string; readonly email: string } | null;
  /** Operations that a co-editor may be behind; null: it follows the traffic. */
  readonly realtimeMaxLag: number | null;
  /** Several realtime processes share the database: a process that cannot renew its leases stops to acknowledge. */
  readonly isRealtimeCluster: boolean;
  /** Sockets end with their tokens. */
  readonly endsSocketsWithTokens: boolean;
  readonly appUrl: string | undefined;
  readonly managedLlm: {
    readonly baseUrl: string;
    readonly apiKey: string | undefined;
    readonly model: string;
  } | null;
  readonly managedEmbedding: {
    readonly baseUrl: string;
    readonly apiKey: string | undefined;
    readonly model: string;
  } | null;
  /** Payments into wallets; null: top-ups are refused. */
  readonly stripe: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    readonly currency: string;
    /** Where a person is sent after paying. */
    readonly returnUrl: string;
  } | null;
  /** By the name of the integration. */
  readonly oauthClients: Readonly<Record<string, OAuthClient>>;
  /** `host:port` entries exempt from the private-address block on outgoing calls. */
  readonly outboundAllow: readonly string[];
  readonly logLevel: Environment['LOG_LEVEL'];
  /** Where traces are sent; undefined: nothing is traced. */
  readonly otlpEndpoint: string | undefined;
}

/** Thrown by readConfig: one line per problem, each naming its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Fingerprint secret of development and test, where none is configured. Never accepted in staging or production. */
const DEVELOPMENT_API_KEY_SECRET = 'development-only-api-key-secret-not-for-production';

/** What staging and production refuse to start without. */
function missingInProduction(env: Environment): string[] {
  if (env.APP_ENV === 'development' || env.APP_ENV === 'test') return [];
  const required = ['API_KEY_SECRET', 'ENCRYPTION_KEYS', 'DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;
  return required
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: is required in ${env.APP_ENV}`);
}

function managed(baseUrl: string | undefined, apiKey: string | undefined, model: string | undefined) {
  return baseUrl === undefined || model === undefined ? null : { baseUrl, apiKey, model };
}

/** Half of what Stripe needs is a mistake: a payment could be begun that never reaches the wallet. */
function stripeProblems(env: Environment): string[] {
  const needed = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
  if (needed.every((name) => env[name] === undefined)) return [];
  return [...needed, 'APP_URL' as const]
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: is required for payments by Stripe`);
}

function stripe(env: Environment): Config['stripe'] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, APP_URL: returnUrl } = env;
  if (secretKey === undefined || webhookSecret === undefined || returnUrl === undefined) return null;
  return { secretKey, webhookSecret, currency: env.STRIPE_CURRENCY, returnUrl };
}

function temporalTls(env: Environment): Config['temporal']['tls'] {
  const given = {
    ...(env.TEMPORAL_TLS_CA === undefined ? {} : { ca: env.TEMPORAL_TLS_CA }),
    ...(env.TEMPORAL_TLS_CERT === undefined ? {} : { cert: env.TEMPORAL_TLS_CERT }),
    ...(env.TEMPORAL_TLS_KEY === undefined ? {} : { key: env.TEMPORAL_TLS_KEY }),
    ...(env.TEMPORAL_TLS_SERVER_NAME === undefined ? {} : { serverName: env.TEMPORAL_TLS_SERVER_NAME }),
  };
  return Object.keys(given).length > 0 || env.TEMPORAL_API_KEY !== undefined ? given : null;
}

/**
 * Reads the configuration from an environment. Empty strings count as unset.
 * @throws ConfigError with every problem, one per line
 */
export function readConfig(raw: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(raw).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  const env = parsed.data;
  const problems = [...missingInProduction(env), ...stripeProblems(env)];
  if (env.DATABASE_URL === undefined && problems.length === 0) {
    problems.push(
      'DATABASE_URL: is not set; `npm run dev` and `npm run demo` start an embedded database and set it',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return {
    env: env.APP_ENV,
    host: env.HOST ?? (env.APP_ENV === 'development' || env.APP_ENV === 'test' ? '127.0.0.1' : '0.0.0.0'),
    port: env.PORT,
    realtimePort: env.REALTIME_PORT,
    databaseUrl: env.DATABASE_URL ?? '',
    temporal: {
      address: env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
      namespace: env.TEMPORAL_NAMESPACE,
      taskQueue: env.TEMPORAL_TASK_QUEUE,
      apiKey: env.TEMPORAL_API_KEY,
      tls: temporalTls(env),
      uiUrl: env.TEMPORAL_UI_URL,
    },
    auth: {
      jwksUrl: env.AUTH_JWKS_URL,
      issuer: env.AUTH_ISSUER,
      apiKeySecret: env.API_KEY_SECRET ?? DEVELOPMENT_API_KEY_SECRET,
      jwksCacheSeconds: 300,
    },
    encryptionKeys: env.ENCRYPTION_KEYS ?? [],
    healthApiKey: env.HEALTH_API_KEY,
    realtimeAdmin:
      env.REALTIME_ADMIN_API_KEY === undefined || env.REALTIME_ADMIN_EMAIL === undefined
        ? null
        : { apiKey: env.REALTIME_ADMIN_API_KEY, email: env.REALTIME_ADMIN_EMAIL },
    realtimeMaxLag: env.REALTIME_MAX_LAG ?? null,
    isRealtimeCluster: env.REALTIME_CLUSTER,
    endsSocketsWithTokens: env.REALTIME_ENFORCE_JWT_EXP,
    appUrl: env.APP_URL,
    managedLlm: managed(env.MANAGED_LLM_BASE_URL, env.MANAGED_LLM_API_KEY, env.MANAGED_LLM_MODEL),
    managedEmbedding: managed(
      env.MANAGED_EMBEDDING_BASE_URL,
      env.MANAGED_EMBEDDING_API_KEY,
      env.MANAGED_EMBEDDING_MODEL,
    ),
    stripe: stripe(env),
    oauthClients: env.OAUTH_CLIENTS ?? {},
    outboundAllow: env.OUTBOUND_ALLOW,
    logLevel: env.LOG_LEVEL,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}
