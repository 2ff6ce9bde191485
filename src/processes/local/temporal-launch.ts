/** Command lines of a Temporal server on SQLite: the CLI's development server, or the server itself with its own configuration. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAnyPort } from './ports.ts';
import type { LaunchOptions } from './processes.ts';
import type { TemporalProgram } from './temporal-programs.ts';

/**
 * Settings of `docker-compose.yml`, too. The defaults (20 polls a second per shard) limit each run to ten nodes a second, and round
 * durable timers up to whole seconds.
 */
export const DYNAMIC_CONFIG: Readonly<Record<string, string | number | boolean>> = {
  'history.transferProcessorMaxPollRPS': 5_000,
  'history.timerProcessorMaxPollRPS': 5_000,
  'history.timerProcessorMaxTimeShift': '20ms',
  'system.enableActivityEagerExecution': true,
  'matching.enableFairness': true,
};

/** The CLI's development server has these by itself. */
const DEVELOPMENT_CONFIG = {
  'system.forceSearchAttributesCacheRefreshOnRead': true,
  'frontend.namespaceRPS.visibility': 100,
};

interface TemporalLaunch {
  readonly port: number;
  /** Null: in memory. */
  readonly dataFile: string | null;
  /** Directory for the server's own files. */
  readonly home: string;
  /** Null: without UI. Only the CLI has one in it. */
  readonly ui: { readonly port: number; readonly codecUrl: string | undefined } | null;
}

type Command = Pick<LaunchOptions, 'command' | 'args' | 'env'>;

/** Writes settings as the file of a server's dynamic config; JSON is YAML. */
function writeDynamicConfig(home: string, settings: Readonly<Record<string, unknown>>): string {
  const path = join(home, 'dynamic-config.yaml');
  const entries = Object.entries(settings).map(([name, value]) => [name, [{ value }]]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(entries)));
  return path;
}

/**
 * Finds ports for the services of a server beside its gRPC port, as variables of its configuration. The names are those of
 * `config_template_embedded.yaml` in Temporal's source.
 */
export async function findServicePorts(): Promise<NodeJS.ProcessEnv> {
  const names = ['FRONTEND_HTTP', 'FRONTEND_MEMBERSHIP'].concat(
    ['MATCHING', 'HISTORY', 'WORKER'].flatMap((service) => [`${service}_GRPC`, `${service}_MEMBERSHIP`]),
  );
  const ports = await Promise.all(names.map(() => findAnyPort()));
  return Object.fromEntries(names.map((name, i) => [`${name}_PORT`, String(ports[i])]));
}

function toCliCommand(path: string, { port, dataFile, ui }: TemporalLaunch): Command {
  const settings = Object.entries(DYNAMIC_CONFIG).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return {
    command: path,
    args: [
      'server',
      'start-dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--log-level=error',
      '--log-format=json',
      ...(ui === null ? ['--headless'] : ['--ui-port', String(ui.port)]),
      ...(ui?.codecUrl === undefined ? [] : ['--ui-codec-endpoint', ui.codecUrl]),
      ...(dataFile === null ? [] : ['--db-filename', dataFile]),
      ...settings.flatMap((entry) => ['--dynamic-config-value', entry]),
    ],
    env: process.env,
  };
}

async function toServerCommand(path: string, { port, dataFile, home }: TemporalLaunch): Promise<Command> {
  return {
    command: path,
    args: ['--allow-no-auth', 'start'],
    env: {
      ...process.env,
      DB: 'sqlite',
      // In memory, each of the two stores is a database of its own.
      DBNAME: dataFile ?? 'temporal',
      VISIBILITY_DBNAME: dataFile === null ? 'temporal-visibility' : `${dataFile}-visibility`,
      SQLITE_MODE: dataFile === null ? 'memory' : 'rwc',
      NUM_HISTORY_SHARDS: '1',
      BIND_ON_IP: '127.0.0.1',
      FRONTEND_GRPC_PORT: String(port),
      ...(await findServicePorts()),
      DYNAMIC_CONFIG_FILE_PATH: writeDynamicConfig(home, { ...DEVELOPMENT_CONFIG, ...DYNAMIC_CONFIG }),
      LOG_LEVEL: 'error',
    },
  };
}

/** Builds the command that starts the program, after it has written the files that the command names. */
export async function toTemporalCommand(
  { kind, path }: TemporalProgram,
  launch: TemporalLaunch,
): Promise<Command> {
  return kind === 'cli' ? toCliCommand(path, launch) : toServerCommand(path, launch);
}
