/** The tools that an MCP server lists, one by one: what one of them lacks, or has too much of, is no fault of the others. */
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { deeperThan, isObject } from '../graph/value.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { NothingSentError } from '../nodes/failure.ts';

/** Tools of one server that are looked at; beyond, nobody would find what they look for. */
export const MAX_TOOLS = 1_000;
/** A schema is sent to a model: a larger one would fill its context. */
export const MAX_SCHEMA_BYTES = 32 * 1024;
/** Pages may be empty, and go on all the same. */
const MAX_PAGES = 100;
const MAX_DEPTH = 64;
/** JSON-RPC 2.0. */
const METHOD_NOT_FOUND = -32_601;

/** What is believed of a tool. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
}

/** The hints of the protocol, of the types that it gives them. */
const HINTS: ReadonlyMap<string, 'string' | 'boolean'> = new Map([
  ['title', 'string'],
  ['readOnlyHint', 'boolean'],
  ['destructiveHint', 'boolean'],
  ['idempotentHint', 'boolean'],
  ['openWorldHint', 'boolean'],
]);

/** A tool with what can be read of it; null when it has no name to call it by. */
function readTool(told: unknown): ServerTool | null {
  if (!isObject(told)) return null;
  const { name, description, inputSchema, annotations } = told;
  if (typeof name !== 'string' || name === '') return null;
  const hints = isObject(annotations)
    ? Object.entries(annotations).filter(([hint, value]) => typeof value === HINTS.get(hint))
    : null;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
    ...(hints === null ? {} : { annotations: Object.fromEntries(hints) as JsonObject }),
  };
}

const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.unknown().optional() });
type ToolPage = z.output<typeof toolPage>;

/** How a session is asked. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

async function listPage(client: Client, cursor: string | null, asking: Asking): Promise<ToolPage> {
  const params = cursor === null ? {} : { cursor };
  try {
    return await client.request({ method: 'tools/list', params }, toolPage, asking);
  } catch (error) {
    // A server without tools.
    if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) return { tools: [] };
    throw error;
  }
}

/** Reads the list page by page, as far as somebody wants to hear. */
async function* readTools(client: Client, asking: Asking): AsyncGenerator<ServerTool> {
  let cursor: string | null = null;
  let seen = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor }: ToolPage = await listPage(client, cursor, asking);
    for (const told of tools) {
      if (seen >= MAX_TOOLS) return;
      seen += 1;
      const tool = readTool(told);
      if (tool !== null) yield tool;
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return;
    cursor = nextCursor;
  }
}

/** Why a tool cannot be used; null: it can. */
function faultOf({ inputSchema }: ServerTool): string | null {
  if (deeperThan(inputSchema, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  return JSON.stringify(inputSchema).length > MAX_SCHEMA_BYTES ? 'is larger than 32 kB' : null;
}

/**
 * Finds a tool by its name.
 * @throws NothingSentError `mcp_tool_not_found`, `mcp_server_refused` for one that cannot be used; what the session throws
 */
export async function findTool(client: Client, name: string, asking: Asking): Promise<ServerTool> {
  for await (const tool of readTools(client, asking)) {
    if (tool.name !== name) continue;
    const fault = faultOf(tool);
    if (fault === null) return tool;
    throw new NothingSentError('mcp_server_refused', `The schema of the MCP tool ${fault}`);
  }
  throw new NothingSentError('mcp_tool_not_found', 'The MCP server has no such tool');
}

/** The tools that can be used. @throws what the session throws */
export async function listUsableTools(client: Client, asking: Asking): Promise<readonly ServerTool[]> {
  const found: ServerTool[] = [];
  for await (const tool of readTools(client, asking)) if (faultOf(tool) === null) found.push(tool);
  return found;
}

/** The tool as the client wants to know it: without a schema of its result, which would be held against what it answers. */
export const toDefinition = ({ name, inputSchema }: ServerTool): Tool => ({
  name,
  inputSchema: { ...inputSchema, type: 'object' } satisfies Record<string, Json> as Tool['inputSchema'],
});
