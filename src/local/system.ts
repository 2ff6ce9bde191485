/**
 * The whole system on one machine: its servers, its stand-ins and its three processes, started in order with a line of
 * progress each, stopped in the reverse order, and started again after any kind of end.
 */
import { join } from 'node:path';
import { migrate } from '../db/migrate.ts';
import { startCodecServer } from '../../temporal/codec/codec-server.ts';
import { parseEncryptionKeys } from '../config/environment.ts';
import {
  encryptionKeys,
  hasProvider,
  needsStandIn,
  reachableHost,
  serviceEnvironment,
  variable,
} from './environment.ts';
import { startIssuer, type LocalIssuer } from './issuer.ts';
import { DATA, makeDataDirectories } from './paths.ts';
import { freePort, wantedPort } from './ports.ts';
import { buildWeb, serveWeb } from './web.ts';
import { startPostgres } from './postgres.ts';
import { endProcess, ProcessRecord, tail, type Child } from './processes.ts';
import type { Say } from './progress.ts';
import { hasRole, launchService, waitUntilHealthy, waitUntilPolling, type Role } from './services.ts';
import { startStandInModel } from './stand-in-model.ts';
import { startTemporal } from './temporal-server.ts';

export interface LocalSystem {
  readonly apiUrl: string;
  /** Null when this checkout has no realtime server. */
  /** The origin of the web application, which is at /app there. */
  readonly appUrl: string;
  readonly realtimeUrl: string | null;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalUiUrl: string | null;
  /** Null when an identity provider is configured. */
  readonly issuer: LocalIssuer | null;
  /** Whether answers of models come from the stand-in. */
  readonly usesStandIn: boolean;
}

/** This process and its children, in the record that the next start reads. */
const SELF = 'the local system';
/** A little longer than the API and the worker take to drain. */
const GRACE_MS = 30_000;

/** Starts and stops the parts. One object per process: it owns the record in .data. */
export class SystemRunner {
  /** Resolves with what happened when one of the parts ends although nobody asked it to. */
  readonly failed: Promise<string>;
  readonly #say: Say;
  readonly #record = new ProcessRecord(join(DATA, 'processes.json'));
  readonly #stops: { readonly name: string; stop(): Promise<void> }[] = [];
  #reportFailure: (what: string) => void = () => {};
  #stopping: Promise<void> | null = null;
  #ownsRecord = false;

  constructor(say: Say) {
    this.#say = say;
    this.failed = new Promise((resolve) => {
      this.#reportFailure = resolve;
    });
  }

  /**
   * Starts everything; what is already running when it fails is left to `stop`.
   * @param watch restart the service's processes when their source changes
   * @throws with what to do when a part does not start, or when the system already runs in this checkout
   */
  async start(watch: boolean): Promise<LocalSystem> {
    makeDataDirectories();
    await this.#endLeftovers();
    const databaseUrl = await this.#startDatabase();
    const temporal = await this.#startTemporal();
    this.#say('migrations: applying');
    await migrate(databaseUrl, (line) => this.#say(`migrations: ${line}`));
    const port = await this.#choosePort('api', 'PORT');
    const realtimePort = await this.#choosePort('realtime', 'REALTIME_PORT');
    const apiUrl = `http://${reachableHost()}:${port}`;
    const webPort = watch ? await freePort(wantedPort('LOCAL_WEB_PORT')) : port;
    const appUrl = variable('APP_URL') ?? (watch ? `http://127.0.0.1:${webPort}` : apiUrl);
    if (watch) await this.#serveWeb(webPort, apiUrl);
    else await buildWeb(this.#say);
    const issuer = hasProvider() ? null : await startIssuer(join(DATA, 'issuer-key.pem'), appUrl);
    if (issuer !== null) {
      this.#stops.push({ name: 'issuer', stop: () => issuer.stop() });
      this.#say(`token issuer: ${issuer.issuer} (stands in for the identity provider)`);
    }
    const model = needsStandIn() ? await startStandInModel() : null;
    if (model !== null) {
      this.#stops.push({ name: 'stand-in model', stop: () => model.stop() });
      this.#say(`managed models: ${model.baseUrl} (a stand-in; set MANAGED_LLM_* for a real one)`);
    }
    const addresses = { databaseUrl, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl };
    const env = serviceEnvironment({ ...addresses, issuer, model, port, realtimePort, appUrl });
    const temporalNamespace = variable('TEMPORAL_NAMESPACE') ?? 'default';
    const realtimeUrl = hasRole('realtime') ? `http://${reachableHost()}:${realtimePort}` : null;
    const queue = {
      address: temporal.address,
      namespace: temporalNamespace,
      taskQueue: variable('TEMPORAL_TASK_QUEUE') ?? 'workflow-runs',
    };
    const launch = (role: Role): Promise<Child> => launchService(role, env, watch);
    await Promise.all([
      this.#service('api', launch, (child) => waitUntilHealthy(child, `${apiUrl}/system/health`)),
      this.#service('worker', launch, (child) => waitUntilPolling(child, queue)),
      realtimeUrl === null
        ? undefined
        : this.#service('realtime', launch, (child) => waitUntilHealthy(child, `${realtimeUrl}/health`)),
    ]);
    const usesStandIn = model !== null;
    return { apiUrl, appUrl, realtimeUrl, ...addresses, temporalNamespace, issuer, usesStandIn };
  }

  /** Stops what was started, the last first. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (let part = this.#stops.pop(); part !== undefined; part = this.#stops.pop()) {
      this.#say(`stopping ${part.name}`);
      await part.stop();
    }
    // Never the record of another system that runs here.
    if (this.#ownsRecord) this.#record.clear();
  }

  /** After a kill -9 the children of then still run; the record says which processes they are. */
  async #endLeftovers(): Promise<void> {
    const survivors = this.#record.survivors();
    const other = survivors.find((entry) => entry.name === SELF);
    if (other !== undefined) {
      throw new Error(
        `the local system already runs in this checkout (pid ${other.pid}): press Ctrl-C there, or run \`kill ${other.pid}\``,
      );
    }
    for (const entry of survivors.toReversed()) {
      this.#say(`ending ${entry.name} (pid ${entry.pid}), left over from a start that was killed`);
      await endProcess(entry, entry.stopSignal);
    }
    this.#record.clear();
    this.#ownsRecord = true;
    this.#record.add({ name: SELF, pid: process.pid, stopSignal: 'SIGTERM' });
  }

  /** From now on the process is recorded, stopped at the end, and missed when it ends before. */
  #own(child: Child): void {
    // It came up while everything else was already going down.
    if (this.#stopping !== null) void child.stop(GRACE_MS);
    this.#record.add(child);
    this.#stops.push({ name: child.name, stop: () => child.stop(GRACE_MS) });
    void child.ended.then((how) => {
      if (this.#stopping !== null) return;
      const log = `its log ${child.logFile} ends with:\n${tail(child.logFile)}`;
      this.#reportFailure(`${child.name} ended (${how}); ${log}\nCorrect what it says and start again.`);
    });
  }

  async #startDatabase(): Promise<string> {
    const given = variable('DATABASE_URL');
    if (given !== undefined) {
      this.#say('PostgreSQL: the one of DATABASE_URL');
      return given;
    }
    this.#say('PostgreSQL: starting the embedded server');
    const postgres = await startPostgres({ say: this.#say, onLaunch: (child) => this.#own(child) });
    this.#say(`PostgreSQL: ready on ${new URL(postgres.url).host}`);
    return postgres.url;
  }

  async #startTemporal(): Promise<{ address: string; uiUrl: string | null }> {
    let uiOrigin: string | null = null;
    const keys = parseEncryptionKeys(encryptionKeys()) ?? [];
    const codec = await startCodecServer({ keys, uiOrigin: () => uiOrigin, port: 0 });
    this.#stops.push({ name: 'codec server', stop: () => codec.close() });
    this.#say('Temporal: starting');
    const temporal = await startTemporal({
      say: this.#say,
      onLaunch: (child) => this.#own(child),
      codecUrl: codec.url,
    });
    uiOrigin = temporal.uiUrl;
    this.#say(
      `Temporal: ready on ${temporal.address}${temporal.uiUrl === null ? '' : `, UI at ${temporal.uiUrl}`}`,
    );
    return temporal;
  }

  async #serveWeb(port: number, apiUrl: string): Promise<void> {
    const server = await serveWeb(port, apiUrl);
    this.#stops.push({ name: 'web application', stop: () => server.stop() });
  }

  async #choosePort(role: Role, name: 'PORT' | 'REALTIME_PORT'): Promise<number> {
    const wanted = wantedPort(name);
    const port = await freePort(wanted);
    if (port !== wanted) this.#say(`${role}: port ${wanted} is taken, using ${port}`);
    return port;
  }

  async #service(
    role: Role,
    launch: (role: Role) => Promise<Child>,
    ready: (child: Child) => Promise<void>,
  ): Promise<void> {
    this.#say(`${role}: starting`);
    const child = await launch(role);
    this.#own(child);
    await ready(child);
    this.#say(`${role}: ready`);
  }
}

/**
 * Runs `use` with the whole system up, then stops it; on Ctrl-C or SIGTERM it stops at once.
 * @returns the exit status: that of `use`, 1 when something did not start, 130 after a signal
 */
export async function withSystem(
  options: { readonly say: Say; readonly watch: boolean },
  use: (system: LocalSystem, runner: SystemRunner) => Promise<number>,
): Promise<number> {
  const runner = new SystemRunner(options.say);
  const interrupted = new Promise<number>((resolve) => {
    const onSignal = (): void => resolve(130);
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  const work = runner.start(options.watch).then((system) => use(system, runner));
  const broken = runner.failed.then((what) => {
    options.say(what);
    return 1;
  });
  try {
    return await Promise.race([work, broken, interrupted]);
  } catch (error) {
    options.say(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await runner.stop();
    // A start that was interrupted half-way fails now, because its parts are gone: that is no news.
    work.catch(() => undefined);
    options.say('stopped');
  }
}
