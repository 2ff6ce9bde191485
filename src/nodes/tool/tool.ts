/** The tool: one node type with a `kind` of its own: HTTP, integrations, MCP servers, sub-workflows (SPEC DEF-2.2). */
import { z } from 'zod';
import type { EffectClass, NodePolicy } from '../../graph/plan.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { defineNode } from '../kind.ts';
import { readConfig } from '../read-config.ts';
import { httpTool, callHttp, effectOf } from './http.ts';
import { callIntegration, integrationEffect, integrationTool } from './integration.ts';
import { callMcp, mcpTool } from './mcp.ts';
import { CHILD_TIMEOUT_MS, requestChild, workflowTool } from './workflow.ts';

const config = z.discriminatedUnion('kind', [httpTool, integrationTool, mcpTool, workflowTool]);
/** The config of a tool of any kind. */
export type ToolConfig = z.output<typeof config>;

/** What a repetition may do. What an MCP tool does is not known before its server is asked. */
function effectOfTool(given: Exclude<ToolConfig, { kind: 'workflow' }>): EffectClass {
  switch (given.kind) {
    case 'http':
      return effectOf(given);
    case 'integration':
      return integrationEffect(given);
    case 'mcp':
      return 'at_most_once';
  }
}

/** How a tool is run: as an activity or as a child, and what a repetition may do. */
export function toolPolicy(given: ToolConfig): NodePolicy {
  if (given.kind === 'workflow') {
    return {
      placement: 'child',
      effect: 'idempotent',
      timeoutMs: CHILD_TIMEOUT_MS,
      maxAttempts: 1,
      handles: [],
    };
  }
  const effect = effectOfTool(given);
  // The catalog knows which actions may be repeated; of an HTTP request only its method says so.
  const isRepeatable = effect === 'pure' || (effect === 'idempotent' && given.kind === 'integration');
  const maxAttempts = isRepeatable ? 3 : 1;
  return { placement: 'activity', effect, timeoutMs: 120_000, maxAttempts, handles: [] };
}

/** Runs the tool, or asks for the child run that it is. Throws what its kind throws. */
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
  parse: (given) => readConfig(config, given),
  policy: toolPolicy,
  run: runTool,
});
