/** Reads the tools of an MCP server one by one, so that a malformed tool does not affect the others. */
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isDeeperThan, isObject } from '../../language/graph/values/value.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';

/** Tools of one server that are read; a person could not choose among more. */
export const MAX_TOOLS = 1_000;
/** A schema is sent to a model; a larger one would fill its context. */
export const MAX_SCHEMA_BYTES = 32 * 1024;
/** Limits servers that return empty pages without end. */
const MAX_PAGES = 100;
const MAX_DEPTH = 64;
/** JSON-RPC 2.0. */
const METHOD_NOT_FOUND = -32_601;

/** A tool with the fields that passed the checks. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
}

/** Hints of the protocol with their types. */
const HINTS: ReadonlyMap<string, 'string' | 'boolean'> = new Map([
  ['title', 'string'],
  ['readOnlyHint', 'boolean'],
  ['destructiveHint', 'boolean'],
  ['idempotentHint', 'boolean'],
  ['openWorldHint', 'boolean'],
]);

/** Parses a tool as far as possible; null without a name. */
function parseTool(listed: unknown): ServerTool | null {
  if (!isObject(listed)) return null;
  const { name, description, inputSchema, annotations } = listed;
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

/** Options of every request of a session. */
export interface SessionOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

async function listPage(client: Client, cursor: string | null, options: SessionOptions): Promise<ToolPage> {
  const params = cursor === null ? {} : { cursor };
  try {
    return await client.request({ method: 'tools/list', params }, toolPage, options);
  } catch (error) {
    // The server has no tools.
    if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) return { tools: [] };
    throw error;
  }
}

/** Reads the list page by page, until the caller stops. */
async function* readTools(client: Client, options: SessionOptions): AsyncGenerator<ServerTool> {
  let cursor: string | null = null;
  let seen = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor }: ToolPage = await listPage(client, cursor, options);
    for (const listed of tools) {
      if (seen >= MAX_TOOLS) return;
      seen += 1;
      const tool = parseTool(listed);
      if (tool !== null) yield tool;
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return;
    cursor = nextCursor;
  }
}

/** @returns why a tool is unusable; null when it is usable */
function findFault({ inputSchema }: ServerTool): string | null {
  if (isDeeperThan(inputSchema, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH} levels`;
  return JSON.stringify(inputSchema).length > MAX_SCHEMA_BYTES ? 'is larger than 32 kB' : null;
}

/**
 * Finds a tool by its name.
 * @throws NothingSentError `mcp_tool_not_found`; `mcp_server_refused` for an unusable tool; what the session throws
 */
export async function findTool(client: Client, name: string, options: SessionOptions): Promise<ServerTool> {
  for await (const tool of readTools(client, options)) {
    if (tool.name !== name) continue;
    const fault = findFault(tool);
    if (fault === null) return tool;
    throw new NothingSentError('mcp_server_refused', `The schema of the MCP tool ${fault}`);
  }
  throw new NothingSentError('mcp_tool_not_found', 'The MCP server does not have this tool');
}

/** Lists the usable tools. @throws what the session throws */
export async function listUsableTools(
  client: Client,
  options: SessionOptions,
): Promise<readonly ServerTool[]> {
  const found: ServerTool[] = [];
  for await (const tool of readTools(client, options)) if (findFault(tool) === null) found.push(tool);
  return found;
}

/** Converts to the client's type, without the output schema: the client would validate results against it. */
export const toDefinition = ({ name, inputSchema }: ServerTool): Tool => ({
  name,
  inputSchema: { ...inputSchema, type: 'object' } satisfies Record<string, Json> as Tool['inputSchema'],
});
