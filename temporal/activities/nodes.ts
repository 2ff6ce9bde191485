/** The activities of effectful nodes: one per type of node, and two for agents. */
import { NODE_TYPES, SYSTEM_NODE_TYPES } from '../../src/graph/definition.ts';
import { callAgentTool } from '../../src/runs/execute/agent-call.ts';
import { takeAgentTurn } from '../../src/runs/execute/agent-turn.ts';
import type { ExecuteDeps } from '../../src/runs/execute/deps.ts';
import type { AgentCallTask, AgentTurnTask, NodeTask, OpenCall } from '../../src/runs/execute/protocol.ts';
import { runNode } from '../../src/runs/execute/run-node.ts';
import type { AgentActivities, NodeActivities } from '../contract.ts';
import { inActivity } from './activity-host.ts';

export function createNodeActivities(deps: ExecuteDeps): NodeActivities & AgentActivities {
  const node = (task: NodeTask | OpenCall) => inActivity((host) => runNode(deps, host, task));
  const nodes = Object.fromEntries([...NODE_TYPES, ...SYSTEM_NODE_TYPES].map((type) => [type, node]));
  return {
    ...(nodes as NodeActivities),
    agent: (task: AgentTurnTask) => inActivity((host) => takeAgentTurn(deps, host, task)),
    agentTool: (task: AgentCallTask) => inActivity((host) => callAgentTool(deps, host, task)),
  };
}
