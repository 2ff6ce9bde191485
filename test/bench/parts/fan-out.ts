/** Part `fan-out`: calls side by side, as branches and as items of one node, and their join. */
import { fanOut as fanOutGraph, mapped } from '../graphs.ts';
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
    const [branches, items] = await Promise.all([
      tenant.deploy('fan-out', fanOutGraph(BRANCHES)),
      tenant.deploy('mapped', mapped(BRANCHES)),
    ]);
    const rows = Array.from({ length: BRANCHES }, (_, index) => index);
    const url = bench.tools.url('fan-out', DELAY_MS);
    const calls = { url, calls: BRANCHES };
    const found = await inTurns(roundsOf(limits, 30, 8), limits, {
      ours: async () => [await timed(() => tenant.run(branches, { url }))],
      mapped: async () => [await timed(() => tenant.run(items, { url, rows }))],
      remote: async () => [await timed(() => runCalls(bench, 'fanOut', calls))],
      local: async () => [await timed(() => runCalls(bench, 'fanOutLocally', calls))],
    });
    const [remote, local] = [median(found.remote), median(found.local)];
    const rowsOf = (workload: string, ours: number): Row[] => [
      { workload, service: ms(ours), beside: `${ms(remote)} plain activities`, ratio: ours / remote },
      { workload, service: ms(ours), beside: `${ms(local)} plain local activities`, ratio: ours / local },
    ];
    const what = `${BRANCHES} x ${DELAY_MS} ms and join`;
    return {
      rows: [
        ...rowsOf(`fan-out of ${what}`, median(found.ours)),
        ...rowsOf(`for_each of ${what}`, median(found.mapped)),
      ],
      values: {
        'fan-out of 20 x 100 ms / plain local activities': median(found.ours) / local,
        'for_each of 20 x 100 ms / plain local activities': median(found.mapped) / local,
      },
    };
  },
};
