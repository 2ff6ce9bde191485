/** Part `sequence`: from POST to the terminal frame, for nodes one after the other. */
import { roundsOf, type Measured, type Part, type PartLimits, type Row } from '../part.ts';
import { functionChain, pureChain, toolChain } from '../graphs.ts';
import { runBare, runCalls } from '../peer.ts';
import { inTurns, median, timed, type Side } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';

const SIZES = [1, 10, 50] as const;

async function measurePure(bench: Bench, limits: PartLimits): Promise<Measured> {
  const tenant = await bench.tenant(0);
  const [one, ten, fifty] = await Promise.all(
    SIZES.map((size) => tenant.deploy(`pure ${size}`, pureChain(size))),
  );
  const functions = await tenant.deploy('functions 50', functionChain(50));
  const run =
    (workflowId = '') =>
    async (): Promise<number[]> => [await timed(() => tenant.run(workflowId, { value: 1 }))];
  const found = await inTurns(roundsOf(limits, 60, 15), limits, {
    one: run(one),
    ten: run(ten),
    fifty: run(fifty),
    functions: run(functions),
    bare: async () => [await timed(() => runBare(bench))],
  });
  const bare = median(found.bare);
  const [t1, t10, t50] = [median(found.one), median(found.ten), median(found.fifty)];
  const rows = [t1, t10, t50].map((time, index): Row => {
    const size = SIZES[index] ?? 0;
    const beside = `${ms(bare)} bare workflow`;
    return { workload: `${size} pure, POST to end`, service: ms(time), beside, ratio: time / bare };
  });
  const perNode = (t50 - t1) / 49;
  const perFunction = (median(found.functions) - t50) / 50;
  rows.push({ workload: 'each further pure node', service: ms(perNode), beside: null, ratio: null });
  const beyond = 'a function of one line, N = 50, beyond a pure node';
  rows.push({ workload: beyond, service: ms(perFunction), beside: null, ratio: null });
  return {
    rows,
    values: {
      'pure nodes: ms per node': perNode,
      'function nodes: ms per node beyond a pure one': perFunction,
      '10 pure nodes / bare workflow': t10 / bare,
      '50 pure nodes / bare workflow': t50 / bare,
    },
  };
}

/** HTTP nodes beside plain activities; GET, and POST, which the service must not send twice. */
async function measureTools(bench: Bench, limits: PartLimits): Promise<Measured> {
  const tenant = await bench.tenant(0);
  const url = bench.tools.url('sequence');
  const rows: Row[] = [];
  const values: Record<string, number> = {};
  for (const size of SIZES) {
    const [gets, posts] = await Promise.all(
      (['GET', 'POST'] as const).map((method) => tenant.deploy(`${method} ${size}`, toolChain(size, method))),
    );
    const run =
      (workflowId = ''): Side =>
      async () => [await timed(() => tenant.run(workflowId, { url }))];
    const found = await inTurns(roundsOf(limits, 60 / Math.sqrt(size), 15 / Math.sqrt(size)), limits, {
      get: run(gets),
      post: run(posts),
      plain: async () => [await timed(() => runCalls(bench, 'chain', { url, calls: size }))],
    });
    const plain = median(found.plain);
    const row = (name: string, ours: number): Row => ({
      workload: `${size} HTTP ${name}, POST to end`,
      service: `${ms(ours)} (${ms(ours / size)}/node)`,
      beside: `${ms(plain)} (${ms(plain / size)}/node) plain activities`,
      ratio: ours / plain,
    });
    rows.push(row('GET', median(found.get)), row('POST', median(found.post)));
    values[`${size} HTTP nodes / plain activities`] = median(found.get) / plain;
  }
  return { rows, values };
}

export const sequence: Part = {
  name: 'sequence',
  summary: 'start to finish of 1, 10 and 50 nodes in a row, pure and effectful',
  weight: 3,
  async run(bench, limits) {
    const pure = await measurePure(bench, limits);
    const tools = await measureTools(bench, limits);
    return { rows: [...pure.rows, ...tools.rows], values: { ...pure.values, ...tools.values } };
  },
};
