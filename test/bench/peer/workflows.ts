/** The hand-written workflows that the service is measured beside: the same calls, as a user of Temporal writes them. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PeerActivities } from './activities.ts';

const options = { startToCloseTimeout: '2m', retry: { maximumAttempts: 3 } } as const;
// On the workflow's own queue, so that the worker that schedules an activity may start it at once.
const { callTool } = proxyActivities<PeerActivities>(options);
const local = proxyLocalActivities<PeerActivities>(options);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The least that a durable run can be. */
export async function bare(): Promise<string> {
  return 'completed';
}

/** One call after the other. */
export async function chain(url: string, calls: number): Promise<string> {
  for (let call = 0; call < calls; call += 1) await callTool(url);
  return 'completed';
}

/** All calls at once, and a join. */
export async function fanOut(url: string, calls: number): Promise<string> {
  await Promise.all(numbers(calls).map(() => callTool(url)));
  return 'completed';
}

/** The same as local activities. */
export async function fanOutLocally(url: string, calls: number): Promise<string> {
  await Promise.all(numbers(calls).map(() => local.callTool(url)));
  return 'completed';
}
