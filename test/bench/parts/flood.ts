/** Part `flood`: how long a tenant waits for its first node while another tenant's runs fill the queues. */
import { randomUUID } from 'node:crypto';
import { pureChain, toolChain } from '../graphs.ts';
import { roundsOf, type Part } from '../part.ts';
import { concurrently, percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';

const FLOOD = { full: 600, quick: 100 };
const EVERY_MS = 250;

/** The time from POST to the arrival of the first node's call, in milliseconds. */
async function firstNode(bench: Bench, workflowId: string): Promise<number> {
  const tenant = await bench.tenant(1);
  const tag = randomUUID();
  const arrival = bench.tools.firstCall(tag);
  const begun = performance.now();
  await tenant.start(workflowId, { url: bench.tools.url(tag) });
  return (await arrival) - begun;
}

async function isOver(bench: Bench, organizationId: string): Promise<boolean> {
  const { rows } = await bench.db.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM runs WHERE organization_id = $1 AND status = 'running') AS open`,
    [organizationId],
  );
  return rows[0]?.open !== true;
}

export const flood: Part = {
  name: 'flood',
  summary: `start to first node of one tenant while another floods ${FLOOD.full} runs (quick: ${FLOOD.quick})`,
  weight: 2,
  async run(bench, limits) {
    const [flooder, other] = [await bench.tenant(0), await bench.tenant(1)];
    const flooding = await flooder.deploy('flood', pureChain(10));
    const workflowId = await other.deploy('other', toolChain(1));
    await concurrently(5, 1, () => firstNode(bench, workflowId));
    const idle = await concurrently(roundsOf(limits, 40, 20), 1, () => firstNode(bench, workflowId));

    const count = roundsOf(limits, FLOOD.full, FLOOD.quick);
    const input = { url: bench.tools.url('flood'), value: 1 };
    const flooded = concurrently(count, 20, () => flooder.start(flooding, input));
    // On a clock, whether or not the one before has begun: a tenant who waits would ask less and look better.
    const starts: Promise<number>[] = [];
    do {
      starts.push(firstNode(bench, workflowId));
      limits.tell(`${starts.length} starts during the flood`);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    } while (!(await isOver(bench, flooder.organizationId)));
    await flooded;
    const during = await Promise.all(starts);
    const [before, after] = [percentile(idle, 0.95), percentile(during, 0.95)];
    return {
      rows: [
        {
          workload: `another tenant's first node, p95 of ${during.length}`,
          service: `${ms(after)} in a flood of ${count}`,
          beside: `${ms(before)} idle`,
          ratio: after / before,
        },
      ],
      // The goal speaks of the full flood.
      values: limits.quick
        ? {}
        : { "another tenant's start to first node p95, flood / idle": after / before },
    };
  },
};
