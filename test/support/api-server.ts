/** The API over real HTTP on a free port, with a database and an identity provider of its own; only Temporal is faked. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NamespaceGuard } from '../../src/engine/runs/outbox/namespace-guard.ts';
import { KeySet } from '../../src/platform/access/jwt.ts';
import { RequestLimits } from '../../src/platform/access/limits.ts';
import { KeyUse } from '../../src/platform/access/key-use.ts';
import { findAccountLimit } from '../../src/platform/billing/plans.ts';
import { systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { openDb } from '../../src/base/db/client.ts';
import { RunAcceptor } from '../../src/engine/runs/accept/accept.ts';
import { DefinitionFactsCache } from '../../src/engine/runs/accept/definition-facts.ts';
import { dataJobHandler } from '../../src/features/data/job-runner.ts';
import { runHandlers } from '../../src/engine/runs/outbox/run-handlers.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { BODY_SHARES } from '../../src/platform/http/body.ts';
import { UPLOAD_SHARES } from '../../src/platform/http/multipart.ts';
import { drain, listen, readPort } from '../../src/platform/http/server.ts';
import { createLog } from '../../src/base/log.ts';
import { Dispatcher } from '../../src/platform/outbox/dispatcher.ts';
import { openFileStore } from '../../src/platform/files/file-store.ts';
import { openEmbeddings } from '../../src/platform/knowledge/embeddings.ts';
import { ByteBudget } from '../../src/base/shares/byte-budget.ts';
import { FairSemaphore } from '../../src/base/shares/fair-semaphore.ts';
import { ANSWER_SHARES } from '../../src/engine/runs/ledger/questions/answer-pages.ts';
import { RunFeed } from '../../src/engine/runs/stream/feed.ts';
import { IngestSyncer } from '../../src/platform/knowledge/ingest-syncer.ts';
import { ScheduleSyncer } from '../../src/engine/schedules/schedule-syncer.ts';
import { allRoutes, type ApiDeps } from '../../src/processes/routes.ts';
import { createAccountSeeder } from '../../src/features/accounts/seed-account.ts';
import { testDatabase } from './database.ts';
import { checkAnswer, checkErrorCode } from './described.ts';
import { idleIngests, idleRuns, idleSchedules } from './idle-engines.ts';
import { APP_URL, startIdentityProvider, type IdentityProvider } from './identity-provider.ts';
import { eventually } from './waiting.ts';

export const HEALTH_KEY = 'operator-secret-of-the-tests';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when it is empty. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into answers of every shape
  readonly body: any;
}

export interface Call {
  readonly token?: string | undefined;
  readonly org?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** A body that is not made of JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** A new user with its personal organization, on the plan without limits. */
export interface Tenant {
  readonly token: string;
  readonly org: string;
  call(method: string, path: string, more?: Call): Promise<Answer>;
}

export interface ApiServer {
  readonly url: string;
  readonly deps: ApiDeps;
  readonly identity: IdentityProvider;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  tenant(claims?: Record<string, unknown>): Promise<Tenant>;
  close(): Promise<void>;
}

async function send(url: string, method: string, path: string, call: Call): Promise<Answer> {
  const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      ...(call.org === undefined ? {} : { 'x-organization-id': call.org }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  checkAnswer(method, path, { status: response.status, contentType, text });
  checkErrorCode(path, response.status, response.headers.get('x-error-code'));
  const isJson = /json\b/.test(contentType);
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/**
 * @param lines takes what the API logs; by default it is silent
 * @param more dependencies in place of the usual ones
 */
export async function startApi(
  environment: Record<string, string | undefined> = {},
  lines?: { write(line: string): void },
  more: Partial<Pick<ApiDeps, 'topups'>> = {},
): Promise<ApiServer> {
  const [database, identity] = await Promise.all([testDatabase(), startIdentityProvider()]);
  // Made with its first file.
  const filesDirectory = join(tmpdir(), `files-${randomUUID()}`);
  const config = readConfig({
    APP_ENV: 'test',
    DATABASE_URL: database.url,
    AUTH_JWKS_URL: identity.jwksUrl,
    AUTH_ISSUER: identity.issuer,
    APP_URL,
    HEALTH_API_KEY: HEALTH_KEY,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    LOG_LEVEL: lines === undefined ? 'silent' : 'trace',
    // Without keys there is no storage.
    ...('ENCRYPTION_KEYS' in environment ? {} : { FILES_DIR: filesDirectory }),
    ...environment,
  });
  const log = createLog(config.logLevel, 'api', lines);
  const db = openDb(config.databaseUrl);
  const embeddings = openEmbeddings({ config, db, log });
  const deps: ApiDeps = {
    config,
    db,
    log,
    clock: systemClock,
    keySet: new KeySet(config, log),
    keyUse: new KeyUse(db, log),
    requestLimits: new RequestLimits({ db, log, findAccountLimit }),
    seedAccount: createAccountSeeder({ db, config, log }),
    engine: idleRuns,
    scheduleEngine: idleSchedules,
    dispatcher: new Dispatcher({
      db,
      clock: systemClock,
      log,
      handlers: {
        ...runHandlers({
          db,
          engine: idleRuns,
          guard: new NamespaceGuard({ db, engine: idleRuns, clock: systemClock }),
        }),
        schedule: new ScheduleSyncer({ clock: systemClock, db, engine: idleSchedules, log }),
        ingest: new IngestSyncer({ db, engine: idleIngests, log }),
        data_job: dataJobHandler({ db, clock: systemClock }),
      },
    }),
    acceptor: new RunAcceptor(db),
    definitionFacts: new DefinitionFactsCache(db),
    answers: new FairSemaphore(ANSWER_SHARES),
    bodies: new ByteBudget(BODY_SHARES),
    uploads: new ByteBudget(UPLOAD_SHARES),
    files: openFileStore(config),
    feed: new RunFeed({ db, databaseUrl: config.databaseUrl, engine: idleRuns, clock: systemClock, log }),
    notificationSender: { kick: () => undefined },
    createEmbedder: (secrets) => embeddings.createEmbedder(secrets),
    topups: null,
    watch: { listFailing: () => [] },
    ...more,
  };
  const server = await listen(createApp(deps, allRoutes()), '127.0.0.1', 0);
  const url = `http://127.0.0.1:${readPort(server)}`;
  return {
    url,
    deps,
    identity,
    call: (method, path, call = {}) => send(url, method, path, call),
    async tenant(claims = {}) {
      const token = await identity.mint(claims);
      // Refused while the set of keys could not be fetched in time: the first attempt may meet a stalling machine.
      const { body } = await eventually('a token to be taken', 20_000, async () => {
        const answer = await send(url, 'GET', '/organizations', { token });
        return answer.status === 200 ? answer : null;
      });
      const org: string = body[0].id;
      // Unlimited: the limits of plans are the subject of their own tests.
      await db.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [org]);
      return {
        token,
        org,
        call: (method, path, more = {}) => send(url, method, path, { token, org, ...more }),
      };
    },
    async close() {
      await drain(server, 1_000);
      await deps.feed.stop();
      await deps.keyUse.close();
      await embeddings.close();
      await db.close();
      await identity.stop();
      await database.drop();
      await rm(filesDirectory, { recursive: true, force: true });
    },
  };
}

/** The smallest definition that deploys. */
export const hello = (name = 'Hello'): Record<string, unknown> => ({
  metadata: { name, description: '', version: '1.0.0', tags: [] },
  config: {},
  state_schema: { fields: {} },
  nodes: [
    {
      id: 'hello',
      type: 'transformer',
      name: 'hello',
      position: { x: 1, y: 2 },
      config: { mode: 'map', fields: { said: '{{input.text}}' } },
    },
  ],
  edges: [
    { id: 'a', source: '__start__', target: 'hello' },
    { id: 'b', source: 'hello', target: '__end__' },
  ],
  entry_point: '__start__',
  input_parameters: [],
});

/** Saves a definition as a workflow, and deploys it. @returns the id of the workflow */
export async function deployWorkflow(
  tenant: Pick<Tenant, 'call'>,
  workflow_schema: Readonly<Record<string, unknown>> = hello(),
): Promise<string> {
  const { id } = (await tenant.call('POST', '/workflows', { body: { workflow_schema } })).body;
  const { status, text } = await tenant.call('POST', `/workflows/${id}/deploy`);
  if (status >= 300) throw new Error(`not deployed: ${text}`);
  return id;
}
