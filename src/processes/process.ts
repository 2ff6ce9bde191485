/** The life cycle of a process: configuration, log, traces, work, and graceful shutdown after a signal. */
import { url } from 'node:inspector';
import { systemClock } from '../base/clock.ts';
import { ConfigError, readConfig, VERSION, type AppEnv, type Config } from '../base/config/config.ts';
import { findOutage } from './find-outage.ts';
import { createLog, type Logger } from '../base/log.ts';
import { startTracing } from '../base/observe/start-tracing.ts';
import { readTraceIds } from '../base/observe/tracing.ts';
import { OutageLog } from './outage-log.ts';

/** A start-up error that the operator can fix. Only its message is shown, which says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The work of a started process. */
export interface ProcessWork {
  /** Rejects when the work cannot continue: the process shuts down with status 1. */
  readonly done?: Promise<unknown>;
  /** Shuts the work down within its own grace period. @returns the exit status */
  stop(): Promise<number>;
}

function explain(name: string, error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is invalid:\n${error.message}`;
  if (error instanceof StartError) return error.message;
  return `The ${name} process failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/**
 * Keeps debuggers out of staging and production: a debugger reads every secret of the process. Node opens its debugger on
 * SIGUSR1 unless the signal has a listener (SPEC SEC-Z09).
 * @throws when the process was started with `--inspect`
 */
function refuseDebugger(env: AppEnv): void {
  if (env === 'development' || env === 'test') return;
  if (url() !== undefined) throw new Error(`--inspect is not allowed in ${env}`);
  process.on('SIGUSR1', () => undefined);
}

/** SIGUSR2 switches between the configured level and `debug`, so that a process is observed without a restart. */
function switchLevelOnSignal(log: Logger, configured: Config['logLevel']): void {
  process.on('SIGUSR2', () => {
    const level = log.level === 'debug' ? configured : 'debug';
    log.level = 'info';
    log.info({ log_level: level }, 'the log level changes');
    log.level = level;
  });
}

/** Writes Node's warnings as lines of the log, where Node would write text between them. */
function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn({ err }, 'Node.js warns'));
}

/** Starts the work and resolves when it accepts requests. `outages` hears of answers that the work gets. */
type Start = (config: Config, log: Logger, outages: OutageLog) => Promise<ProcessWork>;

async function run(name: string, start: Start): Promise<void> {
  const config = readConfig(process.env);
  refuseDebugger(config.env);
  const outages = new OutageLog({ clock: systemClock, findCause: findOutage });
  const log = createLog(config.logLevel, name, undefined, {
    constant: { version: VERSION, commit: config.buildCommit, instance: config.instanceId },
    current: readTraceIds,
    fold: outages.fold,
  });
  logWarnings(log);
  outages.attach(log);
  switchLevelOnSignal(log, config.logLevel);
  const service = { name, version: VERSION, environment: config.env };
  const tracing = await startTracing(config.otlpEndpoint, service, log);
  const work = await start(config, log, outages);
  const signal = new Promise<string>((resolve) => {
    // Later signals change nothing: the grace period bounds the shutdown, and SIGKILL is safe at any time.
    for (const kind of ['SIGTERM', 'SIGINT']) process.on(kind, resolve);
  });
  log.info({ signal: await Promise.race([signal, awaitFailure(work)]) }, 'draining');
  try {
    const status = await work.stop();
    await tracing.stop();
    if (status === 0) log.info('ended');
    process.exit(status);
  } catch (error) {
    log.error({ err: error }, 'the shutdown failed');
    process.exit(1);
  }
}

/** Never resolves. @throws what `work.done` rejects with */
async function awaitFailure({ done }: ProcessWork): Promise<never> {
  await done;
  return new Promise<never>(() => undefined);
}

/**
 * Runs the process until SIGTERM or SIGINT. Exits with the status of `stop`, or with 1 and the reason on standard error when
 * the process cannot start or continue.
 * @param name the process's name in the log and in traces
 */
export function runProcess(name: string, start: Start): void {
  run(name, start).catch((error: unknown) => {
    process.stderr.write(`${explain(name, error)}\n`);
    process.exit(1);
  });
}
