/** The MCP server of one request: the tools of its organization. It keeps nothing between requests. */
import { createMcpHandler, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ApiError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import { listLiveTools } from '../../engine/runs/ledger/read/workflows.ts';
import { callTool, type McpDeps, type McpHttpRequest } from './call-tool.ts';
import { TASKS_EXTENSION } from './client-capabilities.ts';
import { serveTasks } from './tasks.ts';
import { describeEffects, type ToolEffects } from './tool-effects.ts';
import { presentRefusal } from './tool-result.ts';
import { toTools, type WorkflowTool } from './tools.ts';

/** Maximum of tools in a list, because a client gives all of them to its model. */
const MAX_TOOLS = 200;

const listTools = async ({ db }: McpDeps, { scope }: McpHttpRequest): Promise<WorkflowTool[]> =>
  toTools(await listLiveTools(db, scope.organizationId, MAX_TOOLS));

function createServer(deps: McpDeps, request: McpHttpRequest, version: string): McpServer {
  const mcp = new McpServer(
    { name: 'workflows', title: 'Workflows', version },
    {
      capabilities: { tools: {}, extensions: { [TASKS_EXTENSION]: {} } },
      instructions: 'Each tool runs a workflow and returns its output.',
    },
  );
  mcp.server.setRequestHandler('tools/list', async () => {
    const tools: (Omit<WorkflowTool, 'workflowId'> & ToolEffects)[] = [];
    const { organizationId } = request.scope;
    // One after the other: a list takes one connection.
    for (const { workflowId, ...tool } of await listTools(deps, request))
      tools.push({ ...tool, ...(await describeEffects(deps, { organizationId, workflowId })) });
    return { tools };
  });
  mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = (await listTools(deps, request)).find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    const input = (params.arguments ?? {}) as JsonObject;
    try {
      return await callTool(deps, { ...request, tool, input, context });
    } catch (error) {
      if (error instanceof ApiError) return presentRefusal(error);
      throw error;
    }
  });
  serveTasks(mcp, deps, request.scope);
  return mcp;
}

/**
 * Answers one HTTP request of the protocol: JSON, or a stream when a call reports progress.
 * @param message the body, parsed
 * @param version of this service
 */
export function answerMessage(
  deps: McpDeps,
  request: McpHttpRequest,
  { http, message, version }: { readonly http: Request; readonly message: Json; readonly version: string },
): Promise<Response> {
  const handler = createMcpHandler(() => createServer(deps, request, version), {
    onerror: (error) => deps.log.debug({ err: error }, 'an MCP request was refused'),
  });
  return handler.fetch(http, { parsedBody: message });
}
