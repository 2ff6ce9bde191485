/** The hand-written workflows, run to their end from here. */
import { randomUUID } from 'node:crypto';
import { insertRun } from './peer/insert-run.ts';
import { timed } from './statistics.ts';
import type { Bench } from './system.ts';

async function execute(bench: Bench, type: string, workflowId: string, args: unknown[]): Promise<void> {
  await bench.temporal.workflow.execute(type, { args, taskQueue: bench.peerQueue, workflowId });
}

/** A workflow that does nothing. */
export async function runBare(bench: Bench): Promise<void> {
  await execute(bench, 'bare', randomUUID(), []);
}

/** The calls that a run makes: the nodes `n1` to `n<calls>` of a deployed workflow, whose input is `{url}`. */
export interface Calls {
  readonly workflowId: string;
  readonly url: string;
  readonly calls: number;
}

/**
 * The same nodes by the same activities, one after the other or all at once, by a workflow written for them.
 * @returns how long it took from the insert of the run's row to the workflow's end, in milliseconds
 */
export async function runByHand(
  bench: Bench,
  type: 'chain' | 'fanOut',
  { workflowId, url, calls }: Calls,
): Promise<number> {
  let runPk = '';
  const tookMs = await timed(async () => {
    const run = await insertRun(bench.db, workflowId, { url });
    runPk = run.rootRunPk;
    await execute(bench, type, runPk, [run, calls]);
  });
  await endByHand(bench, runPk);
  return tookMs;
}

/** Waits for the workflow of a run, and ends its row: no part of what is compared, but the bench waits for open runs. */
export async function endByHand(bench: Bench, runPk: string): Promise<void> {
  await bench.temporal.workflow.getHandle(runPk).result();
  await bench.db.query(
    `UPDATE runs SET status = 'completed', completed_at = now() WHERE id = $1 AND status = 'running'`,
    [runPk],
  );
}

/** As many calls by activities that do nothing but call: no attempt, no step, no guard. */
export async function runBareCalls(
  bench: Bench,
  type: 'bareChain' | 'bareFanOut',
  { url, calls }: Pick<Calls, 'url' | 'calls'>,
): Promise<void> {
  await execute(bench, type, randomUUID(), [url, calls]);
}
