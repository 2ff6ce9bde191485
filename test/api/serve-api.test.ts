/** The API process would start with unsafe settings, fail without a reason, or cut off requests when it is stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/waiting.ts';

const BUILT = inject('builtService');
const ENTRY = join(BUILT, 'src', 'processes', 'serve-api.js');
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Running {
  readonly child: ChildProcess;
  /** Everything it said so far, on both outputs. */
  said(): string;
  readonly ended: Promise<number | null>;
}

function start(environment: Record<string, string>, entry = ENTRY): Running {
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const listening = (running: Running): Promise<number> =>
  eventually('the API to listen', 30_000, () => {
    const port = /"port":(\d+)/.exec(running.said())?.[1];
    if (port === undefined && running.child.exitCode !== null) throw new Error(running.said());
    return port === undefined ? null : Number(port);
  });

test.each([{}, { API_KEY_SECRET: 'too-short' }])(
  'SEC-A30: an unusable configuration %j names itself and ends the process',
  async (more) => {
    const running = start({ APP_ENV: 'production', ...more });
    expect(await running.ended).toBe(1);
    expect(running.said()).toContain('API_KEY_SECRET');
    expect(running.said()).not.toContain('too-short');
  },
);

test('SEC-Z09: in production no debugger is opened, neither by the command line nor by a signal', async () => {
  const database = await testDatabase();
  const production = {
    APP_ENV: 'production',
    DATABASE_URL: database.url,
    PORT: '0',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    API_KEY_SECRET: 'a'.repeat(32),
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  const asked = start({ ...production, NODE_OPTIONS: '--inspect=127.0.0.1:0' });
  expect(await asked.ended).toBe(1);
  expect(asked.said()).toContain('--inspect is not allowed in production');
  const running = start(production);
  const port = await listening(running);
  running.child.kill('SIGUSR1');
  expect((await fetch(`http://127.0.0.1:${port}/system/health`)).status).toBe(200);
  running.child.kill('SIGTERM');
  expect(await running.ended, running.said()).toBe(0);
  expect(running.said()).not.toContain('Debugger listening');
  await database.drop();
});

test('a port in use is named, with what to set', async () => {
  const database = await testDatabase();
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const running = start({ DATABASE_URL: database.url, PORT: String(port) });
  expect(await running.ended).toBe(1);
  expect(running.said()).toContain(`Port ${port} on 127.0.0.1 is in use. Set PORT`);
  taken.close();
  await database.drop();
});

test("an address in use for the metrics of Temporal's SDK is named by its variable, without a stack", async () => {
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  const environment = {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    TEMPORAL_METRICS_ADDRESS: address,
  };
  const running = start(environment, join(BUILT, 'temporal', 'serve-worker.js'));
  expect(await running.ended).toBe(1);
  expect(running.said()).toMatch(
    new RegExp(`^TEMPORAL_METRICS_ADDRESS: ${address} cannot be used\\. .*in use.*\n$`),
  );
  taken.close();
});

test('it serves without Temporal, cuts a header of 1 MB (SEC-J17), and ends in order on SIGTERM', async () => {
  const database = await testDatabase();
  const running = start({ DATABASE_URL: database.url, PORT: '0', TEMPORAL_ADDRESS: '127.0.0.1:9' });
  const port = await listening(running);
  expect((await fetch(`http://127.0.0.1:${port}/system/health`)).status).toBe(200);

  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${'x'.repeat(1_000_000)}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 431 /);
  socket.destroy();

  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(running.said()).toContain('ended');
  await database.drop();
});

interface Backend {
  running: Running;
  port: number;
  isReady: boolean;
  /** Keeps connections, as proxies do. */
  readonly agent: Agent;
}

/** @returns the status, or the code of the error for which a proxy answers 502 */
async function send({ port, agent }: Backend, path: string): Promise<number | string> {
  try {
    const asked = get({ port, host: '127.0.0.1', path, agent });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

test('a rolling restart behind a proxy that keeps connections fails no request', async () => {
  const database = await testDatabase();
  const launch = (): Running =>
    start({
      DATABASE_URL: database.url,
      PORT: '0',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      LOG_LEVEL: 'info',
      // The proxy of this process notices within a round of its checks, however busy the machine is.
      SHUTDOWN_DELAY_SECONDS: '6',
    });
  const open = async (): Promise<Backend> => {
    const running = launch();
    const agent = new Agent({ keepAlive: true });
    return { running, port: await listening(running), isReady: true, agent };
  };
  const backends = await Promise.all([open(), open()]);
  const outcomes: (number | string)[] = [];
  const load = { isOver: false };
  const check = async (backend: Backend): Promise<void> => {
    while (!load.isOver) {
      backend.isReady = (await send(backend, '/ready')) === 200;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const request = async (turn: number): Promise<void> => {
    for (let count = turn; !load.isOver; count += 1) {
      const ready = backends.filter(({ isReady }) => isReady);
      const backend = ready[count % ready.length];
      if (backend !== undefined) outcomes.push(await send(backend, '/system/health'));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const loops = [...backends.map(check), ...Array.from({ length: 8 }, (_, turn) => request(turn))];
  for (const backend of backends) {
    backend.running.child.kill('SIGTERM');
    expect(await backend.running.ended, backend.running.said()).toBe(0);
    backend.running = launch();
    backend.port = await listening(backend.running);
    await eventually('the restarted process to get requests', 30_000, () => backend.isReady || null);
  }
  load.isOver = true;
  await Promise.all(loops);
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(100);
  for (const { agent } of backends) agent.destroy();
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(backends.map(({ running }) => running.ended));
  await database.drop();
});

test('SIGUSR2 shows the lines of debugging, and hides them again', async () => {
  const database = await testDatabase();
  const running = start({ DATABASE_URL: database.url, PORT: '0', TEMPORAL_ADDRESS: '127.0.0.1:9' });
  await listening(running);
  for (const level of ['debug', 'info']) {
    running.child.kill('SIGUSR2');
    const line = `"log_level":"${level}"`;
    await eventually(line, 30_000, () => running.said().includes(line) || null);
  }
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(running.said()).toMatch(/"severity":"info".*"instance":"[^"]+".*"msg":"the API is listening"/);
  await database.drop();
});

test("a warning of Node is a line of the log, of each process's own", async () => {
  const database = await testDatabase();
  const warn =
    "process.on('SIGCONT', () => process.emitWarning('too many listeners', 'MaxListenersExceededWarning'))";
  const running = start({
    DATABASE_URL: database.url,
    PORT: '0',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(warn)}`,
  });
  await listening(running);
  running.child.kill('SIGCONT');
  await eventually('the warning', 30_000, () => running.said().includes('too many listeners') || null);
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  const lines = running
    .said()
    .split('\n')
    .filter((line) => line.includes('too many listeners'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    severity: 'warn',
    service: 'api',
    msg: 'Node.js warns',
    err: { name: 'MaxListenersExceededWarning', message: 'too many listeners' },
  });
  await database.drop();
});
