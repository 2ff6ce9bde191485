/**
 * Reads the configuration from the environment once at start. All problems are reported together, by the variable's name and
 * never with its value.
 */
import { hostname } from 'node:os';
import { databaseUrl } from './database-url.ts';
import { environment, REQUIRED_IN_PRODUCTION, type Environment } from './environment.ts';
import { readSecretFiles } from './secret-files.ts';
import { readTemporalTls, type TemporalTls } from './temporal-tls.ts';
import { VARIABLE_GROUPS } from './variable-groups.ts';
import type { ClaimNames, EncryptionKey, Network, OAuthClient } from './variable-kinds.ts';

export type { ClaimNames, EncryptionKey, Network };

export const VERSION = '0.1.2';
export const SERVICE_NAME = 'workflow-automation-service';

export type AppEnv = 'development' | 'test' | 'staging' | 'production';

/** A model that the operator provides. */
interface ManagedModel {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
}

export interface Config {
  readonly env: AppEnv;
  readonly host: string;
  readonly port: number;
  readonly realtimePort: number;
  /** Proxies whose forwarding headers are read. */
  readonly trustedProxies: readonly Network[];
  /** How long the API accepts connections after a signal. */
  readonly shutdownDelayMs: number;
  /** Undefined: the worker opens no port. */
  readonly workerPort: number | undefined;
  readonly databaseUrl: string;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    /** Base name: workflows poll it, node activities poll `${taskQueue}-nodes`. */
    readonly taskQueue: string;
    readonly apiKey: string | undefined;
    readonly tls: TemporalTls | null;
    readonly uiUrl: string | undefined;
    /** Workflow names are in plain text in a search attribute. */
    readonly showsNames: boolean;
    /** Workflow threads as the SDK has them. */
    readonly hasStackTraces: boolean;
    /** The version of workers in Worker Versioning; null: they are not versioned. */
    readonly workerVersion: { readonly deploymentName: string; readonly buildId: string } | null;
  };
  readonly auth: {
    readonly jwksUrl: string | undefined;
    readonly issuer: string | undefined;
    /** Makes what is new. While it is replaced, the secret that every process has. */
    readonly apiKeySecret: string;
    /** Reads as well, while the secret is replaced: the new one, and once every process has it the former one. */
    readonly otherApiKeySecret: string | null;
    readonly jwksCacheSeconds: number;
    /** Origins or client ids; null: only the web application. */
    readonly authorizedParties: readonly string[] | null;
    /** Accepted audiences of a token; null: not checked. */
    readonly audience: readonly string[] | null;
    readonly claimNames: ClaimNames;
    readonly asksUserinfo: boolean;
    readonly isEmailAlwaysVerified: boolean;
  };
  /** The first key writes, all can read. Empty outside staging and production when none is configured. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Where the bytes of files are; null: no files. */
  readonly filesDirectory: string | null;
  /** The present operator key first; while it is replaced, the former one opens as well. Empty: not configured. */
  readonly healthApiKeys: readonly string[];
  /** Likewise. */
  readonly metricsTokens: readonly string[];
  readonly realtimeAdmin: { readonly apiKeys: readonly string[]; readonly email: string } | null;
  /** Operations that a co-editor may lag behind; null: adapts to the traffic. */
  readonly realtimeMaxLag: number | null;
  /** Several realtime processes share the database, so a process that cannot renew its leases stops acknowledging. */
  readonly isRealtimeCluster: boolean;
  /** Undefined: the process's own address and port. */
  readonly realtimePeerUrl: string | undefined;
  /** Sockets close when their tokens expire. */
  readonly endsSocketsWithTokens: boolean;
  readonly appUrl: string | undefined;
  readonly web: {
    readonly isServed: boolean;
    readonly clientId: string;
    /** Undefined: its own origin. */
    readonly realtimeUrl: string | undefined;
  };
  readonly managedLlm: ManagedModel | null;
  /** The most tokens of an answer of the managed model. */
  readonly managedMaxOutputTokens: number;
  readonly managedEmbedding: ManagedModel | null;
  /** Payments into wallets; null: top-ups are rejected. */
  readonly stripe: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    readonly currency: string;
    /** Replaces Stripe's own API base. */
    readonly apiBase: string | undefined;
    /** URL to return to after paying. */
    readonly returnUrl: string;
  } | null;
  /** The operator's SMTP server; null: no e-mail is sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null;
  /** By integration name. */
  readonly oauthClients: Readonly<Record<string, OAuthClient>>;
  /** `host:port` entries exempt from the private-address block on outgoing calls. */
  readonly outboundAllow: readonly string[];
  /** The name of this process in its log. */
  readonly instanceId: string;
  /** Tells builds of one version apart; `unknown` without BUILD_COMMIT. */
  readonly buildCommit: string;
  readonly logLevel: Environment['LOG_LEVEL'];
  /** Collector of traces; undefined: tracing is off. */
  readonly otlpEndpoint: string | undefined;
  /** host:port on which Temporal's SDK serves its metrics; undefined: off. */
  readonly temporalMetricsAddress: string | undefined;
}

/** Thrown by readConfig: one line per problem, each naming its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A guess: twice the usual interval of two seconds between a proxy's health checks, and one to spare. */
const PROXY_DELAY_SECONDS = 5;

/** Default fingerprint secret in development and test. */
const DEVELOPMENT_API_KEY_SECRET = 'development-only-api-key-secret-not-for-production';

/** @returns a problem for each variable that staging and production require */
function findMissingInProduction(env: Environment): string[] {
  if (env.APP_ENV === 'development' || env.APP_ENV === 'test') return [];
  return REQUIRED_IN_PRODUCTION.filter((name) => env[name] === undefined).map(
    (name) => `${name}: is required in ${env.APP_ENV}`,
  );
}

/** While the secret is replaced, the former one makes what is new until the operator says that every process reads the new one. */
function orderSecrets({
  API_KEY_SECRET: present = DEVELOPMENT_API_KEY_SECRET,
  API_KEY_SECRET_PREVIOUS: former,
  ROTATION_READY: isReady,
}: Environment): Pick<Config['auth'], 'apiKeySecret' | 'otherApiKeySecret'> {
  if (former === undefined) return { apiKeySecret: present, otherApiKeySecret: null };
  return isReady
    ? { apiKeySecret: present, otherApiKeySecret: former }
    : { apiKeySecret: former, otherApiKeySecret: present };
}

const listKeys = (present: string | undefined, former: string | undefined): string[] =>
  present === undefined ? [] : [present, former].filter((key) => key !== undefined);

function toManaged(baseUrl: string | undefined, apiKey: string | undefined, model: string | undefined) {
  return baseUrl === undefined || model === undefined ? null : { baseUrl, apiKey, model };
}

/** @param given the names of variables that are set. @returns a problem for each variable that a set one needs */
function findHalfSettings(given: ReadonlySet<string>): string[] {
  return VARIABLE_GROUPS.flatMap(({ any, all }) => {
    const set = any.filter((name) => given.has(name));
    if (set.length === 0) return [];
    return all
      .filter((name) => !given.has(name))
      .map((name) => `${name}: is required with ${set.join(', ')}`);
  });
}

function readStripe(env: Environment): Config['stripe'] {
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

/**
 * Reads the configuration from an environment and the files that it names. Empty strings count as unset.
 * @throws ConfigError with every problem, one per line
 */
export function readConfig(raw: Readonly<Record<string, string | undefined>>): Config {
  const read = readSecretFiles(raw);
  if (read.problems.length > 0) throw new ConfigError(read.problems.join('\n'));
  const given = Object.fromEntries(
    Object.entries(read.variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  const env = parsed.data;
  const { tls, problems: tlsProblems } = readTemporalTls(env);
  // A flag that is off asks for nothing.
  const isSet = (name: string): boolean => name in given && env[name as keyof Environment] !== false;
  const missing = findMissingInProduction(env);
  const half = findHalfSettings(new Set(Object.keys(environment.shape).filter(isSet)));
  const problems = [...missing, ...half, ...tlsProblems];
  if (env.DATABASE_URL === undefined && problems.length === 0) {
    problems.push(
      'DATABASE_URL: is not set; `npm run dev` and `npm run demo` start an embedded database and set it',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const isLocal = env.APP_ENV === 'development' || env.APP_ENV === 'test';
  return {
    env: env.APP_ENV,
    host: env.HOST ?? (isLocal ? '127.0.0.1' : '0.0.0.0'),
    port: env.PORT,
    realtimePort: env.REALTIME_PORT,
    trustedProxies: env.TRUSTED_PROXIES,
    shutdownDelayMs: 1_000 * (env.SHUTDOWN_DELAY_SECONDS ?? (isLocal ? 0 : PROXY_DELAY_SECONDS)),
    workerPort: env.WORKER_PORT,
    databaseUrl: databaseUrl(env),
    temporal: {
      address: env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
      namespace: env.TEMPORAL_NAMESPACE,
      taskQueue: env.TEMPORAL_TASK_QUEUE,
      apiKey: env.TEMPORAL_API_KEY,
      tls,
      uiUrl: env.TEMPORAL_UI_URL,
      showsNames: env.TEMPORAL_SHOW_NAMES,
      hasStackTraces: env.TEMPORAL_STACK_TRACES,
      workerVersion:
        env.TEMPORAL_WORKER_BUILD_ID === undefined
          ? null
          : { deploymentName: env.TEMPORAL_DEPLOYMENT_NAME, buildId: env.TEMPORAL_WORKER_BUILD_ID },
    },
    auth: {
      jwksUrl: env.AUTH_JWKS_URL,
      issuer: env.AUTH_ISSUER,
      ...orderSecrets(env),
      jwksCacheSeconds: 300,
      authorizedParties: env.AUTH_AUTHORIZED_PARTIES ?? null,
      audience: env.AUTH_AUDIENCE ?? null,
      claimNames: env.AUTH_CLAIMS,
      asksUserinfo: env.AUTH_USERINFO,
      isEmailAlwaysVerified: env.AUTH_EMAIL_ALWAYS_VERIFIED,
    },
    encryptionKeys: env.ENCRYPTION_KEYS ?? [],
    filesDirectory: env.FILES_DIR ?? null,
    healthApiKeys: listKeys(env.HEALTH_API_KEY, env.HEALTH_API_KEY_PREVIOUS),
    metricsTokens: listKeys(env.METRICS_TOKEN, env.METRICS_TOKEN_PREVIOUS),
    realtimeAdmin:
      env.REALTIME_ADMIN_API_KEY === undefined || env.REALTIME_ADMIN_EMAIL === undefined
        ? null
        : {
            apiKeys: listKeys(env.REALTIME_ADMIN_API_KEY, env.REALTIME_ADMIN_API_KEY_PREVIOUS),
            email: env.REALTIME_ADMIN_EMAIL,
          },
    realtimeMaxLag: env.REALTIME_MAX_LAG ?? null,
    isRealtimeCluster: env.REALTIME_CLUSTER,
    realtimePeerUrl: env.REALTIME_PEER_URL,
    endsSocketsWithTokens: env.REALTIME_ENFORCE_JWT_EXP,
    appUrl: env.APP_URL,
    web: { isServed: env.WEB_APP === 'on', clientId: env.WEB_CLIENT_ID, realtimeUrl: env.REALTIME_URL },
    managedLlm: toManaged(env.MANAGED_LLM_BASE_URL, env.MANAGED_LLM_API_KEY, env.MANAGED_LLM_MODEL),
    managedMaxOutputTokens: env.MANAGED_LLM_MAX_OUTPUT_TOKENS,
    managedEmbedding: toManaged(
      env.MANAGED_EMBEDDING_BASE_URL,
      env.MANAGED_EMBEDDING_API_KEY,
      env.MANAGED_EMBEDDING_MODEL,
    ),
    stripe: readStripe(env),
    mail:
      env.SMTP_URL === undefined || env.MAIL_FROM === undefined
        ? null
        : { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    oauthClients: env.OAUTH_CLIENTS ?? {},
    outboundAllow: env.OUTBOUND_ALLOW,
    instanceId: env.INSTANCE_ID ?? hostname(),
    buildCommit: env.BUILD_COMMIT ?? 'unknown',
    logLevel: env.LOG_LEVEL,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    temporalMetricsAddress: env.TEMPORAL_METRICS_ADDRESS,
  };
}
