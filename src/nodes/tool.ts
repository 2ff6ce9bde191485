/** The tool: one node type with a `kind` of its own: HTTP, integrations, MCP servers, sub-workflows (definition 2.2). */
import { z } from 'zod';
import type { EffectClass, NodePolicy } from '../graph/plan.ts';
import { defineNode } from './kind.ts';
import { readConfig } from './read-config.ts';
import { callHttp, effectOf, httpTool } from './tool-http.ts';
import { callIntegration, integrationEffect, integrationTool } from './tool-integration.ts';
import { callMcp, mcpTool } from './tool-mcp.ts';
import { CHILD_TIMEOUT_MS, requestChild, workflowTool } from './tool-workflow.ts';

const config = z.discriminatedUnion('kind', [httpTool, integrationTool, mcpTool, workflowTool]);
type Config = z.output<typeof config>;

/** What a repetition may do. What an MCP tool does is not known before its server is asked. */
function effectOfTool(given: Exclude<Config, { kind: 'workflow' }>): EffectClass {
  switch (given.kind) {
    case 'http':
      return effectOf(given);
    case 'integration':
      return integrationEffect(given);
    case 'mcp':
      return 'at_most_once';
  }
}

function policyOf(given: Config): NodePolicy {
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

/** Kinds `http`, `integration`, `mcp` and `workflow`. */
export const tool = defineNode<Config>({
  type: 'tool',
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
  policy: policyOf,
  run(call) {
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
  },
});
