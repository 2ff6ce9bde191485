/** The hand-written workflows that the service is measured beside: the same work, without an interpreter. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { nodesTaskQueue } from '../../../temporal/contract.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import type { NodeActivities } from '../../../temporal/contract.ts';
import type { PeerActivities } from './activities.ts';

const options = {
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 3 },
} as const;

const { callTool } = proxyActivities<PeerActivities>(options);

/** Runs node `n<number>` of the run's definition: the service's own activity on a queue of its own, as there. */
async function runTool(run: RunRef, number: number): Promise<void> {
  const { tool } = proxyActivities<NodeActivities>({
    ...options,
    taskQueue: nodesTaskQueue(workflowInfo().taskQueue),
  });
  await tool({
    ...run,
    runPk: run.rootRunPk,
    nodeId: `n${number}`,
    visit: 1,
    depth: number,
    position: number,
    itemIndex: -1,
    iteration: null,
    loop: {},
  });
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The least that a durable run can be. */
export async function bare(): Promise<string> {
  return 'completed';
}

/** The service's activities, one after the other. */
export async function chain(run: RunRef, calls: number): Promise<string> {
  for (const number of numbers(calls)) await runTool(run, number);
  return 'completed';
}

/** The service's activities all at once, and a join. */
export async function fanOut(run: RunRef, calls: number): Promise<string> {
  await Promise.all(numbers(calls).map((number) => runTool(run, number)));
  return 'completed';
}

/** One bare call after the other. */
export async function bareChain(url: string, calls: number): Promise<string> {
  for (let call = 0; call < calls; call += 1) await callTool(url);
  return 'completed';
}

/** All bare calls at once, and a join. */
export async function bareFanOut(url: string, calls: number): Promise<string> {
  await Promise.all(numbers(calls).map(() => callTool(url)));
  return 'completed';
}
