/** Process 1, the API: builds the dependencies, listens; after a signal drains and closes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { VERSION, type Config } from '../base/config/config.ts';
import { KeySet } from '../platform/access/jwt.ts';
import { RequestLimits } from '../platform/access/limits.ts';
import { KeyUse } from '../platform/access/key-use.ts';
import { findAccountLimit } from '../platform/billing/plans.ts';
import { StripeTopups } from '../platform/billing/stripe-topups.ts';
import { openDb } from '../base/db/client.ts';
import { onDatabase, onEmbeddingModel, onIdentityProvider, onMail, onTemporal } from './dependencies.ts';
import { RunAcceptor } from '../engine/runs/accept/accept.ts';
import { DefinitionFactsCache } from '../engine/runs/accept/definition-facts.ts';
import { NamespaceGuard } from '../engine/runs/outbox/namespace-guard.ts';
import { dataJobHandler } from '../features/data/job-runner.ts';
import { runHandlers } from '../engine/runs/outbox/run-handlers.ts';
import { createApp } from '../platform/http/app.ts';
import { BODY_SHARES } from '../platform/http/body.ts';
import { UPLOAD_SHARES } from '../platform/http/multipart.ts';
import { drain, listen, readPort } from '../platform/http/server.ts';
import { buildWebApp } from '../platform/http/web-app.ts';
import type { Logger } from '../base/log.ts';
import { DependencyWatch } from '../base/observe/dependencies.ts';
import { collectProcessMetrics } from '../base/observe/metrics.ts';
import type { OutageLog } from './outage-log.ts';
import { Dispatcher } from '../platform/outbox/dispatcher.ts';
import { OutboxNotifier } from '../platform/outbox/outbox-notifier.ts';
import { runProcess, StartError, type ProcessWork } from './process.ts';
import { openFileStore } from '../platform/files/file-store.ts';
import { openEmbeddings } from '../platform/knowledge/embeddings.ts';
import { IngestSyncer } from '../platform/knowledge/ingest-syncer.ts';
import { ANSWER_SHARES } from '../engine/runs/ledger/questions/answer-pages.ts';
import { RunFeed } from '../engine/runs/stream/feed.ts';
import { ByteBudget } from '../base/shares/byte-budget.ts';
import { FairSemaphore } from '../base/shares/fair-semaphore.ts';
import { ScheduleSyncer } from '../engine/schedules/schedule-syncer.ts';
import { BudgetAlerts } from '../features/budgets/budget-alerts.ts';
import { AlertChecks } from '../features/notifications/alerts/alert-checks.ts';
import { AnswerLinkSender } from '../features/answers/sender.ts';
import { NotificationSender } from '../features/notifications/sender.ts';
import { requireKeys } from '../platform/credentials/vault/rotation.ts';
import { warnWithoutTenantRole } from '../base/db/tenant-role.ts';
import { requireSchema } from './require-schema.ts';
import { allRoutes, type ApiDeps } from './routes.ts';
import { createAccountSeeder } from '../features/accounts/seed-account.ts';
import { connectEngine } from '../../temporal/client/client.ts';

/** The build of the web application, dist/web, from this file's source or build. */
const WEB_BUILD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../../web', import.meta.url),
);

/** The process stops within this time after a signal, whatever is in flight (SPEC REL-shutdown). */
const GRACE_MS = 25_000;

interface ProcessDeps extends ApiDeps {
  readonly dispatcher: Dispatcher;
  readonly notificationSender: NotificationSender;
  readonly alertChecks: AlertChecks;
  readonly budgetAlerts: BudgetAlerts;
  readonly answerLinkSender: AnswerLinkSender;
  readonly watch: DependencyWatch;
  close(): Promise<void>;
}

async function buildDeps(config: Config, log: Logger, outages: OutageLog): Promise<ProcessDeps> {
  const db = openDb(config.databaseUrl);
  await requireSchema({ db, log });
  await warnWithoutTenantRole({ db, log });
  await requireKeys({ db, config, log });
  const engine = await connectEngine(config, log);
  const guard = new NamespaceGuard({ db, engine, clock: systemClock });
  const keyUse = new KeyUse(db, log);
  const dispatcher = new Dispatcher({
    db,
    clock: systemClock,
    log,
    notifier: new OutboxNotifier(db, log),
    handlers: {
      ...runHandlers({ db, engine, guard }),
      schedule: guard.wrap(new ScheduleSyncer({ clock: systemClock, db, engine: engine.schedules, log })),
      ingest: guard.wrap(new IngestSyncer({ db, engine: engine.ingests, log })),
      data_job: dataJobHandler({ db, clock: systemClock }),
    },
  });
  const alertChecks = new AlertChecks({ db, clock: systemClock, log });
  const budgetAlerts = new BudgetAlerts({ db, log });
  const notificationSender = new NotificationSender({ db, clock: systemClock, log, config });
  const answerLinkSender = new AnswerLinkSender({ db, clock: systemClock, log, config });
  const embeddings = openEmbeddings({ config, db, log });
  const watch = new DependencyWatch({
    clock: systemClock,
    listener: outages,
    dependencies: [
      ...onDatabase(db),
      ...onTemporal(engine, db),
      ...onIdentityProvider(config),
      ...onEmbeddingModel(config),
      ...onMail(config),
    ],
  });
  return {
    config,
    db,
    log,
    clock: systemClock,
    engine,
    scheduleEngine: engine.schedules,
    keySet: new KeySet(config, log),
    keyUse,
    requestLimits: new RequestLimits({ db, log, findAccountLimit }),
    seedAccount: createAccountSeeder({ db, config, log }),
    dispatcher,
    notificationSender,
    alertChecks,
    budgetAlerts,
    answerLinkSender,
    watch,
    acceptor: new RunAcceptor(db),
    definitionFacts: new DefinitionFactsCache(db),
    answers: new FairSemaphore(ANSWER_SHARES),
    bodies: new ByteBudget(BODY_SHARES),
    uploads: new ByteBudget(UPLOAD_SHARES),
    files: openFileStore(config),
    createEmbedder: (secrets) => embeddings.createEmbedder(secrets),
    feed: new RunFeed({
      db,
      databaseUrl: config.databaseUrl,
      engine,
      clock: systemClock,
      log,
      onEvents: (runPk) => dispatcher.noteStarted(runPk),
    }),
    topups: config.stripe === null ? null : new StripeTopups(config.stripe, log),
    async close() {
      watch.stop();
      const senders = [notificationSender, answerLinkSender];
      await Promise.all([dispatcher, alertChecks, budgetAlerts, ...senders].map((work) => work.stop()));
      await keyUse.close();
      await embeddings.close();
      await engine.close();
      await db.close();
    },
  };
}

/** Explains how to fix a port that cannot be opened; other errors stay as they are. */
function portError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} on ${host} is in use. Set PORT to a free port, or stop the process that uses it.`,
    );
  if (code === 'EACCES')
    return new StartError(`Port ${port} on ${host} is not allowed. Set PORT to a port above 1023.`);
  return error;
}

async function serve(config: Config, log: Logger, outages: OutageLog): Promise<ProcessWork> {
  collectProcessMetrics('api', { version: VERSION, commit: config.buildCommit });
  const deps = await buildDeps(config, log, outages);
  const web = config.web.isServed ? buildWebApp(WEB_BUILD, config) : null;
  if (config.web.isServed && web === null) log.info('the web application is not built and not served');
  const routes = allRoutes();
  for (const row of routes) row.prepare?.();
  const server = await listen(createApp(deps, routes, web), config.host, config.port).catch(
    (error: unknown) => {
      throw portError(error, config);
    },
  );
  deps.watch.start();
  deps.feed.start();
  deps.dispatcher.start();
  deps.notificationSender.start();
  deps.alertChecks.start();
  deps.budgetAlerts.start();
  deps.answerLinkSender.start();
  log.info({ host: config.host, port: readPort(server) }, 'the API is listening');
  return {
    async stop() {
      deps.feed.drain();
      server.announceClose();
      // A proxy sends requests here until it has seen GET /ready fail.
      await sleep(config.shutdownDelayMs);
      // Streams outlive any grace period: stopping the feed ends them, and their clients reconnect to another process.
      await Promise.all([drain(server, GRACE_MS - config.shutdownDelayMs), deps.feed.stop()]);
      await deps.close();
      return 0;
    },
  };
}

runProcess('api', serve);
