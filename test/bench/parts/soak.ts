/** Part `soak`: whether a run costs more after half an hour of them, and what grows meanwhile. Runs only when it is asked for. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS } from '../../../src/processes/local/paths.ts';
import { toolChain } from '../graphs.ts';
import type { Measured, Part, PartLimits } from '../part.ts';
import { runCalls } from '../peer.ts';
import { GROUPS, cpuSeconds, megabytes, type Group } from '../process-cpu.ts';
import { familyOf } from '../processes.ts';
import { concurrently, timed } from '../statistics.ts';
import { spread } from '../spread.ts';
import { STREAMS_PER_TENANT, type Bench } from '../system.ts';
import { ms, perSecond } from '../table.ts';

const WIDTH = 50;
const NODES = 10;
/** Runs that may be under way before the soak breaks: a machine that stands still for a minute is no fault of the service. */
const UNDER_WAY = 10 * WIDTH;
/** A stream's slot is given back a moment after its end: no lane waits for another's. */
const TENANTS = Math.ceil(UNDER_WAY / STREAMS_PER_TENANT) + 2;
/** Runs that show the highest rate. */
const SPRINT = 1_000;
/** Windows of the whole; the first and the last sixth are compared: five minutes of thirty. */
const WINDOWS = 30;
const COMPARED = WINDOWS / 6;
/** Plain runs after each window: what their worker uses tells how fast the machine is now. */
const PLAIN_RUNS = 50;
const PLAIN_WIDTH = 10;

const GOAL = 'soak of half an hour: CPU of a run, last 5 min / first 5 min, beside a plain worker';

type Run = (index: number) => Promise<void>;

/** What a window of runs has cost, in ms of processor time a run. */
async function window(run: Run, everyMs: number, lastsMs: number): Promise<Record<Group, number>> {
  const before = cpuSeconds();
  const begunMs = performance.now();
  const runs: Promise<void>[] = [];
  let isBroken = false;
  // On a clock, whether or not the runs before have ended.
  while (!isBroken && performance.now() - begunMs < lastsMs) {
    const one = run(runs.length);
    one.catch(() => (isBroken = true));
    runs.push(one);
    const dueMs = begunMs + runs.length * everyMs - performance.now();
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
  }
  await Promise.all(runs);
  const after = cpuSeconds();
  const cost = (group: Group): [Group, number] => [
    group,
    ((after[group] - before[group]) * 1_000) / runs.length,
  ];
  return Object.fromEntries(GROUPS.map(cost)) as Record<Group, number>;
}

/** Bytes that the service has logged so far. */
const loggedBytes = (): number =>
  ['api', 'worker'].reduce((sum, name) => sum + statSync(join(LOGS, `bench-${name}.log`)).size, 0);

/** What the worker of plain activities uses, which keeps nothing: ms of processor time a run. */
async function plainCost(bench: Bench): Promise<number> {
  const url = bench.tools.url('soak-plain');
  const seconds = (): number => familyOf('peer/worker.ts').reduce((sum, one) => sum + one.seconds, 0);
  const before = seconds();
  await concurrently(PLAIN_RUNS, PLAIN_WIDTH, () => runCalls(bench, 'chain', { url, calls: NODES }));
  return ((seconds() - before) * 1_000) / PLAIN_RUNS;
}

/** ms of processor time a run, by group; `plain` is that of the worker beside it. */
type Costs = Readonly<Record<Group | 'plain', number>>;

const total = (costs: Costs): number => GROUPS.reduce((sum, group) => sum + costs[group], 0);

function mean(windows: readonly Costs[]): Costs {
  const of = (name: keyof Costs): [keyof Costs, number] => [
    name,
    windows.reduce((sum, costs) => sum + costs[name], 0) / windows.length,
  ];
  return Object.fromEntries([...GROUPS, 'plain' as const].map(of)) as Costs;
}

const NAMES = {
  api: 'API',
  worker: 'worker',
  postgres: 'PostgreSQL',
  temporal: 'Temporal',
};

const heldLine = (held: Record<Group, number>): string =>
  GROUPS.map((group) => `${NAMES[group]} ${held[group].toFixed(0)} MB`).join(', ');

async function measure(bench: Bench, limits: PartLimits): Promise<Measured> {
  const input = { url: bench.tools.url('soak') };
  const run = await spread(bench, TENANTS, { name: 'soak', definition: toolChain(NODES), input });
  await concurrently(SPRINT / 4, WIDTH, run);
  const highest = async (): Promise<number> =>
    (SPRINT * 1_000) / (await timed(() => concurrently(SPRINT, WIDTH, run)));
  const rate = limits.soakRate ?? (await highest()) / 2;
  const lastsMs = (limits.soakMinutes * 60_000) / WINDOWS;
  // Its code is compiled when it is measured, as ours is.
  for (let times = 0; times < COMPARED; times += 1) await plainCost(bench);
  const windows: Costs[] = [];
  const held: Record<Group, number>[] = [];
  const logged: number[] = [];
  for (let number = 1; number <= WINDOWS; number += 1) {
    const before = loggedBytes();
    const costs = { ...(await window(run, 1_000 / rate, lastsMs)), plain: await plainCost(bench) };
    windows.push(costs);
    const memory = megabytes();
    held.push(memory);
    logged.push(loggedBytes() - before);
    const found = `${ms(total(costs))} of CPU a run, plain worker ${ms(costs.plain)}, ${heldLine(memory)}`;
    bench.say(`soak: part ${number} of ${WINDOWS}: ${found}`);
  }
  const first = mean(windows.slice(0, COMPARED));
  const last = mean(windows.slice(-COMPARED));
  const after = `after ${limits.soakMinutes} min at ${perSecond(rate)}`;
  const row = (name: string, then: number, now: number) => ({
    workload: `CPU of a run of ${NODES} HTTP nodes, ${name}`,
    service: `${ms(now)} ${after}`,
    beside: `${ms(then)} at first`,
    ratio: now / then,
  });
  // The least of a few windows is what is held when garbage has been collected; the first are warming up.
  const grown = (workload: string, unit: string, every: readonly number[]) => {
    const then = Math.min(...every.slice(COMPARED, 2 * COMPARED));
    const now = Math.min(...every.slice(-COMPARED));
    return {
      workload,
      service: `${now.toFixed(1)} ${unit} ${after}`,
      beside: `${then.toFixed(1)} ${unit} after a sixth of it`,
      ratio: then === 0 ? null : now / then,
    };
  };
  // A machine that has slowed down takes more time for everything.
  const ratio = total(last) / total(first) / (last.plain / first.plain);
  return {
    rows: [
      row('all processes', total(first), total(last)),
      ...GROUPS.map((group) => row(NAMES[group], first[group], last[group])),
      row('plain activities, their worker', first.plain, last.plain),
      ...GROUPS.map((group) =>
        grown(
          `memory of ${NAMES[group]}`,
          'MB',
          held.map((one) => one[group]),
        ),
      ),
      grown(
        'log of API and worker in a thirtieth of the time',
        'kB',
        logged.map((bytes) => bytes / 1_000),
      ),
    ],
    // The goal speaks of half an hour.
    values: limits.soakMinutes < 30 ? {} : { [GOAL]: ratio },
  };
}

export const soak: Part = {
  name: 'soak',
  summary: 'CPU of a run, at half of the highest rate, after half an hour; only by --only soak',
  weight: 1,
  isOnDemand: true,
  run: measure,
};
