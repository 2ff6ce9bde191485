/** The variables of the environment that work together only. */
import type { Environment } from './environment.ts';

/** Variables that work together only: if one of `any` is set, all of `all` must be. Half a setting would silently be none. */
interface VariableGroup {
  readonly any: readonly (keyof Environment)[];
  readonly all: readonly (keyof Environment)[];
}

const PROVIDER = ['AUTH_JWKS_URL', 'AUTH_ISSUER'] as const;
const CLIENT_CERTIFICATE = ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY'] as const;
const REALTIME_ADMIN = ['REALTIME_ADMIN_API_KEY', 'REALTIME_ADMIN_EMAIL'] as const;
const MANAGED_LLM = ['MANAGED_LLM_BASE_URL', 'MANAGED_LLM_MODEL'] as const;
const MANAGED_EMBEDDING = ['MANAGED_EMBEDDING_BASE_URL', 'MANAGED_EMBEDDING_MODEL'] as const;
const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
const MAIL = ['SMTP_URL', 'MAIL_FROM'] as const;

export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  {
    any: [
      ...PROVIDER,
      'AUTH_AUTHORIZED_PARTIES',
      'AUTH_AUDIENCE',
      'AUTH_CLAIMS',
      'AUTH_USERINFO',
      'AUTH_EMAIL_ALWAYS_VERIFIED',
    ],
    all: PROVIDER,
  },
  { any: CLIENT_CERTIFICATE, all: CLIENT_CERTIFICATE },
  { any: ['API_KEY_SECRET_PREVIOUS'], all: ['API_KEY_SECRET'] },
  { any: REALTIME_ADMIN, all: REALTIME_ADMIN },
  { any: [...MANAGED_LLM, 'MANAGED_LLM_API_KEY'], all: MANAGED_LLM },
  { any: [...MANAGED_EMBEDDING, 'MANAGED_EMBEDDING_API_KEY'], all: MANAGED_EMBEDDING },
  { any: [...STRIPE, 'STRIPE_API_BASE'], all: [...STRIPE, 'APP_URL'] },
  { any: MAIL, all: MAIL },
  { any: ['OAUTH_CLIENTS'], all: ['APP_URL'] },
  { any: ['FILES_DIR'], all: ['ENCRYPTION_KEYS'] },
];
