/** Part `throughput`: finished runs per second with 50 under way. */
import { pureChain, toolChain } from '../graphs.ts';
import { roundsOf, type Part, type PartLimits, type Row } from '../part.ts';
import { runBare, runCalls } from '../peer.ts';
import { concurrently, inTurns, median, timed, type Side } from '../statistics.ts';
import { STREAMS_PER_TENANT, type Bench } from '../system.ts';
import { perSecond } from '../table.ts';
import type { JsonObject } from '../../../src/graph/value.ts';

const WIDTH = 50;
const NODES = 10;

/** Runs of one definition, spread over as many tenants as the streams need. */
async function runner(
  bench: Bench,
  definition: JsonObject,
  input: JsonObject,
): Promise<(index: number) => Promise<void>> {
  const numbers = Array.from({ length: Math.ceil(WIDTH / STREAMS_PER_TENANT) + 2 }, (_, number) => number);
  const places = await Promise.all(
    numbers.map(async (number) => {
      const tenant = await bench.tenant(number);
      return { tenant, workflowId: await tenant.deploy('throughput', definition) };
    }),
  );
  // A stream's slot is given back a moment after its end: no lane waits for another's.
  return async (index) => {
    const place = places[index % places.length];
    await place?.tenant.run(place.workflowId, input);
  };
}

async function compare(
  limits: PartLimits,
  count: number,
  sides: { ours: (index: number) => Promise<void>; theirs: () => Promise<void> },
): Promise<{ ours: number; theirs: number }> {
  const rate = (work: (index: number) => Promise<void>): Side => {
    return async (isWarmUp) => {
      const runs = isWarmUp ? count / 4 : count;
      const tookMs = await timed(() => concurrently(runs, WIDTH, work));
      return [(runs * 1_000) / tookMs];
    };
  };
  const found = await inTurns(roundsOf(limits, 5, 1), limits, {
    ours: rate(sides.ours),
    theirs: rate(sides.theirs),
  });
  return { ours: median(found.ours), theirs: median(found.theirs) };
}

export const throughput: Part = {
  name: 'throughput',
  summary: 'runs per second at 50 concurrent, 10 nodes each, pure and effectful',
  weight: 3,
  async run(bench, limits) {
    const url = bench.tools.url('throughput');
    const half = { ...limits, deadline: performance.now() + (limits.deadline - performance.now()) / 2 };
    const pure = await compare(half, roundsOf(limits, 200, 100), {
      ours: await runner(bench, pureChain(NODES), { value: 1 }),
      theirs: () => runBare(bench),
    });
    const tools = await compare(limits, roundsOf(limits, 100, 50), {
      ours: await runner(bench, toolChain(NODES), { url }),
      theirs: () => runCalls(bench, 'chain', { url, calls: NODES }),
    });
    const row = (kind: string, beside: string, rates: { ours: number; theirs: number }): Row => ({
      workload: `${WIDTH} concurrent runs of ${NODES} ${kind}`,
      service: perSecond(rates.ours),
      beside: `${perSecond(rates.theirs)} ${beside}`,
      ratio: rates.ours / rates.theirs,
    });
    return {
      rows: [row('pure', 'bare workflow', pure), row('HTTP', 'plain activities', tools)],
      values: {
        '50 concurrent runs of 10 pure nodes: rate / bare workflows': pure.ours / pure.theirs,
        '50 concurrent runs of 10 HTTP nodes: rate / plain activities': tools.ours / tools.theirs,
      },
    };
  },
};
