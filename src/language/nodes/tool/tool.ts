/** The tool: HTTP requests, integrations, MCP servers and sub-workflows (SPEC DEF-2.2). */
import { z } from 'zod';
import type { NodePolicy } from '../../graph/schedule/plan.ts';
import { sendsOne, type AnySender } from '../effect.ts';
import { defineNode } from '../kind.ts';
import { readConfig } from '../read-config.ts';
import { RESPONSE_KEYS } from './answer-rules.ts';
import { httpTool, httpSender } from './http.ts';
import { integrationSender, integrationTool } from './integration.ts';
import { mcpSender, mcpTool } from './mcp.ts';
import { CHILD_TIMEOUT_MS, workflowSender, workflowTool } from './workflow.ts';

const config = z.discriminatedUnion('kind', [httpTool, integrationTool, mcpTool, workflowTool]);
/** The config of a tool of any kind. */
export type ToolConfig = z.output<typeof config>;

/** The sender of each kind of tool. */
export const TOOL_SENDERS: Readonly<Record<ToolConfig['kind'], AnySender>> = {
  http: httpSender,
  integration: integrationSender,
  mcp: mcpSender,
  workflow: workflowSender,
};

/** The policy of a tool. */
export function getToolPolicy(given: ToolConfig): NodePolicy {
  const { effect } = TOOL_SENDERS[given.kind].describe(given);
  if (given.kind === 'workflow')
    return { placement: 'child', effect, timeoutMs: CHILD_TIMEOUT_MS, maxAttempts: 1, handles: [] };
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
  ...sendsOne<ToolConfig>(({ kind }) => TOOL_SENDERS[kind]),
});
