/** Checks an installation for its operator: each check has a result in words and, unless it passes, a remedy. */
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fetchKeys } from '../platform/access/key-set-fetch.ts';
import { systemClock } from '../base/clock.ts';
import { VERSION, type Config, type ConfigError } from '../base/config/config.ts';
import type { Db } from '../base/db/client.ts';
import { onEmbeddingModel, onMail, onModel } from './dependencies.ts';
import { isTransientDatabaseError } from '../base/db/transient-error.ts';
import { createLog } from '../base/log.ts';
import type { DependencyName } from '../base/observe/dependencies.ts';
import { ForeignNamespace, NamespaceGuard } from '../engine/runs/outbox/namespace-guard.ts';
import { findStalledRuns } from '../engine/runs/outbox/stalled-runs.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { inspectTemporal, type TemporalStatus } from '../../temporal/client/inspect.ts';
import { checkDatabases } from './database-checks.ts';
import {
  attempt,
  describe,
  fail,
  pass,
  REACH_DATABASE,
  warn,
  type Finding,
  type Status,
} from './findings.ts';

export interface Diagnosis {
  readonly status: Status;
  readonly version: string;
  readonly checks: readonly Finding[];
}

const MIN_FREE_BYTES = 1024 ** 3;
/** Releases before it need settings for eager starts (temporal/README.md). */
const TEMPORAL_RELEASE = { major: 1, minor: 29 };

/** Names what an endpoint lacks: METRICS_TOKEN opens the metrics alone, HEALTH_API_KEY both. */
function describeClosedReports({ healthApiKeys, metricsTokens }: Config): string[] {
  if (healthApiKeys.length > 0) return [];
  return [`HEALTH_API_KEY (health report${metricsTokens.length === 0 ? ', metrics' : ''})`];
}

function checkConfiguration(config: Config): Finding {
  const { env, appUrl, trustedProxies, encryptionKeys } = config;
  const check = 'configuration';
  const open = [
    ...describeClosedReports(config),
    ...(appUrl === undefined ? ['APP_URL (links, CORS)'] : []),
    ...(encryptionKeys.length === 0 ? ['ENCRYPTION_KEYS (credentials)'] : []),
    ...(env === 'production' && trustedProxies.length === 0 ? ['TRUSTED_PROXIES (behind a proxy)'] : []),
  ];
  if (open.length === 0) return pass(check, `valid for ${env}`);
  return warn(check, `valid for ${env}; not set: ${open.join(', ')}`, 'Set what this installation uses.');
}

/** Asks the servers that this installation has configured, as its processes do. */
function checkServers(config: Config): Promise<Finding[]>[] {
  const remedies: Readonly<Partial<Record<DependencyName, readonly [check: string, remedy: string]>>> = {
    model: ['managed model', 'Check MANAGED_LLM_BASE_URL and MANAGED_LLM_API_KEY, and that its server runs.'],
    embedding_model: [
      'managed embedding model',
      'Check MANAGED_EMBEDDING_BASE_URL and MANAGED_EMBEDDING_API_KEY, and that its server runs.',
    ],
    smtp: ['mail server', 'Check SMTP_URL, and that the mail server runs.'],
  };
  return [...onModel(config), ...onEmbeddingModel(config), ...onMail(config)].map((dependency) => {
    const [check, remedy] = remedies[dependency.name] ?? [dependency.name, ''];
    return attempt(check, remedy, async () => {
      await dependency.ask();
      return pass(check, 'answers');
    });
  });
}

async function checkNamespace(db: Db, config: Config): Promise<Finding> {
  const check = 'temporal namespace';
  const engine = await connectEngine(config, createLog('silent', 'doctor'));
  try {
    await new NamespaceGuard({ db, engine, clock: systemClock }).require();
    return pass(check, `"${config.temporal.namespace}" executes the runs of this database`);
  } catch (error) {
    if (error instanceof ForeignNamespace)
      return fail(check, error.message, 'Set TEMPORAL_ADDRESS to the former server, or adopt this one.');
    if (isTransientDatabaseError(error)) return fail(check, describe(error), REACH_DATABASE);
    throw error;
  } finally {
    await engine.close();
  }
}

/** A version without two numbers, as a cloud may have one, is not judged. */
function isOldTemporal(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  const ahead = Number(major) - TEMPORAL_RELEASE.major;
  return ahead < 0 || (ahead === 0 && Number(minor) < TEMPORAL_RELEASE.minor);
}

/** Judges the status of Temporal: its server, its search attributes and its queues. */
export function judgeTemporal({ temporal }: Pick<Config, 'temporal'>, status: TemporalStatus): Finding[] {
  const { serverVersion, retentionDays, missingAttributes, queues } = status;
  const idle = queues.filter(({ pollers }) => pollers === 0).map(({ queue }) => queue);
  const server = `server ${serverVersion} at ${temporal.address}`;
  const { major, minor } = TEMPORAL_RELEASE;
  return [
    isOldTemporal(serverVersion)
      ? warn(
          'temporal',
          server,
          `Upgrade Temporal to ${major}.${minor} or later: older releases are not tested.`,
        )
      : retentionDays !== null && retentionDays < 1
        ? warn(
            'temporal',
            `${server}, retention of ${retentionDays} days`,
            'Set a retention of at least a day.',
          )
        : pass('temporal', server),
    missingAttributes === null
      ? warn('search attributes', 'the server does not tell', 'Check the permissions of TEMPORAL_API_KEY.')
      : missingAttributes.length > 0
        ? warn(
            'search attributes',
            `missing: ${missingAttributes.join(', ')}`,
            'Run `node dist/src/processes/admin.js temporal:setup`, as somebody who may register them (temporal/README.md has the types).',
          )
        : pass('search attributes', 'all are registered'),
    idle.length > 0
      ? fail(
          'task queues',
          `no worker polls ${idle.join(', ')}`,
          'Start a worker: `node dist/temporal/serve-worker.js`.',
        )
      : pass('task queues', queues.map(({ queue, pollers }) => `${queue}: ${pollers}`).join(', ')),
  ];
}

/** Compares the runs that are silent for longest with Temporal. */
async function checkRuns(db: Db, config: Config): Promise<Finding> {
  const check = 'runs';
  const engine = await connectEngine(config, createLog('silent', 'doctor'));
  try {
    const { compared, stalledRunPks } = await findStalledRuns(db, engine);
    const message = `of ${compared} runs without an event for two minutes, ${stalledRunPks.length} do not come forward`;
    if (stalledRunPks.length === 0) return pass(check, message);
    const remedy = 'Read RunsStalled in src/base/observe/operations/README.md.';
    return warn(check, `${message}: ${stalledRunPks.join(', ')}`, remedy);
  } finally {
    await engine.close();
  }
}

async function checkIdentityProvider({ auth }: Config): Promise<Finding> {
  const check = 'identity provider';
  if (auth.jwksUrl === undefined || auth.issuer === undefined)
    return warn(check, 'none: every JWT is refused', 'Set AUTH_JWKS_URL and AUTH_ISSUER.');
  const keys = await fetchKeys(auth.jwksUrl);
  if (keys.size === 0) return fail(check, `${auth.jwksUrl} has no usable keys`, 'Check AUTH_JWKS_URL.');
  return pass(check, `${keys.size} keys at ${auth.jwksUrl}`);
}

async function checkDisk(): Promise<Finding> {
  const check = 'disk';
  const { bavail, bsize } = await statfs(tmpdir());
  const message = `${Math.round((bavail * bsize) / 1024 ** 2)} MiB free at ${tmpdir()}`;
  return bavail * bsize < MIN_FREE_BYTES
    ? warn(check, message, 'Free space: uploads and documents use it.')
    : pass(check, message);
}

/** Runs all checks; never throws. */
export async function diagnose(config: Config, db: Db): Promise<Diagnosis> {
  const reachTemporal =
    `Check TEMPORAL_ADDRESS (${config.temporal.address}), TEMPORAL_NAMESPACE (${config.temporal.namespace}), ` +
    'and that Temporal runs and can be reached from here.';
  const found = await Promise.all([
    checkDatabases(db, config),
    attempt('temporal', reachTemporal, async () => judgeTemporal(config, await inspectTemporal(config))),
    attempt('temporal namespace', reachTemporal, () => checkNamespace(db, config)),
    attempt('runs', `${reachTemporal} Check DATABASE_URL, too.`, () => checkRuns(db, config)),
    attempt('identity provider', 'Check AUTH_JWKS_URL.', () => checkIdentityProvider(config)),
    ...checkServers(config),
    attempt('disk', 'Check the directory of temporary files.', checkDisk),
  ]);
  const checks = [checkConfiguration(config), ...found.flat()];
  const has = (status: Status): boolean => checks.some((finding) => finding.status === status);
  return { status: has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok', version: VERSION, checks };
}

/** The diagnosis of a configuration that cannot be read. */
export const refuseConfiguration = ({ message }: ConfigError): Diagnosis => ({
  status: 'failed',
  version: VERSION,
  checks: [fail('configuration', message, 'Correct these variables; src/README.md explains each.')],
});

/** Formats a diagnosis for a terminal. */
export function formatDiagnosis({ version, checks }: Diagnosis): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.flatMap(({ check, status, message, remedy }) => [
    `${status.padEnd(7)}  ${check.padEnd(width)}  ${message}`,
    ...(remedy === null ? [] : [`${' '.repeat(9 + width + 2)}→ ${remedy}`]),
  ]);
  const hasFailed = checks.some(({ status }) => status === 'failed');
  return [
    `Version ${version}, Node ${process.versions.node}`,
    '',
    ...lines,
    // The command's own error tells how many failed.
    ...(hasFailed ? [] : ['', 'No check failed.']),
  ].join('\n');
}
