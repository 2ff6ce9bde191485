/** The goals of speed, each a ratio or a figure that one run of the bench can produce by itself. */

export interface GoalSpec {
  readonly name: string;
  readonly is: 'at most' | 'at least';
  readonly limit: number;
}

/** One goal with what was measured: null when the part was not run. */
export interface Goal {
  readonly name: string;
  readonly value: number | null;
  readonly goal: string;
  readonly met: boolean | null;
}

const atMost = (name: string, limit: number): GoalSpec => ({ name, is: 'at most', limit });
const atLeast = (name: string, limit: number): GoalSpec => ({ name, is: 'at least', limit });

export const GOALS: readonly GoalSpec[] = [
  atMost('pure nodes: ms per node', 0.9),
  atMost('function nodes: ms per node beyond a pure one', 2),
  atMost('10 pure nodes / bare workflow', 2),
  atMost('50 pure nodes / bare workflow', 3.5),
  atMost('10 HTTP nodes / plain activities', 0.5),
  atMost('50 HTTP nodes / plain activities', 0.36),
  atMost('fan-out of 20 x 100 ms / plain local activities', 1.15),
  atMost('for_each of 20 x 100 ms / plain local activities', 1.15),
  atLeast('50 concurrent runs of 10 pure nodes: rate / bare workflows', 0.8),
  atLeast('50 concurrent runs of 10 HTTP nodes: rate / plain activities', 2),
  atMost('worker: most memory at 200 runs under way, MB', 400),
  atMost('accept p50 / bare Koa with one insert', 3),
  atLeast('accept rate / bare Koa with one insert', 0.35),
  atMost('start to first node / awaited start of a plain activity', 1),
  atLeast('GET workflow rate / bare Koa with one query', 0.7),
  atMost('client: start p50 / bare fetch', 1.15),
  atMost('client: µs an event', 30),
  atMost('token to listener p95 ms', 100),
  atMost('tokens lost or doubled', 0),
  atMost('cost of a further node, 100 to 1,000 / 10 to 100', 1.2),
  atMost('GET /workflow-runs, full history / 10,000 rows', 1.2),
  atMost('GET /workflow-runs/{id}, full history / 10,000 rows', 1.2),
  atMost('listen, full history / 10,000 rows', 1.2),
  atMost('accept, full history / 10,000 rows', 1.2),
  atMost('search of 1,000 chunks p95 / raw SQL', 5),
  atMost('search of 10,000 chunks p95 / raw SQL', 3),
  atMost('search of 100,000 chunks p95 / raw SQL', 1.5),
  atLeast('ingest: chunks a second', 100),
  atMost('canvas: relay p95 beyond bare Socket.io, frames, ms', 20),
  atMost('canvas: relay p99, frames, ms', 150),
  atMost('canvas: relay p95 beyond 1.25 x bare Socket.io, plain, ms', 5),
  atMost('canvas: server CPU a delivery / bare Socket.io, frames', 0.6),
  atMost('canvas: deliveries lost or doubled', 0),
  atMost('canvas: event loop late p99, saves included, frames, ms', 25),
  atLeast('canvas: saves of a room in a minute at work, least', 27),
  atMost('canvas: saves of a room in a minute at work, most', 33),
  atMost('canvas: ack p95 with many rooms, ms', 30),
  atMost('canvas: save p95 with many rooms, ms', 50),
  atMost('canvas: time between saves of a room p95, many rooms, ms', 2_600),
  atMost('canvas: time that saving 450 kB holds the process p95, ms', 8),
  atMost('canvas: join of 450 kB p95, ms', 150),
  // The page's budgets: CPU time of its main thread, so that they hold on a busy machine, too.
  atMost('web: first page, KiB compressed', 240),
  atMost('web: editor, KiB compressed', 400),
  atMost('web: open 300 nodes, main thread, ms', 500),
  atMost('web: open 1,000 nodes, main thread, ms', 600),
  atMost('web: open 2,000 nodes, main thread, ms', 800),
  atMost('web: drag one of 300 nodes, ms a step', 9),
  atMost('web: drag one of 2,000 nodes, ms a step', 9),
  atMost('web: drag one of 300 nodes while five others work, ms a step', 14),
  atMost('web: drag one of 2,000 nodes while five others work, ms a step', 14),
  atMost('web: longest task of that drag of 300, ms', 50),
  atMost('web: longest task of that drag of 2,000, ms', 50),
  atMost('web: zoom through the overview of 2,000 nodes, ms a step', 16),
  atMost('web: longest task of that zoom, ms', 50),
  atMost('web: INP of a session, p75, ms', 100),
  atMost('web: pan with 1,000 nodes in view, ms a step', 16),
  atMost('web: open a run of 10,000 steps, ms', 300),
  atMost('web: unfold its 10,000 steps, ms', 300),
  atMost('web: 300 runs in the list, idle, ms a second', 10),
  atMost('web: 200 tokens/s into one node, ms a frame', 2),
  atMost('web: an edit of another is painted after its ack, p95, ms', 60),
  atMost('web: heap after half an hour of edits / before', 1.1),
  atMost("another tenant's start to first node p95, flood / idle", 2),
  atMost('soak of half an hour: CPU of a run, last 5 min / first 5 min, beside a plain worker', 1.1),
];

/** Rounds to what a reader can use. */
export const rounded = (value: number): number => Number(value.toPrecision(3));

/** Judges every goal by the values that the parts returned. */
export function judge(values: Readonly<Record<string, number>>): Goal[] {
  return GOALS.map(({ name, is, limit }) => {
    const value = values[name];
    const goal = `${is} ${limit}`;
    if (value === undefined) return { name, value: null, goal, met: null };
    return { name, value: rounded(value), goal, met: is === 'at most' ? value <= limit : value >= limit };
  });
}
