/** An agent from its first turn to its outcome: an activity per turn, then one or a child run per tool call. */
import { workflowInfo } from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import type {
  AgentCall,
  AgentTurnResult,
  AgentTurnTask,
  NodeOutcome,
  NodeTask,
} from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { bookkeeping, runToolActivity, runTurnActivity } from './options.ts';
import { isOurCancellation, outcomeOfFailed, reasonOf, seeChildThrough } from './tasks.ts';

export interface Agent {
  readonly node: SkeletonNode;
  /** Of the run that the agent belongs to. */
  readonly input: InterpretInput;
}

/**
 * Runs one agent, to its end or until it can do nothing but wait for people. Only a cancellation of the run is thrown.
 * @param from the turn that it goes on with after an answer; null: it begins
 */
export async function runAgent(agent: Agent, task: NodeTask, from: number | null): Promise<NodeOutcome> {
  for (let turn = from ?? 1; ; turn += 1) {
    const own = { ...task, turn };
    const { outcome, calls, atOnce, asks } =
      turn === from ? await bookkeeping.resumeAgent(own) : await runTurn(agent.node, own);
    if (outcome !== null) return outcome;
    await runCalls(calls, atOnce, (call) => runCall(agent, own, call));
    if (asks === true) return bookkeeping.pauseAgent(own);
  }
}

async function runTurn(node: SkeletonNode, task: AgentTurnTask): Promise<AgentTurnResult> {
  try {
    return await runTurnActivity(node, task, workflowInfo().taskQueue);
  } catch (error) {
    return { outcome: await outcomeOfFailed(task, error), calls: [], atOnce: 1 };
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

async function runCall({ node, input }: Agent, turn: AgentTurnTask, call: AgentCall): Promise<void> {
  const task = { ...turn, call: call.call };
  if (call.isChild) {
    const child = await bookkeeping.prepareAgentChild(task);
    if (child === null) return;
    await seeChildThrough(node, child, input);
    return bookkeeping.settleAgentChild(task);
  }
  try {
    await runToolActivity(call, task, workflowInfo().taskQueue);
  } catch (error) {
    if (isOurCancellation(error)) throw error;
    await bookkeeping.settleAgentCall(task, reasonOf(error));
  }
}
