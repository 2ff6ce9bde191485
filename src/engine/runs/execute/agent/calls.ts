/** The tool calls of an agent: which of them may be executed, and as which execution. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../../base/db/client.ts';
import type { PlanNode } from '../../../../language/graph/schedule/plan.ts';
import { isObject, ownValue } from '../../../../language/graph/values/value.ts';
import { readCalls, readOffers, type AgentCallRow, type CallsKey } from '../../ledger/write/agent-records.ts';
import type { StepKey } from '../../ledger/write/steps.ts';
import type { AgentConfig } from '../../../../language/nodes/agent/agent.ts';
import type { AgentTool, Approval } from '../../../../language/nodes/agent/agent-tool.ts';
import {
  pinFingerprint,
  getCallablePolicy,
  type RequestedCall,
} from '../../../../language/nodes/agent/offer.ts';
import type { RunContext } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';
import { createInternalError } from '../../walk/internal-error.ts';

/** Gets the config of an agent's node. */
export const getAgentConfig = ({ ready }: Pick<RunContext, 'ready'>, { index }: PlanNode): AgentConfig =>
  ready.configs[index] as AgentConfig;

/** The people of a call: those of its tool, or of a rule of the organization. */
interface CallApproval extends Approval {
  readonly requiredResponses: number;
  /** Of a rule; null: of the tool. */
  readonly rule: { readonly name: string; readonly message: string } | null;
}

function findApproval(tool: AgentTool, { asked }: RequestedCall): CallApproval | null {
  if (asked === undefined)
    return tool.approval === null ? null : { ...tool.approval, requiredResponses: 1, rule: null };
  const {
    assignees,
    required_responses: requiredResponses,
    timeout_seconds: timeout,
    message,
  } = asked.confirm;
  const isOpen = assignees.roles.length + assignees.user_ids.length === 0;
  return {
    assignees: isOpen && tool.approval !== null ? tool.approval.assignees : assignees,
    timeoutSeconds: timeout ?? tool.approval?.timeoutSeconds ?? null,
    requiredResponses,
    rule: { name: asked.rule, message },
  };
}

/** A call with its tool. */
export interface KnownCall extends AgentCallRow {
  /** Null: the model requested a tool that it does not have, or with arguments that do not match its schema. */
  readonly tool: AgentTool | null;
  /** Whom it is shown to before it is made; null: nobody. */
  readonly approval: CallApproval | null;
  /** No approval is needed, or it was given. */
  readonly isAllowed: boolean;
  /** It waits for approval. */
  readonly waits: boolean;
}

/** Reads the calls of an agent, or those that `key` names, with their approvals. */
export async function readKnownCalls(sql: Sql, config: AgentConfig, key: CallsKey): Promise<KnownCall[]> {
  return (await readCalls(sql, key)).map((row) => {
    const { request, question, response } = row;
    const tool = config.tools.find(({ name }) => name === request.name) ?? null;
    if (tool === null || request.refusal !== null)
      return { ...row, tool: null, approval: null, isAllowed: true, waits: false };
    const approval = findApproval(tool, request);
    const action = question === 'consumed' ? response?.action : null;
    const isAllowed = approval === null || action === 'approve' || action === 'edit';
    const edited = action === 'edit' ? ownValue(response?.data ?? null, 'arguments') : null;
    return {
      ...row,
      request: isObject(edited) ? { ...request, arguments: edited, text: JSON.stringify(edited) } : request,
      tool,
      approval,
      isAllowed,
      waits: !isAllowed && row.stepId === null,
    };
  });
}

/** Derives the node that a tool call runs as: the policy of its kind, with the agent's timeout as the limit. */
export function deriveNode(
  agent: PlanNode,
  { tool, request }: Pick<KnownCall, 'tool' | 'request'>,
): Pick<PlanNode, 'type' | 'name' | 'policy'> {
  if (tool === null) return { type: 'tool', name: request.name, policy: { ...agent.policy, effect: 'pure' } };
  const policy = getCallablePolicy(tool.config);
  const timeoutMs = Math.min(policy.timeoutMs, agent.policy.timeoutMs);
  const type = tool.config.kind === 'knowledge' ? 'knowledge' : 'tool';
  return { type, name: tool.name, policy: { ...policy, timeoutMs } };
}

/** Derives the execution of a tool call, without edges and state updates. @param agent the execution of its agent */
export function deriveExecution(agent: NodeExecution, known: KnownCall): NodeExecution {
  const { turn, call, request, agentStepId, tool, response, interruptId } = known;
  const kind = deriveNode(agent.node, known);
  const { maxAttempts } = kind.policy;
  return {
    ...agent,
    stepId: randomUUID(),
    attempt: 1,
    node: {
      ...agent.node,
      ...kind,
      retry: { ...agent.node.retry, maxAttempts },
      defaultOutput: null,
      stateUpdates: {},
      out: [],
      in: [],
    },
    toolCall: {
      turn,
      call,
      agentStepId,
      request,
      tool: tool?.config ?? null,
      approvedBy: response?.action === 'approve' ? interruptId : null,
    },
  };
}

/** Finds the execution of a call that may be made. @throws NodeError when it was not requested or not approved */
export async function findToolExecution(
  { sql, ready }: Pick<RunContext, 'sql' | 'ready'>,
  agent: NodeExecution,
  key: StepKey,
): Promise<NodeExecution> {
  const [known] = await readKnownCalls(sql, getAgentConfig({ ready }, agent.node), key);
  if (known?.isAllowed !== true) throw createInternalError('This call was not requested, or not approved');
  const execution = deriveExecution(agent, known);
  const { tool } = known;
  if (tool?.config.kind !== 'mcp' || execution.toolCall === undefined) return execution;
  const offers = await readOffers(sql, known.agentStepId);
  return { ...execution, toolCall: { ...execution.toolCall, tool: pinFingerprint(tool, offers) } };
}
