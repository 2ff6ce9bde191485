/** The API process would start with unsafe settings, fail without a reason, or cut off requests when it is stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/waiting.ts';

// Each test starts processes: on a loaded machine that takes long.
vi.setConfig({ testTimeout: 120_000 });

const ENTRY = join(inject('builtService'), 'src', 'serve-api.js');
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

function start(environment: Record<string, string>): Running {
  const child = spawn(process.execPath, [ENTRY], {
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
