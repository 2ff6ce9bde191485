/** The tool: one node type with a `kind` of its own; plain HTTP and sub-workflows live here (definition 2.2). */
import { z } from 'zod';
import type { JsonObject } from '../graph/value.ts';
import type { NodePolicy } from '../graph/plan.ts';
import { defineNode } from './kind.ts';
import { readConfig } from './read-config.ts';
import { callHttp, effectOf, httpTool } from './tool-http.ts';
import { CHILD_TIMEOUT_MS, requestChild, workflowTool } from './tool-workflow.ts';

const config = z.discriminatedUnion('kind', [httpTool, workflowTool]);
type Config = z.output<typeof config>;

const LATER: ReadonlySet<string> = new Set(['integration', 'mcp']);

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
  const effect = effectOf(given);
  const maxAttempts = effect === 'pure' ? 3 : 1;
  return { placement: 'activity', effect, timeoutMs: 120_000, maxAttempts, handles: [] };
}

/** Kinds `http` and `workflow`; `integration` and `mcp` are refused as not available. */
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
  ],
  parse(given: JsonObject) {
    const kind = given['kind'];
    if (typeof kind !== 'string' || !LATER.has(kind)) return readConfig(config, given);
    const message = `Tools of kind ${kind} are not available in this version`;
    return { problems: [{ code: 'tool_kind_unavailable', message, path: ['kind'] }] };
  },
  policy: policyOf,
  run(call) {
    const given = call.config;
    return given.kind === 'workflow' ? requestChild(call, given) : callHttp({ ...call, config: given });
  },
});
