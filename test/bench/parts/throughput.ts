/** Part `throughput`: finished runs per second with 50 under way. */
import { pureChain, toolChain } from '../graphs.ts';
import { roundsOf, type Part, type PartLimits, type Row } from '../part.ts';
import { runBare, runCalls } from '../peer.ts';
import { concurrently, inTurns, median, timed, type Side } from '../statistics.ts';
import { spread } from '../spread.ts';
import { STREAMS_PER_TENANT } from '../system.ts';
import { perSecond } from '../table.ts';

const WIDTH = 50;
const NODES = 10;

/** A stream's slot is given back a moment after its end: no lane waits for another's. */
const TENANTS = Math.ceil(WIDTH / STREAMS_PER_TENANT) + 2;

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
      ours: await spread(bench, TENANTS, {
        name: 'throughput',
        definition: pureChain(NODES),
        input: { value: 1 },
      }),
      theirs: () => runBare(bench),
    });
    const tools = await compare(limits, roundsOf(limits, 100, 50), {
      ours: await spread(bench, TENANTS, {
        name: 'throughput',
        definition: toolChain(NODES),
        input: { url },
      }),
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
