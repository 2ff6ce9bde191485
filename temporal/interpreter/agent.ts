/** An agent from its first turn to its outcome: an activity per turn, then one or a child run per tool call. */
import { workflowInfo } from '@temporalio/workflow';
import type {
  AgentCall,
  AgentTurnResult,
  AgentTurnTask,
  NodeOutcome,
} from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { summaryOf } from '../contract.ts';
import { decide, isOurCancellation, reasonOf, retryOf, waitForRetry, type Execution } from './attempts.ts';
import { runChildWorkflow } from './children.ts';
import { ledgerActivities, runToolActivity, runTurnActivity } from './options.ts';

/**
 * Runs one agent, to its end or until it can do nothing but wait for people. Only a cancellation of the run is thrown.
 * @param from the turn that it goes on with after an answer; null: it begins
 */
export async function runAgent(
  { node, task }: Execution,
  input: InterpretInput,
  from: number | null,
): Promise<NodeOutcome> {
  for (let turn = from ?? 1; ; turn += 1) {
    const own = { ...task, turn };
    const { outcome, calls, atOnce, asks } =
      turn === from ? await ledgerActivities.resumeAgent(own) : await runTurn({ node, task: own });
    if (outcome !== null) return outcome;
    await runCalls(calls, atOnce, (call) => runCall({ node, task: own }, input, call));
    if (asks === true) return ledgerActivities.pauseAgent(own);
  }
}

type TurnExecution = Execution & { readonly task: AgentTurnTask };

async function runTurn({ node, task }: TurnExecution): Promise<AgentTurnResult> {
  const { taskQueue } = workflowInfo();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTurnActivity(node, task, { taskQueue, attempt });
    } catch (error) {
      const outcome = await decide({ node, task }, error);
      if (outcome !== null) return { outcome, calls: [], atOnce: 1 };
    }
  }
}

/** Makes the calls, so many at once; ends when none is under way any more, also when one breaks. */
async function runCalls(
  calls: readonly AgentCall[],
  atOnce: number,
  run: (call: AgentCall) => Promise<void>,
): Promise<void> {
  const waiting = [...calls];
  const lane = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await run(call);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, calls.length) }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}

async function runCall(
  { node, task: turn }: TurnExecution,
  input: InterpretInput,
  call: AgentCall,
): Promise<void> {
  const task = { ...turn, call: call.call };
  if (call.isChild) {
    const child = await ledgerActivities.prepareAgentChild(task);
    if (child === null) return;
    return ledgerActivities.settleAgentChild(task, await runChildWorkflow(node, child, input));
  }
  const { taskQueue } = workflowInfo();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runToolActivity(call, task, { taskQueue, attempt });
    } catch (error) {
      if (isOurCancellation(error)) throw error;
      const delayMs = retryOf(error);
      if (delayMs === null) return ledgerActivities.settleAgentCall(task, reasonOf(error));
      await waitForRetry(summaryOf(node, ` ${call.name}`), delayMs);
    }
  }
}
