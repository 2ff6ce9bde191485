/** Part `soak`: whether a run costs more after half an hour of them. Runs only when it is asked for. */
import { toolChain } from '../graphs.ts';
import type { Measured, Part, PartLimits } from '../part.ts';
import { GROUPS, cpuSeconds, type Group } from '../process-cpu.ts';
import { concurrently, timed } from '../statistics.ts';
import { STREAMS_PER_TENANT, type Bench } from '../system.ts';
import { ms, perSecond } from '../table.ts';

const WIDTH = 50;
const NODES = 10;
/** Runs that show the highest rate. */
const SPRINT = 1_000;
/** The first and the last sixth are compared: five minutes of thirty. */
const WINDOWS = 6;

type Run = () => Promise<void>;

async function runner(bench: Bench): Promise<Run> {
  const input = { url: bench.tools.url('soak') };
  const numbers = Array.from({ length: Math.ceil(WIDTH / STREAMS_PER_TENANT) + 2 }, (_, number) => number);
  const places = await Promise.all(
    numbers.map(async (number) => {
      const tenant = await bench.tenant(number);
      return { tenant, workflowId: await tenant.deploy('soak', toolChain(NODES)) };
    }),
  );
  let next = 0;
  return async () => {
    const place = places[next % places.length];
    next += 1;
    await place?.tenant.run(place.workflowId, input);
  };
}

/** What a window of runs has cost, in ms of processor time a run. */
async function window(run: Run, everyMs: number, lastsMs: number): Promise<Record<Group, number>> {
  const before = cpuSeconds();
  const begunMs = performance.now();
  const runs: Promise<void>[] = [];
  let isBroken = false;
  // On a clock, whether or not the runs before have ended.
  while (!isBroken && performance.now() - begunMs < lastsMs) {
    const one = run();
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

const total = (costs: Readonly<Record<Group, number>>): number =>
  GROUPS.reduce((sum, group) => sum + costs[group], 0);

const NAMES = {
  all: 'all processes',
  api: 'API',
  worker: 'worker',
  postgres: 'PostgreSQL',
  temporal: 'Temporal',
};

async function measure(bench: Bench, limits: PartLimits): Promise<Measured> {
  const run = await runner(bench);
  await concurrently(SPRINT / 4, WIDTH, run);
  const highest = (SPRINT * 1_000) / (await timed(() => concurrently(SPRINT, WIDTH, run)));
  const rate = highest / 2;
  const lastsMs = (limits.soakMinutes * 60_000) / WINDOWS;
  const windows: Record<Group, number>[] = [];
  for (let number = 1; number <= WINDOWS; number += 1) {
    const costs = await window(run, 1_000 / rate, lastsMs);
    windows.push(costs);
    bench.say(`soak: part ${number} of ${WINDOWS}: ${ms(total(costs))} of CPU a run`);
  }
  const [first, last] = [windows[0], windows.at(-1)];
  if (first === undefined || last === undefined) throw new Error('nothing was measured');
  const row = (name: string, then: number, now: number) => ({
    workload: `CPU of a run of ${NODES} HTTP nodes, ${name}`,
    service: `${ms(now)} after ${limits.soakMinutes} min at ${perSecond(rate)}`,
    beside: `${ms(then)} at first`,
    ratio: now / then,
  });
  const ratio = total(last) / total(first);
  return {
    rows: [
      row(NAMES.all, total(first), total(last)),
      ...GROUPS.map((group) => row(NAMES[group], first[group], last[group])),
    ],
    // The goal speaks of half an hour.
    values:
      limits.soakMinutes < 30
        ? {}
        : { 'soak of half an hour: CPU of a run, last 5 min / first 5 min': ratio },
  };
}

export const soak: Part = {
  name: 'soak',
  summary: 'CPU of a run, at half of the highest rate, after half an hour; only by --only soak',
  weight: 1,
  isOnDemand: true,
  run: measure,
};
