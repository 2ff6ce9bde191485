/**
 * The schema of the environment: names, formats and descriptions of variables. The tables in the READMEs are generated from
 * it.
 */
import { z } from 'zod';
import {
  claimNames,
  currency,
  encryptionKeys,
  flag,
  hostPort,
  hostPorts,
  httpUrl,
  list,
  networks,
  oauthClients,
  port,
  tokenCount,
} from './variable-kinds.ts';

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
  TEMPORAL_STACK_TRACES: flag.describe('for debugging: stack traces of runs, at several times the CPU'),
  TEMPORAL_WORKER_BUILD_ID: z
    .string()
    .max(255)
    .optional()
    .describe(
      'build of the workers in Worker Versioning, such as a commit; unset: workers are not versioned',
    ),
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .max(255)
    .default('workflow-automation')
    .describe('name of their Worker Deployment'),
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
      'the former `API_KEY_SECRET`, while it is replaced: what was made with either works, and what is made new is made with this one until `ROTATION_READY`',
    ),
  ROTATION_READY: flag.describe(
    '`1` once every process has `API_KEY_SECRET` and `API_KEY_SECRET_PREVIOUS`: what is made new is made with the new one, and keys are stored under it when they are used',
  ),
  ENCRYPTION_KEYS: encryptionKeys.optional().meta({
    description:
      '`id:base64key,…` of 32-byte keys for credentials and Temporal payloads; the first writes, all read. Without keys, payloads are not encrypted and credentials cannot be stored (503)',
    shownDefault: 'none; the demo and dev keep one in `.data/`',
  }),
  FILES_DIR: z.string().min(1).optional().meta({
    description:
      'folder for the files of organizations, which the API and the workers share; sealed with `ENCRYPTION_KEYS`',
    shownDefault: 'none, uploads are 503; the demo and dev keep them in `.data/`',
  }),
  HEALTH_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('the operator key: opens GET /system/health/oauth (unset: 503) and GET /metrics (unset: 404)'),
  HEALTH_API_KEY_PREVIOUS: z.string().min(1).optional().describe('the former one, which works as well'),
  METRICS_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('opens GET /metrics of every process to `Authorization: Bearer <token>`, for scrapers'),
  METRICS_TOKEN_PREVIOUS: z.string().min(1).optional().describe('the former one, which works as well'),
  REALTIME_ADMIN_API_KEY: z.string().min(1).optional().describe('admin API of the realtime server'),
  REALTIME_ADMIN_API_KEY_PREVIOUS: z
    .string()
    .min(1)
    .optional()
    .describe('the former one, which works as well'),
  REALTIME_ADMIN_EMAIL: z.string().min(1).optional().describe('the only operator who may use it'),
  REALTIME_MAX_LAG: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .describe('operations that a co-editor may be behind; unset: at least 256, more with more traffic'),
  REALTIME_CLUSTER: flag.describe('`1` when several realtime processes share the database'),
  REALTIME_PEER_URL: httpUrl.optional().meta({
    description: 'URL at which the other realtime processes reach this one',
    shownDefault: 'its own address and port',
  }),
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
  MANAGED_LLM_MAX_OUTPUT_TOKENS: tokenCount
    .default(16_384)
    .describe(
      'the most tokens of its answers, which budgets reserve for a call that names no `max_output_tokens`',
    ),
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
  STRIPE_CURRENCY: currency.default('usd').describe('currency unit of 100 credits; one with two decimals'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
    .optional()
    .describe(
      'SMTP server for links to questions: `smtp://user:password@host:587`, or `smtps://`; set it with `MAIL_FROM`',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]+@[^\r\n]+$/, 'must be an email address')
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
  BUILD_COMMIT: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits or . _ -')
    .optional()
    .meta({
      description:
        'commit of this build, in the log, the metrics and the report for support; the image has it from its build',
      shownDefault: '`unknown`',
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
