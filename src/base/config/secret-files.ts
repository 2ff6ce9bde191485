/** Secrets in files, as Docker and Kubernetes mount them: `API_KEY_SECRET_FILE` names a file with the value of `API_KEY_SECRET`. */
import { readFileSync } from 'node:fs';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that are secrets, or hold one: each may come from a file. */
export const SECRET_VARIABLES: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'TEMPORAL_API_KEY',
  'API_KEY_SECRET',
  'API_KEY_SECRET_PREVIOUS',
  'ENCRYPTION_KEYS',
  'HEALTH_API_KEY',
  'HEALTH_API_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'METRICS_TOKEN_PREVIOUS',
  'REALTIME_ADMIN_API_KEY',
  'REALTIME_ADMIN_API_KEY_PREVIOUS',
  'MANAGED_LLM_API_KEY',
  'MANAGED_EMBEDDING_API_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'OAUTH_CLIENTS',
];

/**
 * Reads the files that `<NAME>_FILE` variables name, without the line break at their end.
 * @returns the variables with their values, and a problem for each file that cannot be read, or whose variable is set, too
 */
export function readSecretFiles(raw: Variables): {
  readonly variables: Variables;
  readonly problems: string[];
} {
  const variables: Record<string, string | undefined> = { ...raw };
  const problems: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = raw[`${name}_FILE`] ?? '';
    if (path === '') continue;
    if ((raw[name] ?? '') !== '') {
      problems.push(`${name}_FILE: ${name} is set, too`);
      continue;
    }
    try {
      variables[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      problems.push(`${name}_FILE: the file cannot be read (${code})`);
    }
  }
  return { variables, problems };
}
