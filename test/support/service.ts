/**
 * The service as it runs in production: several API and worker processes, built, over HTTP. Each can be killed, frozen,
 * ended in order and started again at the same place, while the test plays the client.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { ROOT } from '../../src/processes/local/paths.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { tail, type Child } from '../../src/processes/local/processes.ts';
import './build-setup.ts';
import type { Answer, Call } from './api-server.ts';
import { checkAnswer } from './described.ts';
import { APP_URL, startIdentityProvider } from './identity-provider.ts';
import { launchOwn } from './own-child.ts';
import { eventually } from './waiting.ts';

const READY_WITHIN_MS = 60_000;
/** Longer than any process may take to drain. */
const DRAIN_WITHIN_MS = 40_000;

interface Program {
  readonly name: string;
  /** The directory of its build; the build under test unless given. */
  readonly built?: string | undefined;
  /** Of the build. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What its log says once it serves. */
  readonly ready: string;
  readonly logs: string;
}

/** A release from before the wings has its programs at the top of `src`. */
const programOf = (built: string, entry: string): string => {
  const program = join(built, entry);
  return existsSync(program) ? program : join(built, entry.replace('src/processes/', 'src/'));
};

/** A place for one process; empty while the process is down. */
export class Slot {
  readonly #program: Program;
  #child: Child | null = null;
  #built: string;
  #starts = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#built = program.built ?? inject('builtService');
  }

  /** Ends the process in order and starts that of another build in its place. @returns how it ended */
  async replace(built: string): Promise<string> {
    const ended = await this.terminate();
    this.#built = built;
    await this.start();
    return ended;
  }

  get name(): string {
    return this.#program.name;
  }
  get isUp(): boolean {
    return this.#child !== null && !this.#child.hasEnded();
  }

  /** Of the process that runs here. @throws when none does */
  get pid(): number {
    if (this.#child === null) throw new Error(`${this.name} is down`);
    return this.#child.pid;
  }

  /** Starts the process and waits until it serves. */
  async start(): Promise<void> {
    const { name, entry, environment, ready, logs } = this.#program;
    this.#starts += 1;
    const child = await launchOwn({
      name,
      command: process.execPath,
      args: ['--enable-source-maps', programOf(this.#built, entry)],
      env: { PATH: process.env['PATH'], ...environment },
      cwd: ROOT,
      logFile: join(logs, `${name}-${this.#starts}.log`),
    });
    this.#child = child;
    await eventually(`${name} to serve`, READY_WITHIN_MS, () => {
      if (child.hasEnded()) throw new Error(`${name} ended:\n${tail(child.logFile)}`);
      return readFileSync(child.logFile, 'utf8').includes(ready) || null;
    });
  }

  /** kill -9; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#child?.ended;
    this.#child = null;
  }

  /** Sends a signal without waiting, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void {
    if (this.#child !== null && !this.#child.hasEnded()) process.kill(this.#child.pid, name);
  }

  /** Asks the process to end (SIGTERM) and waits. @returns how it ended, such as `exit status 0` */
  async terminate(): Promise<string> {
    const child = this.#child;
    if (child === null) return 'not running';
    this.#child = null;
    await child.stop(DRAIN_WITHIN_MS);
    return child.ended;
  }

  /** All that this process and those before it at this place have logged. */
  said(): string {
    const { name, logs } = this.#program;
    return Array.from({ length: this.#starts }, (_, index) =>
      readFileSync(join(logs, `${name}-${index + 1}.log`), 'utf8'),
    ).join('');
  }
}

export class ApiSlot extends Slot {
  readonly url: string;

  constructor(program: Program, url: string) {
    super(program);
    this.url = url;
  }
}

export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The build that the processes run; the one under test unless given. */
  readonly built?: string | undefined;
}

/** A realtime process of a service. */
export interface Realtime {
  readonly slot: Slot;
  readonly url: string;
}

export interface Service {
  readonly apis: readonly [ApiSlot, ApiSlot];
  readonly workers: readonly [Slot, Slot];
  readonly taskQueue: string;
  /** Of a user with an organization of its own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationId: string;
  /** One request to one of the APIs. @throws when it cannot be reached or breaks off */
  call(api: ApiSlot, method: string, path: string, more?: Pick<Call, 'body' | 'headers'>): Promise<Answer>;
  /** Starts a realtime process beside the others. */
  addRealtime(): Promise<Realtime>;
  /** Starts what is down: a test that failed leaves nothing to the next. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  checkAnswer(method, new URL(url).pathname, { status: response.status, contentType, text });
  const isJson = contentType.includes('json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/** Places for two API processes and two workers on one database and one task queue; all are up when this returns. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { built } = options;
  const identity = await startIdentityProvider();
  const logs = mkdtempSync(join(tmpdir(), 'faults-'));
  const taskQueue = `faults-${randomUUID()}`;
  const environment = {
    APP_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: options.databaseUrl,
    TEMPORAL_ADDRESS: options.temporalAddress,
    TEMPORAL_TASK_QUEUE: taskQueue,
    AUTH_JWKS_URL: identity.jwksUrl,
    AUTH_ISSUER: identity.issuer,
    APP_URL,
    LOG_LEVEL: 'info',
    ...options.environment,
  };
  const api = async (name: string): Promise<ApiSlot> => {
    const port = await findAnyPort();
    const program = { name, logs, built, entry: 'src/processes/serve-api.js', ready: 'the API is listening' };
    return new ApiSlot(
      { ...program, environment: { ...environment, PORT: String(port) } },
      `http://127.0.0.1:${port}`,
    );
  };
  const worker = (name: string): Slot =>
    new Slot({
      name,
      logs,
      built,
      entry: 'temporal/serve-worker.js',
      ready: 'worker started',
      environment,
    });
  const apis = [await api('api-1'), await api('api-2')] as const;
  const workers = [worker('worker-1'), worker('worker-2')] as const;
  const slots: Slot[] = [...apis, ...workers];
  await Promise.all(slots.map((slot) => slot.start()));
  const hours = 3_600;
  const token = await identity.mint({ exp: Math.floor(Date.now() / 1000) + 6 * hours });
  const authorization = { authorization: `Bearer ${token}` };
  const { body } = await send(`${apis[0].url}/organizations`, 'GET', authorization, undefined);
  const organizationId: string = body[0].id;
  const headers = { ...authorization, 'x-organization-id': organizationId };
  return {
    apis,
    workers,
    taskQueue,
    headers,
    organizationId,
    call: (slot, method, path, more = {}) =>
      send(slot.url + path, method, { ...headers, ...more.headers }, more.body),
    async addRealtime() {
      const port = await findAnyPort();
      const slot = new Slot({
        name: 'realtime',
        logs,
        built,
        entry: 'src/processes/serve-realtime.js',
        ready: 'the realtime server is listening',
        environment: { ...environment, REALTIME_PORT: String(port) },
      });
      slots.push(slot);
      await slot.start();
      return { slot, url: `http://127.0.0.1:${port}` };
    },
    async restore() {
      for (const slot of slots) slot.signal('SIGCONT');
      await Promise.all(slots.filter((slot) => !slot.isUp).map((slot) => slot.start()));
    },
    async close() {
      for (const slot of slots) slot.signal('SIGCONT');
      await Promise.all(slots.map((slot) => slot.kill()));
      await identity.stop();
      rmSync(logs, { recursive: true, force: true });
    },
  };
}
