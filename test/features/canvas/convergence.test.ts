/**
 * Several clients edit one workflow over real sockets that delay and break, with a real database: all copies must converge to
 * the stored document, and the history must lead to it.
 */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Canvas, overSocket } from '../../../src/features/canvas/client/canvas.ts';
import type { DurableOp } from '../../../src/features/canvas/room/operations.ts';
import type { Tenant } from '../../support/api-server.ts';
import { startChaosProxy, type ChaosProxy } from '../../support/chaos-proxy.ts';
import { noteFigures } from '../../support/figures.ts';
import { eventually, sleep } from '../../support/waiting.ts';
import { random, type Random } from '../../faults/support/random.ts';
import { startCanvas, type Canvas as Setting } from './support/canvas.ts';
import { expectHistoryOf } from './support/history.ts';

const ROUNDS = Number(process.env['CANVAS_CONVERGENCE_ROUNDS'] ?? 3);
const EDITS = Number(process.env['CANVAS_CONVERGENCE_EDITS'] ?? 40);
const EDITORS = 5;
/** What a piece of data takes each way, in milliseconds. */
const DELAY = [20, 300] as const;

let setting: Setting;
let proxy: ChaosProxy;
let tenant: Tenant;
beforeAll(async () => {
  setting = await startCanvas();
  tenant = await setting.api.tenant();
  const { hostname, port } = new URL(setting.url);
  const jitter = random(1);
  const delayMs = (): number => jitter.between(...DELAY);
  proxy = await startChaosProxy({ host: hostname, port: Number(port) }, { delayMs });
});
afterAll(async () => {
  await setting.close();
  await proxy.close();
});

interface Editor {
  readonly canvas: Canvas;
  readonly socket: Socket;
  /** Versions at which the copy was not what the server had. */
  readonly divergences: readonly number[];
  close(): void;
}

/** @param caps what the client says that it can read */
function editor(workflowId: string, caps: readonly string[]): Editor {
  const clientId = randomUUID();
  const socket = io(`http://127.0.0.1:${proxy.port}`, {
    auth: { token: tenant.token, organizationId: tenant.org, clientId, caps },
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  const clock = {
    setTimeout: (work: () => void, ms: number): object => setTimeout(work, ms),
    clearTimeout: (timer: object | number): void => clearTimeout(timer as NodeJS.Timeout),
  };
  const divergences: number[] = [];
  const canvas = new Canvas({
    transport: overSocket(socket),
    workflowId,
    clientId,
    clock,
    onDivergence: ({ version }) => void divergences.push(version),
  });
  canvas.open();
  return {
    canvas,
    socket,
    divergences,
    close() {
      canvas.close();
      socket.disconnect();
    },
  };
}

const idsOf = (document: object, list: string): string[] =>
  (Reflect.get(document, list) as { id: string }[]).map(({ id }) => id);

/** An edit that makes sense on what the editor sees, or once did. */
function someEdit(chance: Random, document: object): DurableOp {
  const nodes = idsOf(document, 'nodes');
  const nodeId = nodes.length === 0 ? 'a' : chance.pick(nodes);
  const position = { x: chance.between(0, 999), y: chance.between(0, 999) };
  const fresh = randomUUID().slice(0, 8);
  return chance.pick<() => DurableOp>([
    () => ({ type: 'node:move', nodeId, position }),
    () => ({ type: 'node:move', nodeId, position }),
    () => ({ type: 'node:update', nodeId, set: { '/name': fresh } }),
    () => ({ type: 'node:add', node: { id: `n${fresh}`, type: 'transformer', position } }),
    () => ({ type: 'node:delete', nodeIds: [nodeId] }),
    () => ({ type: 'edge:add', edge: { id: `e${fresh}`, source: nodeId, target: '__end__' } }),
    () => ({ type: 'metadata:update', set: { '/description': fresh } }),
    () => ({
      type: 'batch',
      reason: 'paste',
      ops: [
        { type: 'node:add', node: { id: `p${fresh}`, type: 'llm', position } },
        { type: 'node:move', nodeId, position },
      ],
    }),
  ])();
}

test.each(Array.from({ length: ROUNDS }, (_, round) => 4_711 + round))(
  'seed %i',
  async (seed) => {
    const chance = random(seed);
    const workflowId = await setting.workflow(tenant);
    // Every other one reads frames.
    const editors = Array.from({ length: EDITORS }, (_, seat) =>
      editor(workflowId, seat % 2 === 0 ? [] : ['frames']),
    );
    const live = (): Promise<true> =>
      eventually(
        'everybody to be in',
        30_000,
        () => editors.every(({ canvas }) => canvas.status === 'live') || null,
      );
    await live();
    let breaks = 2;
    let edits = 0;
    const work = editors.map(async ({ canvas }) => {
      for (let edit = 0; edit < EDITS; edit += 1) {
        if (canvas.edit(someEdit(chance, canvas.document)) !== null) edits += 1;
        if (chance.chance(0.1)) canvas.undo();
        await sleep(chance.between(5, 60));
        if (breaks > 0 && chance.chance(0.02)) {
          breaks -= 1;
          proxy.reset();
          proxy.heal();
        }
      }
    });
    await Promise.all(work);
    await live();
    await eventually('everything to be saved', 60_000, async () => {
      await editors[0]?.canvas.flush();
      return editors.every(({ canvas }) => canvas.unsent === 0 && canvas.unsaved === 0) || null;
    });
    const { workflow_schema: stored } = await setting.record(tenant, workflowId);
    await eventually('everybody to see what is stored', 20_000, () => {
      const seen = editors.map(({ canvas }) => JSON.stringify(canvas.confirmed.document));
      return new Set(seen).size === 1 || null;
    });
    for (const { canvas, divergences } of editors) {
      expect(canvas.document).toEqual(stored);
      expect(divergences).toEqual([]);
    }
    await expectHistoryOf(setting.api.deps.db, workflowId);
    for (const one of editors) one.close();
    noteFigures(`seed ${seed}`, { editors: EDITORS, edits, divergences: 0 });
  },
  120_000 + EDITS * 200,
);

test('a client that reconnects with hundreds of edits sends them all within the flood limit', async () => {
  const workflowId = await setting.workflow(tenant);
  const one = editor(workflowId, ['frames']);
  const { canvas, socket } = one;
  await eventually('the editor to be in', 30_000, () => canvas.status === 'live' || null);
  socket.disconnect();
  const added = Array.from({ length: 400 }, (_, index) => `n${index}`);
  for (const id of added) canvas.edit({ type: 'node:add', node: { id, type: 'transformer' } });
  expect(canvas.unsent).toBe(added.length);
  let floods = 0;
  socket.on('flood', () => (floods += 1));
  socket.connect();
  await eventually(
    'everything to be saved',
    90_000,
    () => (canvas.unsent === 0 && canvas.unsaved === 0) || null,
  );
  const { workflow_schema: stored } = await setting.record(tenant, workflowId);
  expect(stored.nodes.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', ...added]);
  expect(floods).toBe(0);
  one.close();
});
