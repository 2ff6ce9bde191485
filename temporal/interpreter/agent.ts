/** Runs an agent: one activity per turn, and each tool call as a node of its kind. */
import { workflowInfo } from '@temporalio/workflow';
import type { SkeletonNode } from '../../src/graph/skeleton.ts';
import type {
  AgentCall,
  AgentCallTask,
  AgentTurnResult,
  AgentTurnTask,
  NodeOutcome,
} from '../../src/runs/execute/protocol.ts';
import { handleFailure, type Execution } from './attempts.ts';
import type { LocalActivityBudget } from './local-activity-budget.ts';
import { ledgerActivities, runTurnActivity } from './activities.ts';

/** Functions of the run that an agent needs. */
interface AgentDeps {
  readonly runCall: (call: Execution) => Promise<NodeOutcome>;
  readonly budget: LocalActivityBudget;
}

/**
 * Runs one agent until it ends or pauses for approvals.
 * @param from the turn to resume after an answer; null: the agent starts
 * @throws a cancellation of the run, and nothing else
 */
export async function runAgent(
  { node, task }: Execution,
  from: number | null,
  { runCall, budget }: AgentDeps,
): Promise<NodeOutcome> {
  for (let turn = from ?? 1; ; turn += 1) {
    const own = { ...task, turn };
    const { outcome, calls, atOnce, asks } =
      turn === from
        ? await ledgerActivities.resumeAgent(own)
        : await budget.runActivity(() => runTurn({ node, task: own }));
    if (outcome !== null) return outcome;
    await runCalls(calls, atOnce, (call) => runCall(toExecution({ node, task: own }, call)));
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
      const outcome = await handleFailure({ node, task }, error);
      if (outcome !== null) return { outcome, calls: [], atOnce: 1 };
    }
  }
}

/** Builds the execution of a tool call; operators see it as `Tool · get_weather (agent turn 2)`. */
function toExecution({ node, task }: TurnExecution, { call, ...kind }: AgentCall): Execution {
  const shape: SkeletonNode = { ...node, ...kind, id: `${node.id} turn ${task.turn}`, maxConcurrency: 0 };
  const own: AgentCallTask = { ...task, call };
  return { node: shape, task: own };
}

/** Makes the calls, at most `atOnce` concurrently. Waits for all of them, also when one throws. */
async function runCalls(
  calls: readonly AgentCall[],
  atOnce: number,
  run: (call: AgentCall) => Promise<NodeOutcome>,
): Promise<void> {
  const waiting = [...calls];
  const lane = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await run(call);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, calls.length) }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}
