/** Part `memory`: the most that a worker holds with 200 runs under way. First of all parts: a heap shrinks late. */
import { toolChain } from '../graphs.ts';
import { roundsOf, type Part } from '../part.ts';
import { runCalls } from '../peer.ts';
import { familyOf, forgetPeak, peakMegabytes } from '../processes.ts';
import { concurrently } from '../statistics.ts';
import { spread } from '../spread.ts';
import { STREAMS_PER_TENANT } from '../system.ts';

const WIDTH = 200;
const NODES = 10;
/** Twice as many as the streams need: which tenant's turn it is does not ask who has ended. */
const TENANTS = (2 * WIDTH) / STREAMS_PER_TENANT;

/** The most that the processes of one side have held during the work, in MB. */
async function peakOf(part: string, work: () => Promise<unknown>): Promise<number> {
  forgetPeak(familyOf(part));
  await work();
  return peakMegabytes(familyOf(part));
}

export const memory: Part = {
  name: 'memory',
  summary: `the most memory of a worker with ${WIDTH} runs of ${NODES} HTTP nodes under way`,
  weight: 1,
  async run(bench, limits) {
    const url = bench.tools.url('memory');
    const runs = roundsOf(limits, 600, 300);
    const run = await spread(bench, TENANTS, {
      name: 'memory',
      definition: toolChain(NODES),
      input: { url },
    });
    const ours = await peakOf('serve-worker.js', () => concurrently(runs, WIDTH, run));
    const theirs = await peakOf('peer/worker.ts', () =>
      concurrently(runs, WIDTH, () => runCalls(bench, 'chain', { url, calls: NODES })),
    );
    return {
      rows: [
        {
          workload: `${WIDTH} runs of ${NODES} HTTP nodes at once, ${runs} in all: most memory`,
          service: `${Math.round(ours)} MB`,
          beside: `${Math.round(theirs)} MB plain worker`,
          ratio: ours / theirs,
        },
      ],
      values: { 'worker: most memory at 200 runs under way, MB': ours },
    };
  },
};
