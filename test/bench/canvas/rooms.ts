/** Many canvases at once, two people on each: how soon they are answered, and how the saves of all of them keep up. */
import type { Measured, PartLimits } from '../part.ts';
import { ServerMetrics } from '../server-metrics.ts';
import { percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';
import { CONNECTIONS_PER_USER } from './crowd.ts';
import { loadCanvas, type CanvasLoad } from './load.ts';
import { canvasOf, type Sides } from './sides.ts';

/** Twenty kilobytes of definition. */
const SHAPE = { nodes: 20, text: 900 };

export async function manyRooms(bench: Bench, sides: Sides, limits: PartLimits): Promise<Measured> {
  const [count, seconds] = limits.quick ? [60, 6] : [500, 12];
  const userOf = (room: number): number => Math.floor((room * 2) / CONNECTIONS_PER_USER);
  const rooms: string[] = [];
  limits.tell(`${count} rooms of 2`);
  for (let room = 0; room < count; room += 1) rooms.push(await canvasOf(bench, userOf(room), SHAPE));
  const load: CanvasLoad = { rooms, sessionsPerRoom: 2, opsPerSecond: 2, seconds, userOf };
  const before = await ServerMetrics.of(sides.service.url);
  const service = await loadCanvas(sides.service, load);
  const after = await ServerMetrics.of(sides.service.url);
  const bare = await loadCanvas(sides.bare, load);
  const saveMs = after.quantileSince(before, 'realtime_save_seconds{outcome="saved"}', 0.95) * 1_000;
  const acks = (side: typeof service): number => percentile(side.acks, 0.95);
  const gap = (p: number): number => percentile(service.saveGaps, p);
  return {
    rows: [
      {
        workload: `${count} rooms of 2, 20 kB each, 2 ops/s each, saved every 2 s`,
        service: `ack p95 ${ms(acks(service))}, save p95 ${ms(saveMs)}, saves of a room ${ms(gap(0.05))} to ${ms(gap(0.95))} apart (p5 to p95)`,
        beside: `p95 ${ms(acks(bare))} bare Socket.io, which saves nothing`,
        ratio: acks(service) / acks(bare),
      },
    ],
    values: {
      'canvas: ack p95 with many rooms, ms': acks(service),
      'canvas: save p95 with many rooms, ms': saveMs,
      'canvas: time between saves of a room p95, many rooms, ms': gap(0.95),
    },
  };
}
