/** The activities of effectful nodes: one per node type, as an activity and as a local activity. */
import { Context } from '@temporalio/activity';
import { takeAgentTurn } from '../../src/engine/runs/execute/agent/turn.ts';
import { runNode } from '../../src/engine/runs/execute/attempt/run.ts';
import type { ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import { runItems } from '../../src/engine/runs/execute/map.ts';
import { GONE_OUTCOME } from '../../src/engine/runs/execute/protocol.ts';
import { runnableTypes } from '../../src/language/nodes/registry.ts';
import type {
  AgentTurnTask,
  ItemRange,
  ItemRangeResult,
  NodeTask,
  ShortResult,
  ShortTask,
} from '../../src/engine/runs/execute/protocol.ts';
import type { AgentActivities, NodeActivities } from '../contract.ts';
import { runInActivity, runInLocalActivity, createLocalHost, unwrapEnd } from './activity-host.ts';
import { withRetryLimit } from './retry-limit.ts';

type ShortActivity = (short: ShortTask<NodeTask | ItemRange>) => Promise<ShortResult | ItemRangeResult>;

/** Marks a task that Temporal delivers again: it may have started before. */
const markRedelivered = <Task extends NodeTask>(task: Task): Task =>
  Context.current().info.attempt === 1 ? task : { ...task, isRepeated: true };

/** Creates the activities of the nodes queue and of the worker's own queue. */
export function createNodeActivities(deps: ExecuteDeps): NodeActivities & AgentActivities {
  const node = (task: NodeTask) =>
    runInActivity((host) => runNode(deps, host, { task: markRedelivered(task) }), GONE_OUTCOME);
  const nodes = Object.fromEntries(runnableTypes.map((type) => [type, node]));
  const goneTurn = { outcome: GONE_OUTCOME, calls: [], atOnce: 1 };
  return {
    ...(nodes as NodeActivities),
    agent: (task: AgentTurnTask) => runInActivity((host) => takeAgentTurn(deps, host, task), goneTurn),
  };
}

/** Creates the local activities of short nodes: each runs one node, or items of a mapped one. */
export function createShortNodeActivities(deps: ExecuteDeps): Record<string, ShortActivity> {
  const range = async (items: ItemRange, patienceMs: number): Promise<ItemRangeResult> => {
    const gone = { next: items.first, failed: false, open: [], gone: true } as const;
    return unwrapEnd<ItemRangeResult>(await runItems(deps, createLocalHost(patienceMs), items), gone);
  };
  const short: ShortActivity = ({ task, patienceMs }) => {
    const own = markRedelivered(task);
    return 'first' in own
      ? range(own, patienceMs)
      : runInLocalActivity(patienceMs, (host) => runNode(deps, host, { task: own }));
  };
  return Object.fromEntries(runnableTypes.map((type) => [type, withRetryLimit(deps)(short)]));
}
