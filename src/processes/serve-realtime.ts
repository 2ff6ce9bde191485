/** Process 2, canvas co-editing: builds the dependencies, listens; after a signal saves, disconnects and closes. */
import { KeySet } from '../platform/access/jwt.ts';
import type { HandshakeDeps } from '../features/canvas/server/handshake.ts';
import { listenRealtime } from '../features/canvas/server/server.ts';
import { systemClock } from '../base/clock.ts';
import { VERSION, type Config } from '../base/config/config.ts';
import { openDb } from '../base/db/client.ts';
import { onDatabase, onIdentityProvider } from './dependencies.ts';
import type { Logger } from '../base/log.ts';
import { DependencyWatch } from '../base/observe/dependencies.ts';
import { collectProcessMetrics } from '../base/observe/metrics.ts';
import type { OutageLog } from './outage-log.ts';
import { runProcess, type ProcessWork } from './process.ts';
import { requireSchema } from './require-schema.ts';
import { createAccountSeeder } from '../features/accounts/seed-account.ts';

async function serve(config: Config, log: Logger, outages: OutageLog): Promise<ProcessWork> {
  collectProcessMetrics('realtime', { version: VERSION, commit: config.buildCommit });
  const db = openDb(config.databaseUrl, 10);
  await requireSchema({ db, log });
  const watch = new DependencyWatch({
    clock: systemClock,
    listener: outages,
    dependencies: [...onDatabase(db), ...onIdentityProvider(config)],
  });
  watch.start();
  const deps: HandshakeDeps = {
    config,
    db,
    log,
    keySet: new KeySet(config, log),
    seedAccount: createAccountSeeder({ db, config, log }),
    watch,
  };
  const server = await listenRealtime(deps, { host: config.host, port: config.realtimePort });
  log.info({ host: config.host, port: config.realtimePort }, 'the realtime server is listening');
  return {
    async stop() {
      watch.stop();
      const unsaved = await server.drain();
      await db.close();
      if (unsaved === 0) return 0;
      // Unsaved operations are in the log in PostgreSQL; the next process that opens the room replays them.
      log.error({ unsaved_rooms: unsaved }, 'some rooms could not be saved');
      return 1;
    },
  };
}

runProcess('realtime', serve);
