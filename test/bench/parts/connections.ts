/** Part `connections`: the memory that an open stream and a canvas session take, each in a process of its own. */
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS_PER_USER } from '../canvas/crowd.ts';
import { enter } from '../canvas/load.ts';
import { canvasOf, startSides } from '../canvas/sides.ts';
import { pureChain } from '../graphs.ts';
import type { Part, PartLimits, Row } from '../part.ts';
import { residentKilobytes } from '../processes.ts';
import { concurrently } from '../statistics.ts';
import { STREAMS_PER_TENANT, type Bench } from '../system.ts';

/** A process collects what the opening has left. */
const SETTLE_MS = 10_000;

/** Opens one thing; the returned function closes it. */
type Open = (index: number) => Promise<() => void>;

/** The memory that each of `count` open things takes, in kB: a few are opened and closed first, to warm up. */
async function measureEach(pid: number, count: number, open: Open): Promise<number> {
  const openAll = (all: number): Promise<(() => void)[]> => concurrently(all, 20, open);
  for (const close of await openAll(Math.ceil(count / 4))) close();
  await sleep(SETTLE_MS);
  const before = residentKilobytes(pid);
  const closes = await openAll(count);
  await sleep(SETTLE_MS);
  const each = (residentKilobytes(pid) - before) / count;
  for (const close of closes) close();
  return each;
}

const memoryRow = (thing: string, count: number, each: number): Row => ({
  workload: `memory of ${thing}, with ${count} open`,
  service: `${Math.round(each)} kB`,
  beside: null,
  ratio: null,
});

async function measureStreams(bench: Bench, limits: PartLimits): Promise<Row> {
  limits.tell('open streams');
  const api = await bench.addApi('streams');
  const count = limits.quick ? 200 : 1_000;
  const owners = await Promise.all(
    Array.from({ length: count / STREAMS_PER_TENANT }, async (_, number) => {
      const tenant = await api.openTenant(number);
      return { tenant, runId: await tenant.start(await tenant.deploy('streams', pureChain(1))) };
    }),
  );
  const agent = new Agent();
  const each = await measureEach(api.pid, count, async (index) => {
    const { tenant, runId } = owners[index % owners.length] ?? { tenant: api.tenant, runId: '' };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${api.url}/workflows/listen/${runId}`, { agent, headers: tenant.headers }, resolve).on(
        'error',
        reject,
      );
    });
    if (response.statusCode !== 200) throw new Error(`listen answered ${response.statusCode}`);
    response.on('error', () => undefined).resume();
    return () => response.destroy();
  });
  await api.stop();
  return memoryRow('an open stream', count, each);
}

async function measureSessions(bench: Bench, limits: PartLimits): Promise<Row> {
  limits.tell('canvas sessions');
  const sides = await startSides(bench);
  try {
    const count = limits.quick ? 100 : 500;
    // One after the other: each signs in and makes an account.
    const rooms = await concurrently(count / CONNECTIONS_PER_USER, 1, (user) =>
      canvasOf(bench, user, { nodes: CONNECTIONS_PER_USER }),
    );
    const each = await measureEach(sides.service.pid, count, async (index) => {
      const user = index % rooms.length;
      const person = await enter(sides.service, await sides.service.auth(user), rooms[user] ?? '', 'n0');
      return () => person.socket.disconnect();
    });
    return memoryRow(`a canvas session, ${CONNECTIONS_PER_USER} in a room`, count, each);
  } finally {
    await sides.stop();
  }
}

export const connections: Part = {
  name: 'connections',
  summary: 'the memory of an open stream and of a canvas session',
  weight: 1,
  async run(bench, limits) {
    return { rows: [await measureStreams(bench, limits), await measureSessions(bench, limits)], values: {} };
  },
};
