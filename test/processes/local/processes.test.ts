/** Processes of a local system would be left behind, or a process of somebody else would be killed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepRunning } from '../../../src/processes/local/keep-running.ts';
import { findFreePort } from '../../../src/processes/local/ports.ts';
import { readStartTime, readCommandLine } from '../../../src/processes/local/process-identity.ts';
import {
  endProcess,
  launch,
  ProcessRecord,
  sleep,
  tail,
  type Child,
} from '../../../src/processes/local/processes.ts';

let directory: string;
const children: Child[] = [];

async function run(code: string): Promise<Child> {
  const child = await launch({
    name: 'sample',
    command: process.execPath,
    args: ['-e', code],
    env: process.env,
    cwd: directory,
    logFile: join(directory, 'sample.log'),
  });
  children.push(child);
  return child;
}
/** Runs until it is asked to end; `ready` is in its log once it listens. */
const PATIENT = 'setInterval(() => {}, 1000); console.log("ready")';
const STUBBORN = `process.on('SIGTERM', () => {}); ${PATIENT}`;

async function ready(child: Child): Promise<Child> {
  while (!child.hasEnded() && !tail(child.logFile).includes('ready')) await sleep(20);
  return child;
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'processes-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop(0);
  rmSync(directory, { recursive: true });
});

test('a process that ends by itself tells how', async () => {
  const child = await run('console.log("one"); console.error("two"); process.exit(3)');
  expect(await child.ended).toBe('exit status 3');
  expect(child.hasEnded()).toBe(true);
  expect(tail(child.logFile)).toBe('one\ntwo');
});

test('stop asks first', async () => {
  const child = await ready(await run(`process.on('SIGTERM', () => process.exit(7)); ${PATIENT}`));
  await child.stop();
  expect(await child.ended).toBe('exit status 7');
});

test('stop kills what does not listen', async () => {
  const child = await ready(await run(STUBBORN));
  await child.stop(50);
  expect(await child.ended).toBe('signal SIGKILL');
});

test('a program that does not exist is an error', async () => {
  const missing = { name: 'x', command: join(directory, 'x'), args: [], env: {}, cwd: directory };
  await expect(launch({ ...missing, logFile: join(directory, 'x.log') })).rejects.toThrow('ENOENT');
});

test('a process of the service that is killed is started again, and one that never serves is a failure', async () => {
  const said: string[] = [];
  const started: Child[] = [];
  const failure = new Promise<string>((onFailure) => {
    void keepRunning({
      name: 'realtime',
      say: (what) => said.push(what),
      // The third has a fault, and does not listen.
      launch: async () => {
        const child = await run(started.length < 2 ? PATIENT : 'process.exit(4)');
        started.push(child);
        return child;
      },
      ready: async (child) => {
        await ready(child);
        if (child.hasEnded()) throw new Error('it ended');
        queueMicrotask(() => process.kill(child.pid, 'SIGKILL'));
      },
      own: (child, onEnd) => void child.ended.then(onEnd),
      onFailure: (_child, how) => onFailure(how),
    });
  });
  expect(await failure).toBe('exit status 4');
  const round = ['realtime: starting', 'realtime: ready', 'realtime: ended (signal SIGKILL), restarting'];
  expect(said).toEqual([...round, ...round, 'realtime: starting']);
});

test('a record finds what still runs, and ends it', async () => {
  const file = join(directory, 'record.json');
  const child = await ready(await run(PATIENT));
  new ProcessRecord(file).add(child);
  const [survivor] = new ProcessRecord(file).findSurvivors();
  expect(survivor).toMatchObject({ name: 'sample', pid: child.pid });
  await endProcess({ pid: child.pid, startedAt: survivor?.startedAt ?? '' }, 'SIGTERM');
  expect(await child.ended).toBe('signal SIGTERM');
  expect(new ProcessRecord(file).findSurvivors()).toEqual([]);
});

test('a recorded pid that belongs to another process by now is left alone', async () => {
  const file = join(directory, 'record.json');
  const child = await ready(await run(PATIENT));
  new ProcessRecord(file).add(child);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/"startedAt":"[^"]*"/, '"startedAt":"another time"'),
  );
  expect(new ProcessRecord(file).findSurvivors()).toEqual([]);
  expect(child.hasEnded()).toBe(false);
});

test('a broken or missing record holds nothing', () => {
  const file = join(directory, 'record.json');
  expect(new ProcessRecord(file).findSurvivors()).toEqual([]);
  writeFileSync(file, '[{"pid": 1');
  expect(new ProcessRecord(file).findSurvivors()).toEqual([]);
});

test('the identity of a process is its own', () => {
  expect(readStartTime(process.pid)).toBe(readStartTime(process.pid));
  expect(readStartTime(process.pid)).not.toBe(readStartTime(process.ppid));
  expect(readCommandLine(process.pid)).toContain('node');
  expect(readStartTime(2 ** 22 + 1)).toBeNull();
});

test('a taken port is passed over, and so is a promised one', async () => {
  const server = createServer();
  const port = await findFreePort(10_000 + (process.pid % 20_000));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const next = await findFreePort(port);
  expect(next).toBeGreaterThan(port);
  expect(await findFreePort(port, new Set([next]))).toBeGreaterThan(next);
  await new Promise((resolve) => server.close(resolve));
});
