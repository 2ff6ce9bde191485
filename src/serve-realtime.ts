/** Process 2, canvas co-editing: config, dependencies, listen; at the end of its life: save, disconnect, close. */
import { KeySet } from './access/jwt.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openDb } from './db/client.ts';
import { createLog } from './log.ts';
import { collectProcessMetrics } from './observe/metrics.ts';
import { refuseDebugger } from './observe/no-debugger.ts';
import type { HandshakeDeps } from './canvas/server/handshake.ts';
import { listenRealtime } from './canvas/server/server.ts';
import { seedStarter } from './resources/workflows/starter.ts';

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The configuration is not usable:\n${error.message}\n`);
    process.exit(1);
  }
}

async function serve(): Promise<void> {
  const config = readConfigOrExit();
  refuseDebugger(config.env);
  const log = createLog(config.logLevel, 'realtime');
  collectProcessMetrics();
  const db = openDb(config.databaseUrl, 10);
  const deps: HandshakeDeps = {
    config,
    db,
    log,
    keySet: new KeySet(config, log),
    seedAccount: (tx, owner) => seedStarter(tx, owner, config.managedLlm?.model ?? null),
  };
  const server = await listenRealtime(deps, { host: config.host, port: config.realtimePort });
  log.info({ host: config.host, port: config.realtimePort }, 'the realtime server is listening');

  let isEnding = false;
  const end = async (signal: string): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    log.info({ signal }, 'draining');
    const unsaved = await server.drain();
    await db.close();
    // What could not be saved is in the log: whoever opens the room next replays it. Still, somebody should know.
    if (unsaved > 0) log.error({ unsaved_rooms: unsaved }, 'ended with rooms that could not be saved');
    else log.info('ended');
    process.exit(unsaved > 0 ? 1 : 0);
  };
  const endOrDie = (signal: string): void => {
    end(signal).catch((error: unknown) => {
      log.error({ err: error }, 'the end was not orderly');
      process.exit(1);
    });
  };
  process.on('SIGTERM', endOrDie);
  process.on('SIGINT', endOrDie);
}

serve().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
