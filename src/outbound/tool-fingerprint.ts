/** What makes an MCP tool the one that was trusted: a hash of everything that its server says of it. */
import { createHash } from 'node:crypto';
import type { Json } from '../graph/value.ts';
import { isObject } from '../graph/value.ts';
import { NothingSentError } from '../nodes/failure.ts';

/** The same value with the keys of all objects in one order: servers do not keep theirs. */
function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name): Json => [name, ordered(value[name] ?? null)]);
}

/** What of a tool a model or a person goes by. */
export interface ToldOfTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
}

/** SHA-256, as 64 hexadecimal digits. */
export function fingerprintOf({ name, description = '', inputSchema, annotations }: ToldOfTool): string {
  const told = [name, description, inputSchema as Json, (annotations ?? null) as Json];
  return createHash('sha256')
    .update(JSON.stringify(ordered(told)))
    .digest('hex');
}

/**
 * Refuses a tool that is not the one it was.
 * @param pinned the fingerprint that was trusted; null: any
 * @throws NothingSentError `mcp_tool_changed`
 */
export function requireUnchanged(tool: ToldOfTool, pinned: string | null): void {
  const now = fingerprintOf(tool);
  if (pinned === null || pinned === now) return;
  throw new NothingSentError(
    'mcp_tool_changed',
    `The MCP server has changed the tool ${tool.name}: its fingerprint is ${now}, and ${pinned} was trusted`,
  );
}
