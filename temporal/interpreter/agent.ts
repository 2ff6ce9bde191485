/** Runs an agent: each turn is one activity, and each tool call runs like a node of its kind. */
import { workflowInfo } from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import type {
  AgentCall,
  AgentCallTask,
  AgentTurnResult,
  AgentTurnTask,
  NodeOutcome,
} from '../../src/engine/runs/execute/protocol.ts';
import { handleFailure, type Execution } from './attempts.ts';
import type { LocalActivityBudget } from './local-activity-budget.ts';
import { ledgerActivities, runTurnActivity } from './activities.ts';

/** Functions of the run that an agent needs. */
interface AgentDeps {
  readonly runCall: (call: Execution) => Promise<NodeOutcome>;
  readonly budget: LocalActivityBudget;
}

/**
 * Runs an agent until it ends or pauses for approvals.
 * @param from the turn whose approvals were answered; null starts the agent
 * @returns the outcome of the agent's node
 * @throws only the cancellation of the run
 */
export async function runAgent(
  { node, task }: Execution,
  from: number | null,
  { runCall, budget }: AgentDeps,
): Promise<NodeOutcome> {
  for (let turn = from ?? 1; ; turn += 1) {
    const turnTask = { ...task, turn };
    const execution = { node, task: turnTask };
    const { outcome, calls, atOnce, asks } =
      turn === from
        ? await ledgerActivities.resumeAgent(turnTask)
        : await budget.runActivity(() => runTurn(execution));
    if (outcome !== null) return outcome;
    await runCalls(calls, atOnce, (call) => runCall(toExecution(execution, call)));
    if (asks === true) return ledgerActivities.pauseAgent(turnTask);
  }
}

type TurnExecution = Execution & { readonly task: AgentTurnTask };

/** Runs the activity of a turn until an attempt ends the turn. */
async function runTurn({ node, task }: TurnExecution): Promise<AgentTurnResult> {
  const { taskQueue } = workflowInfo();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTurnActivity(node, task, { taskQueue, attempt });
    } catch (error) {
      const outcome = await handleFailure({ node, task }, error);
      if (outcome !== null) return { outcome, calls: [], atOnce: 1 };
    }
  }
}

/** Builds the execution of a tool call; operators see it as `Tool · get_weather (agent turn 2)`. */
function toExecution({ node, task }: TurnExecution, { call, ...kind }: AgentCall): Execution {
  const callNode: SkeletonNode = {
    ...node,
    ...kind,
    id: `${node.id} turn ${task.turn}`,
    maxConcurrency: 0,
  };
  const callTask: AgentCallTask = { ...task, call };
  return { node: callNode, task: callTask };
}

/** Runs the calls, at most `atOnce` concurrently. @throws the first error of a call, after all the others have ended */
async function runCalls(
  calls: readonly AgentCall[],
  atOnce: number,
  run: (call: AgentCall) => Promise<NodeOutcome>,
): Promise<void> {
  const waiting = [...calls];
  const runWaiting = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await run(call);
  };
  const loops = await Promise.allSettled(Array.from({ length: Math.min(atOnce, calls.length) }, runWaiting));
  for (const loop of loops) if (loop.status === 'rejected') throw loop.reason;
}
