/** Builds the environment of the service's processes on a developer's machine; variables that are set take precedence. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalIssuer } from './issuer.ts';
import { DATA } from './paths.ts';
import { STAND_IN_EMBEDDING_MODEL, STAND_IN_MODEL, type StandInModel } from './stand-in-model.ts';

export interface Addresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  /** Null when an identity provider is configured. */
  readonly issuer: LocalIssuer | null;
  /** Null when both managed endpoints are configured. */
  readonly model: StandInModel | null;
  readonly port: number;
  readonly realtimePort: number;
  /** Origin of the web application. */
  readonly appUrl: string;
}

/** Reads a variable; empty counts as unset, as in config.ts. */
export function readVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** Reads a secret from a file of this checkout, which it creates the first time with mode 0600. */
function readSecret(file: string, make: () => string): string {
  const path = join(DATA, file);
  if (!existsSync(path)) writeFileSync(path, make(), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}

function modelVariables(model: StandInModel | null): NodeJS.ProcessEnv {
  if (model === null) return {};
  const standIn = (kind: 'LLM' | 'EMBEDDING', name: string): NodeJS.ProcessEnv =>
    readVariable(`MANAGED_${kind}_BASE_URL`) === undefined
      ? {
          [`MANAGED_${kind}_BASE_URL`]: model.baseUrl,
          [`MANAGED_${kind}_API_KEY`]: 'stand-in',
          [`MANAGED_${kind}_MODEL`]: name,
        }
      : {};
  const allowed = [readVariable('OUTBOUND_ALLOW'), model.hostPort].filter((part) => part !== undefined);
  return {
    ...standIn('LLM', STAND_IN_MODEL),
    ...standIn('EMBEDDING', STAND_IN_EMBEDDING_MODEL),
    OUTBOUND_ALLOW: allowed.join(','),
  };
}

/** Whether a managed endpoint is not configured and needs the stand-in. */
export function needsStandIn(): boolean {
  return (
    readVariable('MANAGED_LLM_BASE_URL') === undefined ||
    readVariable('MANAGED_EMBEDDING_BASE_URL') === undefined
  );
}

/** @returns ENCRYPTION_KEYS, by default the keys of this checkout */
export function readEncryptionKeys(): string {
  return (
    readVariable('ENCRYPTION_KEYS') ??
    readSecret('encryption-keys', () => `local:${randomBytes(32).toString('base64')}`)
  );
}

/** @returns API_KEY_SECRET, by default the secret of this checkout */
export function readApiKeySecret(): string {
  return (
    readVariable('API_KEY_SECRET') ?? readSecret('api-key-secret', () => randomBytes(32).toString('hex'))
  );
}

/** Whether an identity provider is configured. */
export function hasProvider(): boolean {
  return readVariable('AUTH_JWKS_URL') !== undefined && readVariable('AUTH_ISSUER') !== undefined;
}

/** @returns the host at which this machine reaches the service's processes, given HOST */
export function findReachableHost(): string {
  const host = readVariable('HOST') ?? '127.0.0.1';
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Builds the environment of all three processes. */
export function buildServiceEnvironment(at: Addresses): NodeJS.ProcessEnv {
  return {
    ...process.env,
    APP_ENV: readVariable('APP_ENV') ?? 'development',
    HOST: readVariable('HOST') ?? '127.0.0.1',
    PORT: String(at.port),
    REALTIME_PORT: String(at.realtimePort),
    DATABASE_URL: at.databaseUrl,
    TEMPORAL_ADDRESS: at.temporalAddress,
    ...(at.temporalUiUrl === null ? {} : { TEMPORAL_UI_URL: at.temporalUiUrl }),
    ...(at.issuer === null ? {} : { AUTH_JWKS_URL: at.issuer.jwksUrl, AUTH_ISSUER: at.issuer.issuer }),
    API_KEY_SECRET: readApiKeySecret(),
    ENCRYPTION_KEYS: readEncryptionKeys(),
    FILES_DIR: readVariable('FILES_DIR') ?? join(DATA, 'files'),
    APP_URL: at.appUrl,
    REALTIME_URL: readVariable('REALTIME_URL') ?? `http://${findReachableHost()}:${at.realtimePort}`,
    ...modelVariables(at.model),
  };
}
