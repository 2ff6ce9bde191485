/** Part `fan-out`: branches side by side, and their join. */
import { fanOut as fanOutGraph } from '../graphs.ts';
import { roundsOf, type Part, type Row } from '../part.ts';
import { runCalls } from '../peer.ts';
import { inTurns, median, timed } from '../statistics.ts';
import { ms } from '../table.ts';

const BRANCHES = 20;
const DELAY_MS = 100;

export const fanOut: Part = {
  name: 'fan-out',
  summary: '20 calls of 100 ms side by side and a join',
  weight: 1,
  async run(bench, limits) {
    const tenant = await bench.tenant(0);
    const workflowId = await tenant.deploy('fan-out', fanOutGraph(BRANCHES));
    const url = bench.tools.url('fan-out', DELAY_MS);
    const calls = { url, calls: BRANCHES };
    const found = await inTurns(roundsOf(limits, 30, 8), limits, {
      ours: async () => [await timed(() => tenant.run(workflowId, { url }))],
      remote: async () => [await timed(() => runCalls(bench, 'fanOut', calls))],
      local: async () => [await timed(() => runCalls(bench, 'fanOutLocally', calls))],
    });
    const [ours, remote, local] = [median(found.ours), median(found.remote), median(found.local)];
    const row = (theirs: number, name: string): Row => ({
      workload: `fan-out of ${BRANCHES} x ${DELAY_MS} ms and join`,
      service: ms(ours),
      beside: `${ms(theirs)} ${name}`,
      ratio: ours / theirs,
    });
    return {
      rows: [row(remote, 'plain activities'), row(local, 'plain local activities')],
      values: { 'fan-out of 20 x 100 ms / plain local activities': ours / local },
    };
  },
};
