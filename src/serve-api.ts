/** Process 1, the API: config, dependencies, application, listen; at the end of its life: drain, then close. */
import { readConfig, ConfigError, type Config } from './config.ts';
import { KeySet } from './access/jwt.ts';
import { RequestLimits } from './access/limits.ts';
import { KeyUse } from './access/key-use.ts';
import { StripeTopups } from './billing/stripe-topups.ts';
import { openDb } from './db/client.ts';
import { Dispatcher } from './runs/outbox/dispatcher.ts';
import { Doorbell } from './runs/outbox/doorbell.ts';
import { createApp } from './http/app.ts';
import { drain, listen, portOf } from './http/server.ts';
import { createLog, type Logger } from './log.ts';
import { collectProcessMetrics } from './observe/metrics.ts';
import { refuseDebugger } from './observe/no-debugger.ts';
import { startTracing } from './observe/start-tracing.ts';
import { openEmbeddings } from './knowledge/embeddings.ts';
import { IngestSyncer } from './knowledge/ingest-syncer.ts';
import { RunFeed } from './runs/stream/feed.ts';
import { ScheduleSyncer } from './schedules/schedule-syncer.ts';
import { requireKeys } from './credentials/vault/rotation.ts';
import { allRoutes, type ApiDeps } from './resources/tables.ts';
import { seedStarter } from './resources/workflows/starter.ts';
import { connectEngine } from '../temporal/client/client.ts';

/** Requests in flight get this long after a signal to end (SPEC REL-shutdown). */
const GRACE_MS = 25_000;

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The configuration is not usable:\n${error.message}\n`);
    process.exit(1);
  }
}

/** What starts with the server, and ends after it. */
interface Wiring {
  readonly pollers: readonly { start(): void }[];
  close(): Promise<void>;
}

async function buildDeps(config: Config, log: Logger): Promise<ApiDeps & Wiring> {
  const db = openDb(config.databaseUrl);
  await requireKeys({ db, config, log });
  const engine = await connectEngine(config, log);
  const keyUse = new KeyUse(db, log);
  const dispatcher = new Dispatcher({ db, engine, log, doorbell: new Doorbell(db, log) });
  const scheduleSyncer = new ScheduleSyncer({ db, engine: engine.schedules, log });
  const ingestSyncer = new IngestSyncer({ db, engine: engine.ingests, log });
  const pollers = [dispatcher, scheduleSyncer, ingestSyncer];
  const embeddings = openEmbeddings({ config, db, log });
  return {
    config,
    db,
    log,
    engine,
    scheduleEngine: engine.schedules,
    scheduleSyncer,
    ingestSyncer,
    pollers,
    keySet: new KeySet(config, log),
    keyUse,
    requestLimits: new RequestLimits({ db, log }),
    seedAccount: (tx, owner) => seedStarter(tx, owner, config.managedLlm?.model ?? null),
    dispatcher,
    embedder: (secrets) => embeddings.embedder(secrets),
    feed: new RunFeed({
      db,
      databaseUrl: config.databaseUrl,
      engine,
      log,
      onEvents: (runPk) => dispatcher.hasBegun(runPk),
    }),
    topups: config.stripe === null ? null : new StripeTopups(config.stripe, log),
    async close() {
      await Promise.all(pollers.map((poller) => poller.stop()));
      await keyUse.close();
      await embeddings.close();
      await engine.close();
      await db.close();
    },
  };
}

/** What a person can do about a port that cannot be had. */
function explain(error: unknown, { host, port }: Config): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Set PORT to a free port, or end what uses it.`;
  if (code === 'EACCES') return `Port ${port} on ${host} is not allowed. Set PORT to a port above 1023.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function serve(): Promise<void> {
  const config = readConfigOrExit();
  refuseDebugger(config.env);
  const log = createLog(config.logLevel, 'api');
  const tracing = await startTracing(config.otlpEndpoint, 'api', log);
  collectProcessMetrics();
  const deps = await buildDeps(config, log);
  const server = await listen(createApp(deps, allRoutes()), config.host, config.port).catch(
    (error: unknown) => {
      process.stderr.write(`${explain(error, config)}\n`);
      process.exit(1);
    },
  );
  deps.feed.start();
  for (const poller of deps.pollers) poller.start();
  log.info({ host: config.host, port: portOf(server) }, 'the API is listening');

  let isEnding = false;
  const end = async (signal: string): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    log.info({ signal }, 'draining');
    // Streams would outlive any grace: stopping the feed ends them, and their clients reconnect elsewhere.
    await Promise.all([drain(server, GRACE_MS), deps.feed.stop()]);
    await deps.close();
    await tracing.stop();
    log.info('ended');
    process.exit(0);
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
  if (error instanceof ConfigError)
    process.stderr.write(`The configuration is not usable:\n${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
