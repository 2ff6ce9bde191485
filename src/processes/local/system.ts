/**
 * Runs the whole system on one machine: servers, stand-ins and the three processes. It starts them in order, stops them in
 * reverse, and can start again after any kind of end.
 */
import { join } from 'node:path';
import { migrate } from '../../base/db/migrate.ts';
import { startCodecServer } from '../../../temporal/codec/codec-server.ts';
import { parseEncryptionKeys } from '../../base/config/variable-kinds.ts';
import {
  readEncryptionKeys,
  hasProvider,
  needsStandIn,
  findReachableHost,
  buildServiceEnvironment,
  readVariable,
} from './environment.ts';
import { startIssuer, type LocalIssuer } from './issuer.ts';
import { keepRunning } from './keep-running.ts';
import { DATA, makeDataDirectories } from './paths.ts';
import { findFreePort, readPort } from './ports.ts';
import { buildWeb, serveWeb } from './web.ts';
import { startPostgres } from './postgres.ts';
import { endProcess, ProcessRecord, tail, type Child } from './processes.ts';
import type { PrintLine } from './progress.ts';
import { hasRole, launchService, waitUntilHealthy, waitUntilPolling, type Role } from './services.ts';
import { startStandInModel } from './stand-in-model.ts';
import { chooseTemporalPlace, startTemporal, type TemporalPlace } from './temporal-server.ts';

export interface LocalSystem {
  readonly apiUrl: string;
  /** Origin of the web application, which is at /app there. */
  readonly appUrl: string;
  /** Null when this checkout has no realtime server. */
  readonly realtimeUrl: string | null;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalUiUrl: string | null;
  /** Null when an identity provider is configured. */
  readonly issuer: LocalIssuer | null;
  /** Whether model calls go to the stand-in. */
  readonly usesStandIn: boolean;
}

/** Name of this process in the record that the next start reads. */
const SELF = 'the local system';
/** Slightly longer than the API and the worker take to drain. */
const GRACE_MS = 30_000;

/** Starts and stops the parts. One object per process, because it owns the record in .data. */
class SystemRunner {
  /** Resolves with a message when a part ends unexpectedly. */
  readonly failed: Promise<string>;
  readonly #say: PrintLine;
  readonly #record = new ProcessRecord(join(DATA, 'processes.json'));
  readonly #stops: { readonly name: string; stop(): Promise<void> }[] = [];
  #reportFailure: (what: string) => void = () => {};
  #stopping: Promise<void> | null = null;
  #ownsRecord = false;

  constructor(say: PrintLine) {
    this.#say = say;
    this.failed = new Promise((resolve) => {
      this.#reportFailure = resolve;
    });
  }

  /**
   * Starts everything; after a failure, `stop` stops the started parts.
   * @param watch restart the service's processes when their source changes
   * @throws Error with instructions when a part does not start, or when the system already runs in this checkout
   */
  async start(watch: boolean): Promise<LocalSystem> {
    makeDataDirectories();
    await this.#endLeftovers();
    const databaseUrl = await this.#startDatabase();
    const temporal = await chooseTemporalPlace();
    // It may have to be built first: all but the worker begin without it.
    const temporalReady = this.#startTemporal(temporal);
    // Awaited below, and until then no failure of the process.
    temporalReady.catch(() => undefined);
    this.#say('migrations: applying');
    await migrate(databaseUrl, (line) => this.#say(`migrations: ${line}`));
    const port = await this.#choosePort('api', 'PORT');
    const realtimePort = await this.#choosePort('realtime', 'REALTIME_PORT');
    const apiUrl = `http://${findReachableHost()}:${port}`;
    const webPort = watch ? await findFreePort(readPort('LOCAL_WEB_PORT')) : port;
    const appUrl = readVariable('APP_URL') ?? (watch ? `http://127.0.0.1:${webPort}` : apiUrl);
    if (watch) await this.#serveWeb(webPort, apiUrl);
    else await buildWeb(this.#say);
    const issuer = hasProvider() ? null : await startIssuer(join(DATA, 'issuer-key.pem'), appUrl);
    if (issuer !== null) {
      this.#stops.push({ name: 'issuer', stop: () => issuer.stop() });
      this.#say(`token issuer: ${issuer.issuer} (local stand-in for the identity provider)`);
    }
    const model = needsStandIn() ? await startStandInModel() : null;
    if (model !== null) {
      this.#stops.push({ name: 'stand-in model', stop: () => model.stop() });
      this.#say(`managed models: ${model.baseUrl} (local stand-in; set MANAGED_LLM_* for a real model)`);
    }
    const addresses = { databaseUrl, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl };
    const env = buildServiceEnvironment({ ...addresses, issuer, model, port, realtimePort, appUrl });
    const temporalNamespace = readVariable('TEMPORAL_NAMESPACE') ?? 'default';
    const realtimeUrl = hasRole('realtime') ? `http://${findReachableHost()}:${realtimePort}` : null;
    const queue = {
      address: temporal.address,
      namespace: temporalNamespace,
      taskQueue: readVariable('TEMPORAL_TASK_QUEUE') ?? 'workflow-runs',
    };
    const launch = (role: Role): Promise<Child> => launchService(role, env, watch);
    let isTemporalReady = false;
    const startApi = async (): Promise<void> => {
      await this.#service('api', launch, (child) => waitUntilHealthy(child, `${apiUrl}/system/health`));
      if (!isTemporalReady)
        this.#say(`web: ${appUrl}/app/ is open meanwhile; its runs begin when Temporal is ready`);
    };
    const startWorker = async (): Promise<void> => {
      await temporalReady;
      isTemporalReady = true;
      await this.#service('worker', launch, (child) => waitUntilPolling(child, queue));
    };
    await Promise.all([
      startApi(),
      startWorker(),
      realtimeUrl === null
        ? undefined
        : this.#service('realtime', launch, (child) => waitUntilHealthy(child, `${realtimeUrl}/health`)),
    ]);
    const usesStandIn = model !== null;
    return { apiUrl, appUrl, realtimeUrl, ...addresses, temporalNamespace, issuer, usesStandIn };
  }

  /** Stops the started parts in reverse order. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (let part = this.#stops.pop(); part !== undefined; part = this.#stops.pop()) {
      this.#say(`stopping ${part.name}`);
      await part.stop();
    }
    // The record may belong to another system that runs in this checkout.
    if (this.#ownsRecord) this.#record.clear();
  }

  /** Ends children that survived a kill -9 of an earlier system, by the record. */
  async #endLeftovers(): Promise<void> {
    const survivors = this.#record.findSurvivors();
    const other = survivors.find((entry) => entry.name === SELF);
    if (other !== undefined) {
      throw new Error(
        `The local system already runs in this checkout (pid ${other.pid}). Press Ctrl-C there, or run \`kill ${other.pid}\`.`,
      );
    }
    for (const entry of survivors.toReversed()) {
      this.#say(`stopping ${entry.name} (pid ${entry.pid}), left over from a killed start`);
      await endProcess(entry, entry.stopSignal);
    }
    this.#record.clear();
    this.#ownsRecord = true;
    this.#record.add({ name: SELF, pid: process.pid, stopSignal: 'SIGTERM' });
  }

  /** Records a process and stops it at the end. @param onEnd what happens if it ends earlier; by default the system fails */
  #own(child: Child, onEnd = (how: string): void => this.#reportEnd(child, how)): void {
    // It started while the system was already stopping.
    if (this.#stopping !== null) void child.stop(GRACE_MS);
    this.#record.add(child);
    this.#stops.push({ name: child.name, stop: () => child.stop(GRACE_MS) });
    void child.ended.then((how) => {
      if (this.#stopping === null) onEnd(how);
    });
  }

  #reportEnd(child: Child, how: string): void {
    const log = `Its log ${child.logFile} ends with:\n${tail(child.logFile)}`;
    this.#reportFailure(`${child.name} ended (${how}). ${log}\nFix the problem and start again.`);
  }

  async #startDatabase(): Promise<string> {
    const given = readVariable('DATABASE_URL');
    if (given !== undefined) {
      this.#say('PostgreSQL: using DATABASE_URL');
      return given;
    }
    this.#say('PostgreSQL: starting the embedded server');
    const postgres = await startPostgres({ say: this.#say, onLaunch: (child) => this.#own(child) });
    this.#say(`PostgreSQL: ready on ${new URL(postgres.url).host}`);
    return postgres.url;
  }

  async #startTemporal(place: TemporalPlace): Promise<void> {
    const { address, uiUrl } = place;
    const keys = parseEncryptionKeys(readEncryptionKeys()) ?? [];
    const codec = await startCodecServer({ keys, uiOrigin: () => uiUrl, port: 0 });
    this.#stops.push({ name: 'codec server', stop: () => codec.close() });
    this.#say('Temporal: starting');
    await startTemporal({
      say: this.#say,
      onLaunch: (child) => this.#own(child),
      codecUrl: codec.url,
      place,
    });
    this.#say(`Temporal: ready on ${address}${uiUrl === null ? '' : `, UI at ${uiUrl}`}`);
  }

  async #serveWeb(port: number, apiUrl: string): Promise<void> {
    const server = await serveWeb(port, apiUrl);
    this.#stops.push({ name: 'web application', stop: () => server.stop() });
  }

  async #choosePort(role: Role, name: 'PORT' | 'REALTIME_PORT'): Promise<number> {
    const wanted = readPort(name);
    const port = await findFreePort(wanted);
    if (port !== wanted) this.#say(`${role}: port ${wanted} is taken, using ${port}`);
    return port;
  }

  #service(
    role: Role,
    launch: (role: Role) => Promise<Child>,
    ready: (child: Child) => Promise<void>,
  ): Promise<void> {
    return keepRunning({
      name: role,
      say: this.#say,
      launch: () => launch(role),
      ready,
      own: (child, onEnd) => this.#own(child, onEnd),
      onFailure: (child, how) => this.#reportEnd(child, how),
    });
  }
}

/**
 * Runs `use` with the system up, then stops it; Ctrl-C or SIGTERM stops it immediately.
 * @returns the exit status: that of `use`, 1 when a part did not start, 130 after a signal
 */
export async function withSystem(
  options: { readonly say: PrintLine; readonly watch: boolean },
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
    // An interrupted start fails now because its parts are stopped.
    work.catch(() => undefined);
    options.say('stopped');
  }
}
