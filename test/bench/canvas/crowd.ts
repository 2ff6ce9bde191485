/** Fifty people on one canvas, each of whom moves a node of their own, beside the same over bare Socket.io. */
import { roundsOf, type Measured, type PartLimits, type Row } from '../part.ts';
import { ServerMetrics } from '../server-metrics.ts';
import { median, percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';
import { loadCanvas, type CanvasFigures, type CanvasLoad, type CanvasSide } from './load.ts';
import { canvasOf, type Sides } from './sides.ts';

/** Half of what a user may hold. */
export const CONNECTIONS_PER_USER = 10;
const USERS = 5;
const OPS_PER_SECOND = 20;

/** Lets several users of one organization fill a room: the bench's tenants are alone in theirs. */
async function inviteAll(bench: Bench): Promise<void> {
  const host = await bench.tenant(0);
  for (let user = 1; user < USERS; user += 1) {
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

type Name = 'framed' | 'plain' | 'bare';
interface Round extends CanvasFigures {
  readonly loopLagP99: number;
}

/** Measures the sides in turns, frames first. */
async function rounds(
  sides: Sides,
  service: CanvasSide,
  load: CanvasLoad,
  limits: PartLimits,
): Promise<Record<Name, Round[]>> {
  const found: Record<Name, Round[]> = { framed: [], plain: [], bare: [] };
  const measure = async (name: Name, side: CanvasSide, more: object = {}): Promise<void> => {
    const isService = side === service;
    if (isService) await ServerMetrics.of(service.url);
    const figures = await loadCanvas(side, load, more);
    const loopLagP99 = isService ? (await ServerMetrics.of(service.url)).loopLagP99 : 0;
    found[name].push({ ...figures, loopLagP99 });
  };
  for (let round = 0; round < roundsOf(limits, 3, 2); round += 1) {
    if (round > 0 && performance.now() > limits.deadline) break;
    limits.tell(`${load.sessionsPerRoom} sessions in one room, round ${round + 1}`);
    await measure('framed', service, { caps: ['frames'] });
    await measure('bare', sides.bare);
    await measure('plain', service);
  }
  return found;
}

/** Saves of the room in a minute at work. */
async function savesInAMinute(service: CanvasSide, load: CanvasLoad, limits: PartLimits): Promise<Measured> {
  limits.tell('a minute at work in one room');
  const { saveGaps, relays, expected } = await loadCanvas(
    service,
    { ...load, seconds: 60 },
    { caps: ['frames'] },
  );
  const saves = saveGaps.length + 1;
  return {
    rows: [
      {
        workload: `${load.sessionsPerRoom} sessions, one room, a minute`,
        service: `${saves} saves, ${relays.length} of ${expected} delivered, relay p99 ${ms(percentile(relays, 0.99))}`,
        beside: null,
        ratio: null,
      },
    ],
    values: {
      'canvas: saves of a room in a minute at work, least': saves,
      'canvas: saves of a room in a minute at work, most': saves,
    },
  };
}

export async function crowdedRoom(bench: Bench, sides: Sides, limits: PartLimits): Promise<Measured> {
  const sessionsPerRoom = USERS * CONNECTIONS_PER_USER;
  await inviteAll(bench);
  const load: CanvasLoad = {
    rooms: [await canvasOf(bench, 0, { nodes: sessionsPerRoom })],
    sessionsPerRoom,
    opsPerSecond: OPS_PER_SECOND,
    seconds: limits.quick ? 3 : 10,
    userOf: (_, seat) => Math.floor(seat / CONNECTIONS_PER_USER),
  };
  const service = crowd(bench, sides.service);
  // A process that has just been started spends more on compiling than on delivering.
  for (const side of [service, sides.bare])
    await loadCanvas(side, { ...load, seconds: 2 }, { caps: ['frames'] });
  const found = await rounds(sides, service, load, limits);
  const minute = limits.quick ? { rows: [], values: {} } : await savesInAMinute(service, load, limits);
  const relay = (name: Name, p: number): number =>
    median(found[name].map(({ relays }) => percentile(relays, p)));
  const cpu = (name: Name): number => median(found[name].map((one) => one.cpuPerDeliveryUs));
  const lag = (name: Name): number => median(found[name].map((one) => one.loopLagP99));
  const wrong = [...found.framed, ...found.plain].map(({ relays, expected }) =>
    Math.abs(expected - relays.length),
  );
  const row = (name: Name, title: string): Row => ({
    workload: `${sessionsPerRoom} sessions, one room, ${OPS_PER_SECOND} ops/s each, ${title}`,
    service: `relay p95 ${ms(relay(name, 0.95))}, p99 ${ms(relay(name, 0.99))}, ${cpu(name).toFixed(1)} µs CPU a delivery, loop late by ${ms(lag(name))} (p99)`,
    beside: `p95 ${ms(relay('bare', 0.95))}, p99 ${ms(relay('bare', 0.99))}, ${cpu('bare').toFixed(1)} µs bare Socket.io`,
    ratio: cpu(name) / cpu('bare'),
  });
  return {
    rows: [row('framed', 'frames'), row('plain', 'plain'), ...minute.rows],
    values: {
      'canvas: relay p95 beyond bare Socket.io, frames, ms': relay('framed', 0.95) - relay('bare', 0.95),
      'canvas: relay p99, frames, ms': relay('framed', 0.99),
      'canvas: relay p95 beyond 1.25 x bare Socket.io, plain, ms':
        relay('plain', 0.95) - 1.25 * relay('bare', 0.95),
      'canvas: server CPU a delivery / bare Socket.io, frames': cpu('framed') / cpu('bare'),
      'canvas: event loop late p99, saves included, frames, ms': lag('framed'),
      'canvas: deliveries lost or doubled': Math.max(...wrong),
      ...minute.values,
    },
  };
}
