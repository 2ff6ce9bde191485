/** Part `realtime`: the canvas beside bare Socket.io, with many people in one room and with many rooms. */
import { anyPort } from '../../../src/local/ports.ts';
import { waitUntilHealthy } from '../../../src/local/services.ts';
import { loadCanvas, type CanvasFigures, type CanvasLoad, type CanvasSide } from '../canvas-load.ts';
import { roundsOf, type Measured, type Part, type PartLimits, type Row } from '../part.ts';
import { median, percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';

/** Half of what a user may hold. */
const CONNECTIONS_PER_USER = 10;

interface Sides {
  readonly service: CanvasSide;
  readonly bare: CanvasSide;
  stop(): Promise<void>;
}

async function startSides(bench: Bench): Promise<Sides> {
  const [port, barePort] = [await anyPort(), await anyPort()];
  const built = ['--enable-source-maps', 'dist/src/serve-realtime.js'];
  const [service, bare] = await Promise.all([
    bench.launch('realtime', built, { REALTIME_PORT: String(port) }),
    bench.launch('peer-sockets', ['--import', 'tsx', 'test/bench/peer/sockets.ts'], {
      PORT: String(barePort),
    }),
  ]);
  const at = (number: number): string => `http://127.0.0.1:${number}`;
  await Promise.all([
    waitUntilHealthy(service, `${at(port)}/health`),
    waitUntilHealthy(bare, `${at(barePort)}/`),
  ]);
  return {
    service: {
      url: at(port),
      pid: service.pid,
      async auth(user) {
        const { headers, organizationId } = await bench.tenant(user);
        return { token: headers['authorization'], organizationId };
      },
    },
    bare: { url: at(barePort), pid: bare.pid, auth: async () => ({}) },
    async stop() {
      await Promise.all([service.stop(), bare.stop()]);
    },
  };
}

/** A workflow with a node for each seat. */
async function canvasOf(bench: Bench, user: number, seats: number): Promise<string> {
  const nodes = Array.from({ length: seats }, (_, seat) => ({
    id: `n${seat}`,
    type: 'transformer',
    position: { x: 0, y: 0 },
  }));
  const tenant = await bench.tenant(user);
  const made = await tenant.post('/workflows', { name: 'canvas', workflow_schema: { nodes, edges: [] } });
  return String(made['id']);
}

/** Lets several users of one organization fill a room: the bench's tenants are alone in theirs. */
async function inviteAll(bench: Bench, users: number): Promise<void> {
  const host = await bench.tenant(0);
  for (let user = 1; user < users; user += 1) {
    const guest = await bench.tenant(user);
    await bench.db.query(
      `INSERT INTO memberships (user_id, organization_id, role)
       SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1 AND role = 'owner' ON CONFLICT DO NOTHING`,
      [guest.organizationId, host.organizationId],
    );
  }
}

/** One crowded room is entered by groups of a user's connections each. */
function crowd(bench: Bench, side: CanvasSide): CanvasSide {
  return {
    ...side,
    async auth(user) {
      const [own, host] = [await side.auth(user), await bench.tenant(0)];
      return 'organizationId' in own ? { ...own, organizationId: host.organizationId } : own;
    },
  };
}

const p95 = (values: readonly number[]): number => percentile(values, 0.95);

async function oneRoom(bench: Bench, sides: Sides, limits: PartLimits): Promise<Measured> {
  const [users, opsPerSecond, seconds] = [5, 20, limits.quick ? 3 : 10];
  const sessionsPerRoom = users * CONNECTIONS_PER_USER;
  await inviteAll(bench, users);
  const load: CanvasLoad = {
    rooms: [await canvasOf(bench, 0, sessionsPerRoom)],
    sessionsPerRoom,
    opsPerSecond,
    seconds,
    userOf: (_, seat) => Math.floor(seat / CONNECTIONS_PER_USER),
  };
  const service = crowd(bench, sides.service);
  // A process that has just been started spends more on compiling than on delivering.
  for (const side of [service, sides.bare])
    await loadCanvas(side, { ...load, seconds: 2 }, { caps: ['frames'] });
  const figures: Record<'framed' | 'plain' | 'bare', CanvasFigures[]> = { framed: [], plain: [], bare: [] };
  for (let round = 0; round < roundsOf(limits, 3, 2); round += 1) {
    if (round > 0 && performance.now() > limits.deadline) break;
    limits.tell(`${load.sessionsPerRoom} sessions in one room, round ${round + 1}`);
    figures.framed.push(await loadCanvas(service, load, { caps: ['frames'] }));
    figures.bare.push(await loadCanvas(sides.bare, load));
    figures.plain.push(await loadCanvas(service, load));
  }
  const relay = (side: keyof typeof figures): number =>
    median(figures[side].map(({ relays }) => p95(relays)));
  const cpu = (side: keyof typeof figures): number =>
    median(figures[side].map((one) => one.cpuPerDeliveryUs));
  const wrong = [...figures.framed, ...figures.plain].map(({ relays, expected }) =>
    Math.abs(expected - relays.length),
  );
  const row = (side: 'framed' | 'plain', name: string): Row => ({
    workload: `${load.sessionsPerRoom} sessions, one room, ${opsPerSecond} ops/s each, ${name}`,
    service: `relay p95 ${ms(relay(side))}, ${cpu(side).toFixed(1)} µs CPU a delivery`,
    beside: `p95 ${ms(relay('bare'))}, ${cpu('bare').toFixed(1)} µs bare Socket.io`,
    ratio: cpu(side) / cpu('bare'),
  });
  return {
    rows: [row('framed', 'frames'), row('plain', 'plain')],
    values: {
      'canvas: relay p95 beyond bare Socket.io, frames, ms': relay('framed') - relay('bare'),
      'canvas: server CPU a delivery / bare Socket.io, frames': cpu('framed') / cpu('bare'),
      'canvas: deliveries lost or doubled': Math.max(...wrong),
    },
  };
}

async function manyRooms(bench: Bench, sides: Sides, limits: PartLimits): Promise<Measured> {
  const [count, seconds] = limits.quick ? [60, 3] : [500, 10];
  const userOf = (room: number): number => Math.floor((room * 2) / CONNECTIONS_PER_USER);
  const rooms: string[] = [];
  limits.tell(`${count} rooms of 2`);
  for (let room = 0; room < count; room += 1) rooms.push(await canvasOf(bench, userOf(room), 2));
  const load: CanvasLoad = {
    rooms,
    sessionsPerRoom: 2,
    opsPerSecond: 2,
    seconds,
    userOf,
  };
  const service = await loadCanvas(sides.service, load);
  const bare = await loadCanvas(sides.bare, load);
  return {
    rows: [
      {
        workload: `${count} rooms of 2, 2 ops/s each, saved every 2 s`,
        service: `ack p95 ${ms(p95(service.acks))}`,
        beside: `p95 ${ms(p95(bare.acks))} bare Socket.io, which saves nothing`,
        ratio: p95(service.acks) / p95(bare.acks),
      },
    ],
    values: { 'canvas: ack p95 with many rooms, ms': p95(service.acks) },
  };
}

export const realtime: Part = {
  name: 'realtime',
  summary: 'the canvas beside bare Socket.io: many people in one room, and many rooms',
  weight: 2,
  async run(bench, limits) {
    const sides = await startSides(bench);
    try {
      const crowded = await oneRoom(bench, sides, limits);
      const spread = await manyRooms(bench, sides, limits);
      return { rows: [...crowded.rows, ...spread.rows], values: { ...crowded.values, ...spread.values } };
    } finally {
      await sides.stop();
    }
  },
};
