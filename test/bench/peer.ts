/** The hand-written workflows, run to their end from here. */
import { randomUUID } from 'node:crypto';
import type { Bench } from './system.ts';

/** A workflow that does nothing. */
export async function runBare(bench: Bench): Promise<void> {
  await bench.temporal.workflow.execute('bare', { taskQueue: bench.peerQueue, workflowId: randomUUID() });
}

/** The same tool calls, one after the other or all at once. */
export async function runCalls(
  bench: Bench,
  type: 'chain' | 'fanOut',
  url: string,
  calls: number,
): Promise<void> {
  await bench.temporal.workflow.execute(type, {
    args: [url, calls],
    taskQueue: bench.peerQueue,
    workflowId: randomUUID(),
  });
}
