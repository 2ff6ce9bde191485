/** The hand-written workflows, run to their end from here. */
import { randomUUID } from 'node:crypto';
import type { Bench } from './system.ts';

async function execute(bench: Bench, type: string, workflowId: string, args: unknown[]): Promise<void> {
  await bench.temporal.workflow.execute(type, { args, taskQueue: bench.peerQueue, workflowId });
}

/** A workflow that does nothing. */
export async function runBare(bench: Bench): Promise<void> {
  await execute(bench, 'bare', randomUUID(), []);
}

/** So many calls of a tool, as a user of Temporal writes them: each activity makes the call and nothing else. */
export async function runCalls(
  bench: Bench,
  type: 'chain' | 'fanOut' | 'fanOutLocally',
  { url, calls }: { readonly url: string; readonly calls: number },
): Promise<void> {
  await execute(bench, type, randomUUID(), [url, calls]);
}
