/** Presence must follow real connections: left, lost, silent, and replaced by the same tab. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tenant } from '../../support/api-server.ts';
import { startChaosProxy, type ChaosProxy } from '../../support/chaos-proxy.ts';
import { noteFigures } from '../../support/figures.ts';
import { eventually } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { Peer, type Payload } from './support/peer.ts';

let canvas: Canvas;
let proxy: ChaosProxy;
let tenant: Tenant;
let workflowId: string;
let watcher: Peer;
const sleepers: ChildProcess[] = [];
beforeAll(async () => {
  canvas = await startCanvas();
  const { hostname, port } = new URL(canvas.url);
  proxy = await startChaosProxy({ host: hostname, port: Number(port) });
});
afterAll(async () => {
  for (const sleeper of sleepers) sleeper.kill('SIGKILL');
  await canvas.close();
  await proxy.close();
});
beforeEach(async () => {
  proxy.heal();
  tenant = await canvas.api.tenant();
  workflowId = await canvas.workflow(tenant);
  watcher = await canvas.peer(tenant);
  await watcher.join(workflowId);
});

/** A colleague behind the proxy, with a cursor and a lock. */
async function colleague(clientId = randomUUID()): Promise<{ peer: Peer; sessionId: string }> {
  const auth = { token: tenant.token, organizationId: tenant.org, clientId };
  const peer = await Peer.connect({ url: `http://127.0.0.1:${proxy.port}`, auth });
  const { you } = await peer.join(workflowId);
  peer.emit('cursor:move', { workflowId, x: 1, y: 2 });
  expect(await peer.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
  await watcher.wait('cursor:moved', (payload) => payload.sessionId === you.sessionId);
  return { peer, sessionId: you.sessionId };
}

/** A colleague in a process of its own, with a cursor and the lock of the node b. */
async function sleepingColleague(): Promise<{
  readonly sleeper: ChildProcess;
  readonly said: () => string;
  readonly sessionId: string;
}> {
  const program = fileURLToPath(new URL('support/sleeper.ts', import.meta.url));
  const facts = [canvas.url, tenant.token, tenant.org, workflowId];
  const sleeper = spawn(process.execPath, ['--import', 'tsx', program, ...facts], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  sleepers.push(sleeper);
  let text = '';
  sleeper.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const sessionId = await eventually('the colleague to be in', 30_000, () => /joined (\S+)/.exec(text)?.[1]);
  return { sleeper, said: () => text, sessionId };
}

async function expectGone(sessionId: string): Promise<void> {
  await watcher.wait('presence:left', (payload) => payload.sessionId === sessionId);
  await watcher.wait('node:unlocked', (payload) => payload.nodeId === 'a');
  expect(await watcher.call('node:lock', { workflowId, nodeId: 'a' })).toMatchObject({ ok: true });
}

test('leaving ends presence without a grace period', async () => {
  const { peer, sessionId } = await colleague();
  expect(await peer.call('workflow:leave', { workflowId })).toMatchObject({ ok: true });
  await expectGone(sessionId);
  peer.close();
});

test('a lost connection ends its cursor immediately and its presence after the grace period', async () => {
  const { sessionId } = await colleague();
  const cutAt = performance.now();
  proxy.reset();
  await expectGone(sessionId);
  noteFigures('a connection that is cut', { 'gone after (ms)': performance.now() - cutAt });
});

test('a silent connection and a paused client are detected as lost', async () => {
  const { sessionId: silent } = await colleague();
  const { sleeper, said, sessionId: asleep } = await sleepingColleague();
  await watcher.wait('cursor:moved', (payload) => payload.sessionId === asleep);
  const since = watcher.heard.length;
  const at = performance.now();
  proxy.blackhole();
  // Its machine goes on to acknowledge every byte: only the answers to pings are missing.
  sleeper.kill('SIGSTOP');
  // Pings notice it within 18 s, and the grace is 5 s more.
  const gone = await Promise.all(
    [silent, asleep].map(async (sessionId) => {
      await eventually('the colleague to be gone', 45_000, () =>
        watcher.of('presence:left', since).find((payload) => payload.sessionId === sessionId),
      );
      return performance.now() - at;
    }),
  );
  await expectGone(silent);
  await watcher.wait('node:unlocked', (payload) => payload.nodeId === 'b');
  sleeper.kill('SIGCONT');
  await eventually('the sleeper to notice', 20_000, () => said().includes('disconnected') || null);
  const { presence, locks } = await (await canvas.peer(tenant)).join(workflowId);
  const ghosts = presence.filter((one: Payload) => [silent, asleep].includes(one.sessionId));
  expect(ghosts).toEqual([]);
  expect(locks).toMatchObject([{ nodeId: 'a' }]);
  noteFigures('gone after (ms)', { silent: gone[0] ?? 0, asleep: gone[1] ?? 0 });
});

test('a tab that reconnects replaces its older session', async () => {
  const clientId = randomUUID();
  const { peer: old } = await colleague(clientId);
  const { you, presence } = await (async () => {
    const fresh = await canvas.peer(tenant, { clientId });
    return fresh.join(workflowId);
  })();
  await old.wait('session:replaced');
  const others = presence.filter((one: { sessionId: string }) => one.sessionId !== you.sessionId);
  expect(others).toHaveLength(1);
  expect(await old.move(workflowId, 'b', 1).catch(() => ({ ok: false }))).toMatchObject({ ok: false });
});
