/** The tool: HTTP requests, integrations, MCP servers and sub-workflows (SPEC DEF-2.2). */
import { z } from 'zod';
import type { EffectClass, NodePolicy } from '../../graph/schedule/plan.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { defineNode } from '../kind.ts';
import { readConfig } from '../read-config.ts';
import { toSends, type Sends } from '../sends.ts';
import { RESPONSE_KEYS } from './answer-rules.ts';
import { httpTool, callHttp, classifyHttpEffect } from './http.ts';
import { callIntegration, classifyActionEffect, integrationTool } from './integration.ts';
import { callMcp, mcpTool } from './mcp.ts';
import { CHILD_TIMEOUT_MS, requestChild, workflowTool } from './workflow.ts';

const config = z.discriminatedUnion('kind', [httpTool, integrationTool, mcpTool, workflowTool]);
/** The config of a tool of any kind. */
export type ToolConfig = z.output<typeof config>;

/** Classifies a tool by its effect; an MCP tool is at most once, because the annotations of its server are not known here. */
function classifyToolEffect(given: Exclude<ToolConfig, { kind: 'workflow' }>): EffectClass {
  switch (given.kind) {
    case 'http':
      return classifyHttpEffect(given);
    case 'integration':
      return classifyActionEffect(given);
    case 'mcp':
      return 'at_most_once';
  }
}

/** The policy of a tool. */
export function getToolPolicy(given: ToolConfig): NodePolicy {
  if (given.kind === 'workflow') {
    return {
      placement: 'child',
      effect: 'idempotent',
      timeoutMs: CHILD_TIMEOUT_MS,
      maxAttempts: 1,
      handles: [],
    };
  }
  const effect = classifyToolEffect(given);
  // The catalog guarantees that an action is idempotent; the method of an HTTP request does not.
  const isRepeatable = effect === 'pure' || (effect === 'idempotent' && given.kind === 'integration');
  const hasRules = given.kind !== 'mcp' && (given.retry_when !== null || given.retry_after !== null);
  const maxAttempts = isRepeatable || hasRules ? 3 : 1;
  // Whether a tool of an MCP server may be repeated is known when it is called.
  const after = given.kind === 'mcp' ? null : given.retry_after;
  const isFinal = effect === 'at_most_once' && given.kind !== 'mcp' && !hasRules;
  return {
    placement: 'activity',
    effect,
    timeoutMs: 120_000,
    maxAttempts,
    handles: [],
    ...(isFinal ? { isFinalOnceSent: true } : {}),
    ...(typeof after === 'number' ? { retryAfterMs: after * 1_000 } : {}),
  };
}

/** Lists what a call of the tool sends. */
export const listToolSends = (given: ToolConfig): Sends =>
  given.kind === 'workflow'
    ? { effects: [], children: [{ workflowId: given.workflow_id, deployment: given.deployment }] }
    : toSends(classifyToolEffect(given));

/** Runs the tool, or requests its child run. Throws the errors of its kind. */
export function runTool(call: NodeCall<ToolConfig>): Promise<NodeResult> | NodeResult {
  const given = call.config;
  switch (given.kind) {
    case 'http':
      return callHttp({ ...call, config: given });
    case 'integration':
      return callIntegration({ ...call, config: given });
    case 'mcp':
      return callMcp({ ...call, config: given });
    case 'workflow':
      return requestChild(call, given);
  }
}

/** Kinds `http`, `integration`, `mcp` and `workflow`. */
export const tool = defineNode<ToolConfig>({
  type: 'tool',
  config,
  literalKeys: [
    'kind',
    'method',
    'credential_id',
    'fail_on_status',
    'effect',
    'idempotent',
    'workflow_id',
    'wait',
    'integration',
    'integration_version',
    'action',
    'server_url',
    'tool',
    'transport',
  ],
  responseKeys: RESPONSE_KEYS,
  parse: (given) => readConfig(config, given),
  policy: getToolPolicy,
  sends: listToolSends,
  run: runTool,
});
