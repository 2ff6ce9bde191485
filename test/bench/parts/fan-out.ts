/** Part `fan-out`: branches side by side, and their join. */
import { fanOut as fanOutGraph } from '../graphs.ts';
import { roundsOf, type Part } from '../part.ts';
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
    const found = await inTurns(roundsOf(limits, 30, 8), limits, {
      ours: async () => [await timed(() => tenant.run(workflowId, { url }))],
      theirs: async () => [await timed(() => runCalls(bench, 'fanOut', url, BRANCHES))],
    });
    const [ours, theirs] = [median(found.ours), median(found.theirs)];
    const workload = `fan-out of ${BRANCHES} x ${DELAY_MS} ms and join`;
    return {
      rows: [{ workload, service: ms(ours), beside: `${ms(theirs)} hand-written`, ratio: ours / theirs }],
      values: { 'fan-out of 20 x 100 ms / hand-written': ours / theirs },
    };
  },
};
