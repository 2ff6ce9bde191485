/** The life of a process: its configuration, its log and traces, its work, and its end in order after a signal. */
import { url } from 'node:inspector';
import { ConfigError, readConfig, VERSION, type AppEnv, type Config } from './config/config.ts';
import { createLog, type Logger } from './log.ts';
import { startTracing } from './observe/start-tracing.ts';

/** A start that failed for a reason that a person can remove: the message alone is shown, and says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What a process does once it has started. */
export interface ProcessWork {
  /** Rejects when the work cannot go on: the process ends at once with status 1. */
  readonly done?: Promise<unknown>;
  /** Ends the work in order, within a grace of its own. @returns the exit status */
  stop(): Promise<number>;
}

function explain(name: string, error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is not usable:\n${error.message}`;
  if (error instanceof StartError) return error.message;
  return `The ${name} could not go on: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/**
 * A debugger reads every secret of its process: in staging and production there is none, and none can be opened. Node opens
 * its debugger on SIGUSR1 unless the signal has a listener (SPEC SEC-Z09).
 * @throws when the process was started with `--inspect`
 */
function refuseDebugger(env: AppEnv): void {
  if (env === 'development' || env === 'test') return;
  if (url() !== undefined) throw new Error(`--inspect is not allowed in ${env}`);
  process.on('SIGUSR1', () => undefined);
}

async function run(
  name: string,
  start: (config: Config, log: Logger) => Promise<ProcessWork>,
): Promise<void> {
  const config = readConfig(process.env);
  refuseDebugger(config.env);
  const log = createLog(config.logLevel, name);
  const service = { name, version: VERSION, environment: config.env };
  const tracing = await startTracing(config.otlpEndpoint, service, log);
  const work = await start(config, log);
  const signal = new Promise<string>((resolve) => {
    // Later signals change nothing: the grace bounds the end, and SIGKILL is safe at any time.
    for (const kind of ['SIGTERM', 'SIGINT']) process.on(kind, resolve);
  });
  log.info({ signal: await Promise.race([signal, awaitFailure(work)]) }, 'draining');
  try {
    const status = await work.stop();
    await tracing.stop();
    if (status === 0) log.info('ended');
    process.exit(status);
  } catch (error) {
    log.error({ err: error }, 'the end was not orderly');
    process.exit(1);
  }
}

/** Never resolves. @throws what `work.done` rejects with */
async function awaitFailure({ done }: ProcessWork): Promise<never> {
  await done;
  return new Promise<never>(() => undefined);
}

/**
 * Runs the process until a signal (SIGTERM, SIGINT) ends it. Exit status 1 when it cannot start or go on, with the
 * reason on standard error; else the status of `stop`.
 * @param name in the log and the traces
 * @param start begins the work; it is accepting when this resolves
 */
export function runProcess(name: string, start: (config: Config, log: Logger) => Promise<ProcessWork>): void {
  run(name, start).catch((error: unknown) => {
    process.stderr.write(`${explain(name, error)}\n`);
    process.exit(1);
  });
}
