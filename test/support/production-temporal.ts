/**
 * Temporal on PostgreSQL as docker-compose.yml starts it: its own SQL, schema job, environment and dynamic config, run by the same
 * programs. It can be killed and frozen.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { findServicePorts } from '../../src/processes/local/temporal-launch.ts';
import { findServerPrograms, hasServerPrograms } from '../../src/processes/local/temporal-programs.ts';
import { createComposeDatabases } from './compose-databases.ts';
import { commandOf, configOf, effectiveEnvironment, HOST } from './compose.ts';
import { runCrashableTemporal, type CrashableTemporal } from './crashable-temporal.ts';

/** Programs that nobody has built yet are built only when that is asked for, because it takes minutes. */
export const hasProductionTemporal = (): boolean =>
  hasServerPrograms() || process.env['TEST_TEMPORAL_SERVER'] === '1';

/** The job `temporal-schema`. */
async function createSchema(sqlTool: string, home: string, host: Record<string, string>): Promise<void> {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(sqlTool, join(bin, 'temporal-sql-tool'));
  const [shell = '', ...args] = commandOf('temporal-schema');
  await promisify(execFile)(shell, args, {
    env: { ...effectiveEnvironment('temporal-schema', host), PATH: `${bin}:${process.env['PATH']}` },
  });
}

/** @param databaseUrl a superuser on the PostgreSQL that Temporal shall use */
export async function startProductionTemporal(databaseUrl: string): Promise<CrashableTemporal> {
  const { server, sqlTool } = await findServerPrograms(() => undefined);
  const home = mkdtempSync(join(tmpdir(), 'production-temporal-'));
  const { hostname, port: databasePort } = new URL(databaseUrl);
  const host = { ...HOST, TEMPORAL_DATABASE_HOST: hostname, TEMPORAL_DATABASE_PORT: databasePort };
  // Twice, because the jobs run at each start.
  for (const each of ['first', 'again']) {
    await createComposeDatabases(databaseUrl);
    mkdirSync(join(home, each));
    await createSchema(sqlTool, join(home, each), host);
  }
  const dynamicConfig = join(home, 'service.yaml');
  writeFileSync(dynamicConfig, configOf('temporal-dynamic-config'));
  const port = await findAnyPort();
  return runCrashableTemporal({
    home,
    port,
    command: {
      command: server,
      args: ['start'],
      env: {
        PATH: process.env['PATH'],
        ...effectiveEnvironment('temporal', host),
        ...(await findServicePorts()),
        FRONTEND_GRPC_PORT: String(port),
        BIND_ON_IP: '127.0.0.1',
        DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
        PROMETHEUS_ENDPOINT: '',
      },
    },
  });
}
