/**
 * The configuration, made of the environment once at start. Every problem is reported together with the others, by name and
 * never with its value.
 */
import { databaseUrl } from './database-url.ts';
import {
  environment,
  REQUIRED_IN_PRODUCTION,
  type ClaimNames,
  type EncryptionKey,
  type Environment,
  type OAuthClient,
} from './environment.ts';

export type { ClaimNames, EncryptionKey, OAuthClient };

export const VERSION = '0.1.2';
export const SERVICE_NAME = 'workflow-automation-service';

export type AppEnv = 'development' | 'test' | 'staging' | 'production';

export interface Config {
  readonly env: AppEnv;
  readonly host: string;
  readonly port: number;
  readonly realtimePort: number;
  /** Undefined: the worker opens none. */
  readonly workerPort: number | undefined;
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
    /** Names of workflows may stand in clear in a search attribute. */
    readonly showsNames: boolean;
  };
  readonly auth: {
    readonly jwksUrl: string | undefined;
    readonly issuer: string | undefined;
    readonly apiKeySecret: string;
    readonly jwksCacheSeconds: number;
    /** Origins or client ids; null: the web application alone. */
    readonly authorizedParties: readonly string[] | null;
    /** A token must be for one of these; null: for whom it is, is not looked at. */
    readonly audience: readonly string[] | null;
    readonly claimNames: ClaimNames;
    readonly asksUserinfo: boolean;
    readonly isEmailAlwaysVerified: boolean;
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
  /** The web application, as far as it is served here. */
  readonly web: {
    readonly isServed: boolean;
    readonly clientId: string;
    /** Undefined: at its own origin. */
    readonly realtimeUrl: string | undefined;
  };
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
    /** Where Stripe is, if not where it says itself. */
    readonly apiBase: string | undefined;
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
  /** host:port on which Temporal's SDK serves its own metrics; undefined: nowhere. */
  readonly temporalMetricsAddress: string | undefined;
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
  return REQUIRED_IN_PRODUCTION.filter((name) => env[name] === undefined).map(
    (name) => `${name}: is required in ${env.APP_ENV}`,
  );
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
  return {
    secretKey,
    webhookSecret,
    currency: env.STRIPE_CURRENCY,
    apiBase: env.STRIPE_API_BASE,
    returnUrl,
  };
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
    workerPort: env.WORKER_PORT,
    databaseUrl: databaseUrl(env),
    temporal: {
      address: env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
      namespace: env.TEMPORAL_NAMESPACE,
      taskQueue: env.TEMPORAL_TASK_QUEUE,
      apiKey: env.TEMPORAL_API_KEY,
      tls: temporalTls(env),
      uiUrl: env.TEMPORAL_UI_URL,
      showsNames: env.TEMPORAL_SHOW_NAMES,
    },
    auth: {
      jwksUrl: env.AUTH_JWKS_URL,
      issuer: env.AUTH_ISSUER,
      apiKeySecret: env.API_KEY_SECRET ?? DEVELOPMENT_API_KEY_SECRET,
      jwksCacheSeconds: 300,
      authorizedParties: env.AUTH_AUTHORIZED_PARTIES ?? null,
      audience: env.AUTH_AUDIENCE ?? null,
      claimNames: env.AUTH_CLAIMS,
      asksUserinfo: env.AUTH_USERINFO,
      isEmailAlwaysVerified: env.AUTH_EMAIL_ALWAYS_VERIFIED,
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
    web: { isServed: env.WEB_APP === 'on', clientId: env.WEB_CLIENT_ID, realtimeUrl: env.REALTIME_URL },
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
    temporalMetricsAddress: env.TEMPORAL_METRICS_ADDRESS,
  };
}
