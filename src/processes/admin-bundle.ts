/** `admin bundle`: a report on the installation for support, in one JSON file without secrets and without tenants' data. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CommandRefused, JSON_OPTION, UsageError, type Command } from './admin-command.ts';
import { SERVICE_NAME, VERSION, type Config } from '../base/config/config.ts';
import { environment } from '../base/config/environment.ts';
import { readSecretFiles, SECRET_VARIABLES } from '../base/config/secret-files.ts';
import type { Db } from '../base/db/client.ts';
import { diagnose } from './doctor.ts';
import { scrub } from '../base/scrub.ts';

const FETCH_MS = 5_000;
/** Names of secrets that other programs of the environment have, and of the files of TLS. */
const SECRET_NAME = /SECRET|PASSWORD|TOKEN|_KEYS?(_|$)|TLS_(CA|CERT|KEY)/;
/** Shorter ones would hide parts of ordinary words; parts of values are guesses. */
const MIN_SECRET_LENGTH = 6;
const MIN_PART_LENGTH = 12;
const HIDDEN = '***';

const QUERIES = {
  now: 'SELECT now(), version()',
  migrations: `SELECT migration_name, finished_at, rolled_back_at FROM _prisma_migrations ORDER BY started_at`,
  settings: `SELECT name, setting, unit FROM pg_settings WHERE source NOT IN ('default', 'client', 'session') AND name !~ 'file|directory|conninfo|command'`,
  tables: `SELECT relname, n_live_tup::float8 AS rows, n_dead_tup::float8 AS dead, pg_total_relation_size(relid)::float8 AS bytes,
                  last_autovacuum FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 40`,
  connections: `SELECT application_name, state, wait_event_type, count(*)::int FROM pg_stat_activity
                WHERE datname = current_database() GROUP BY 1, 2, 3`,
  runs: `SELECT status, count(*)::int, min(created_at) AS oldest FROM runs GROUP BY 1`,
  failures: `SELECT error->>'code' AS code, count(*)::int, max(completed_at) AS latest FROM runs
             WHERE status = 'failed' AND completed_at > now() - interval '1 day' GROUP BY 1 ORDER BY 2 DESC LIMIT 40`,
  outbox: `SELECT kind, due_at = 'infinity' AS is_parked, count(*)::int, max(tries) AS tries, min(created_at) AS oldest
           FROM outbox GROUP BY 1, 2`,
} as const;

/** Says whether a variable is hidden whole. An address of the database is shown without its password. */
const isSecret = (name: string): boolean =>
  SECRET_NAME.test(name) || (SECRET_VARIABLES.includes(name) && name !== 'DATABASE_URL');

/** Lists the secrets of the configuration, and their parts: keys in lists, passwords in addresses. */
function listSecrets(variables: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(variables).flatMap(([name, value = '']) => {
    if (isSecret(name)) {
      const parts = value.split(/[\s,:"'{}[\]]+/).filter((part) => part.length >= MIN_PART_LENGTH);
      return [value, ...parts];
    }
    if (!URL.canParse(value)) return [];
    const { password } = new URL(value);
    return [password, decodeURIComponent(password)];
  });
  // The longest first, so that one that contains another is hidden whole.
  return [...new Set(found.filter((value) => value.length >= MIN_SECRET_LENGTH))].toSorted(
    (a, b) => b.length - a.length,
  );
}

/** Shows a value without what an address may carry: user, password and query. */
function showValue(value: string): string {
  if (!URL.canParse(value) || !value.includes('://')) return value;
  const url = new URL(value);
  if (`${url.username}${url.password}${url.search}` === '') return value;
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function describeConfiguration(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const set = Object.keys(environment.shape).filter((name) => (variables[name] ?? '') !== '');
  return Object.fromEntries(
    set.map((name) => [name, isSecret(name) ? HIDDEN : showValue(variables[name] ?? '')]),
  );
}

/** Reads the metrics of a process as it serves them; the reason when it does not. */
async function readMetrics(url: string, config: Config): Promise<string> {
  const [token] = config.metricsTokens;
  const headers: Record<string, string> =
    token === undefined
      ? { 'x-health-api-key': config.healthApiKeys[0] ?? '' }
      : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(FETCH_MS) });
    return response.ok ? await response.text() : `status ${response.status}`;
  } catch (error) {
    return `unreachable: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function readRows(db: Db, query: string): Promise<unknown> {
  try {
    return await db.query(query);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Collects the report. A part that cannot be read has the reason in its place. */
async function collect(config: Config, db: Db, urls: readonly string[]): Promise<Record<string, unknown>> {
  const { variables } = readSecretFiles(process.env);
  const [doctor, metrics, rows] = await Promise.all([
    diagnose(config, db),
    Promise.all(urls.map(async (url) => [showValue(url), await readMetrics(url, config)] as const)),
    Promise.all(
      Object.entries(QUERIES).map(async ([name, query]) => [name, await readRows(db, query)] as const),
    ),
  ]);
  return {
    service: SERVICE_NAME,
    version: VERSION,
    commit: config.buildCommit,
    runtime: { ...process.versions, platform: process.platform, arch: process.arch },
    configuration: describeConfiguration(variables),
    doctor,
    database: Object.fromEntries(rows),
    metrics: Object.fromEntries(metrics),
  };
}

/** Opens the file of the report. @throws CommandRefused that names another way */
function openReport(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandRefused(
      `--out ${path}: ${reason}. Choose another place, or print the report with --json`,
    );
  }
}

export const bundle: Command = {
  summary:
    "Write a report for support: configuration without secrets, versions, doctor's findings, migrations, sizes, metrics of the " +
    "processes. It has no tenants' data; 0 also when checks fail",
  usage:
    'bundle [--out FILE] [--json] [--metrics URL]...   (default: support-bundle.json, the ports of this machine)',
  async run(args, config, db) {
    const { values } = parseArgs({
      args,
      options: {
        out: { type: 'string', default: 'support-bundle.json' },
        ...JSON_OPTION,
        metrics: { type: 'string', multiple: true },
      },
    });
    const ports = [config.port, config.realtimePort, config.workerPort].filter((port) => port !== undefined);
    const urls = values.metrics ?? ports.map((port) => `http://127.0.0.1:${port}/metrics`);
    const bad = urls.find((url) => !/^https?:/.test(url) || !URL.canParse(url));
    if (bad !== undefined)
      throw new UsageError(`--metrics ${bad}: the address of a process's /metrics is needed`);
    const secrets = listSecrets(readSecretFiles(process.env).variables);
    const hide = (text: string): string =>
      secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), scrub(text));
    // A report that cannot be stored is not worth collecting.
    const file = values.json ? null : openReport(values.out);
    const report = JSON.stringify(
      await collect(config, db, urls),
      (_, value: unknown) => (typeof value === 'string' ? hide(value) : value),
      2,
    );
    if (file === null) return console.log(report);
    writeFileSync(file, `${report}\n`);
    closeSync(file);
    console.log(`${values.out}: ${Buffer.byteLength(report)} bytes. Read it before you send it.`);
  },
};
