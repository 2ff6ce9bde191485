/** The hand-written workflows that the service is measured beside: the same work, without an interpreter. */
import { proxyActivities } from '@temporalio/workflow';
import type { PeerActivities } from './activities.ts';

const { callTool } = proxyActivities<PeerActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 3 },
});

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
  await Promise.all(Array.from({ length: calls }, () => callTool(url)));
  return 'completed';
}
