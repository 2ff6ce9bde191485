/** The tool: HTTP requests, integrations, MCP servers, sub-workflows and tables (SPEC DEF-2.2). */
import { z } from 'zod';
import type { NodePolicy } from '../../graph/schedule/plan.ts';
import { sendsOne, type AnySender } from '../effect.ts';
import { defineNode } from '../kind.ts';
import { readConfig } from '../read-config.ts';
import { RESPONSE_KEYS } from './face.ts';
import { httpTool, httpSender } from './http.ts';
import { findServiceRules, integrationSender, integrationTool } from './integration.ts';
import { mcpSender, mcpTool } from './mcp.ts';
import { tableSender, tableTool, type TableTool } from './table.ts';
import { CHILD_TIMEOUT_MS, workflowSender, workflowTool } from './workflow.ts';
import { TOOL_EXAMPLES } from './examples.ts';

const config = z.discriminatedUnion('kind', [httpTool, integrationTool, mcpTool, workflowTool, tableTool]);
/** The config of a tool of any kind. */
export type ToolConfig = z.output<typeof config>;

/** The sender of each kind of tool. */
export const TOOL_SENDERS: Readonly<Record<ToolConfig['kind'], AnySender>> = {
  http: httpSender,
  integration: integrationSender,
  mcp: mcpSender,
  workflow: workflowSender,
  table: tableSender,
};

const NO_RULES = { retry_when: null, retry_after: null };

function describeMarks({
  operation,
  table_id: tableId,
  item_key: itemKey,
  mark_after: after,
}: TableTool): Pick<NodePolicy, 'marks'> {
  return operation === 'unseen' && after !== null ? { marks: { after, tableId, itemKey } } : {};
}

/** The policy of a tool. */
export function getToolPolicy(given: ToolConfig): NodePolicy {
  const { effect } = TOOL_SENDERS[given.kind].describe(given);
  if (given.kind === 'workflow')
    return { placement: 'child', effect, timeoutMs: CHILD_TIMEOUT_MS, maxAttempts: 1, handles: [] };
  // The catalog guarantees that an action is idempotent; the method of an HTTP request does not.
  const isRepeatable =
    effect === 'pure' || given.kind === 'table' || (effect === 'idempotent' && given.kind === 'integration');
  const { retry_when: when, retry_after: after } =
    given.kind === 'mcp' || given.kind === 'table' ? NO_RULES : given;
  const declines = given.kind === 'integration' ? (findServiceRules(given).declines ?? []) : [];
  const hasRules = when !== null || after !== null || declines.length > 0;
  const maxAttempts = isRepeatable || hasRules ? 3 : 1;
  // Whether a tool of an MCP server may be repeated is known when it is called.
  const isFinal = effect === 'at_most_once' && given.kind !== 'mcp' && !hasRules;
  return {
    placement: 'activity',
    effect,
    timeoutMs: 120_000,
    maxAttempts,
    handles: [],
    ...(given.kind === 'table' ? describeMarks(given) : {}),
    ...(isFinal ? { isFinalOnceSent: true } : {}),
    ...(typeof after === 'number' ? { retryAfterMs: after * 1_000 } : {}),
  };
}

/** Kinds `http`, `integration`, `mcp`, `workflow` and `table`. */
export const tool = defineNode<ToolConfig>({
  type: 'tool',
  config,
  examples: TOOL_EXAMPLES,
  guide: [
    '{"kind": "http", "method": "GET", "url": "https://...", "headers": {}, "query": {}, "body": {}, "credential_id": null}; output {data, status}.',
    '  A service that says in its answer that it failed: "fail_when": {"rules": [{"left": "{{response.data.ok}}", "op": "is_false"}], "code": "service_error", "message": "{{response.data.error}}"};',
    '  "retry_when": {"rules": [...]} for answers after which it has done nothing; "retry_after": seconds or a template of {{response}}, which has status, headers and data.',
    '  On the error handle {{node_id.error.response.status}} and {{node_id.error.response.data}} are what the service said.',
    '  Or {"kind": "integration", "integration": "slack", "action": "...", "parameters": {}, "credential_id": "..."}, or {"kind": "workflow", "workflow_id": "...", "input": {}}.',
    '  Or {"kind": "table", "operation": "get|query|put|put_if_absent|compare_and_set|increment|delete", "table_id": "...", "key": "...", "value": {}}: rows that outlive runs; output of get {found, key, value, version}, of query {items, count, next}, of a write {key, written, version}.',
    '  Polls: {"kind": "table", "operation": "unseen", "table_id": "...", "items": "{{fetch.data}}", "item_key": "{{item.id}}", "mark_after": "post", "first": 5}: output {items, count, seen, busy, left}; the node "post" has for_each over {{node_id.items}}, and marks each item as it ends.',
  ].join('\n'),
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
    'operation',
    'table_id',
    'field',
    'limit',
    'mark_after',
    'first',
  ],
  itemKeys: ['item_key'],
  responseKeys: RESPONSE_KEYS,
  parse: (given) => readConfig(config, given),
  policy: getToolPolicy,
  ...sendsOne<ToolConfig>(({ kind }) => TOOL_SENDERS[kind]),
});
