/**
 * Encodes progress compactly, so that it fits a Temporal payload even for large graphs: states are one digit each, numbers
 * are delta and run-length encoded.
 */
import type { Overtaken, Progress, Stop, Timer } from './schedule.ts';

interface Wire {
  e: string;
  n: string;
  d: number[];
  t: number[];
  v: number[];
  i: number[];
  o: number[];
  r: number[];
  w: Timer[];
  /** Absent: none. */
  k?: Overtaken[];
  x: number;
  s: Stop | null;
}

/** Run-length encodes the differences as [step, count, step, count, ...]. */
function pack(values: readonly number[]): number[] {
  const packed: number[] = [];
  let before = 0;
  for (const value of values) {
    const step = value - before;
    before = value;
    const last = packed.length - 2;
    if (last >= 0 && packed[last] === step) packed[last + 1] = (packed[last + 1] ?? 0) + 1;
    else packed.push(step, 1);
  }
  return packed;
}

function unpack(packed: readonly number[]): number[] {
  const values: number[] = [];
  let value = 0;
  for (let i = 0; i < packed.length; i += 2) {
    for (let n = packed[i + 1] ?? 0; n > 0; n -= 1) {
      value += packed[i] ?? 0;
      values.push(value);
    }
  }
  return values;
}

const parseDigits = (text: string): number[] => Array.from(text, Number);

/** Encodes progress as text. */
export function encodeProgress(progress: Progress): string {
  const wire: Wire = {
    e: progress.edges.join(''),
    n: progress.nodes.join(''),
    d: pack(progress.depths),
    t: pack(progress.triggers),
    v: pack(progress.visits),
    i: progress.iterations,
    o: pack(progress.over),
    r: progress.ready,
    w: progress.timers,
    ...(progress.overtaken.length === 0 ? {} : { k: progress.overtaken }),
    x: progress.executions,
    s: progress.stop,
  };
  return JSON.stringify(wire);
}

/** Decodes the text of `encodeProgress`. */
export function decodeProgress(text: string): Progress {
  const wire = JSON.parse(text) as Wire;
  return {
    edges: parseDigits(wire.e),
    nodes: parseDigits(wire.n),
    depths: unpack(wire.d),
    triggers: unpack(wire.t),
    visits: unpack(wire.v),
    iterations: wire.i,
    over: unpack(wire.o),
    ready: wire.r,
    timers: wire.w,
    overtaken: wire.k ?? [],
    executions: wire.x,
    stop: wire.s,
  };
}
