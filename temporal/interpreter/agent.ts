/** An agent from its first turn to its outcome: an activity per turn, and each tool call as a node of its kind would run. */
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

/** How the run schedules what an agent does. */
interface AgentHost {
  readonly runCall: (call: Execution) => Promise<NodeOutcome>;
  readonly hosting: LocalActivityBudget;
}

/**
 * Runs one agent, to its end or until it can do nothing but wait for people. Only a cancellation of the run is thrown.
 * @param from the turn that it goes on with after an answer; null: it begins
 */
export async function runAgent(
  { node, task }: Execution,
  from: number | null,
  { runCall, hosting }: AgentHost,
): Promise<NodeOutcome> {
  for (let turn = from ?? 1; ; turn += 1) {
    const own = { ...task, turn };
    const { outcome, calls, atOnce, asks } =
      turn === from
        ? await ledgerActivities.resumeAgent(own)
        : await hosting.runActivity(() => runTurn({ node, task: own }));
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

/** A tool call as an execution of the kind of node that it runs as. Operators read `Tool · get_weather (agent turn 2)`. */
function toExecution({ node, task }: TurnExecution, { call, ...kind }: AgentCall): Execution {
  const shape: SkeletonNode = { ...node, ...kind, id: `${node.id} turn ${task.turn}`, maxConcurrency: 0 };
  const own: AgentCallTask = { ...task, call };
  return { node: shape, task: own };
}

/** Makes the calls, so many at once; ends when none is under way any more, also when one breaks. */
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
