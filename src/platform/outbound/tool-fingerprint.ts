/** Fingerprint of an MCP tool: a hash of everything that its server states about it, to detect a changed tool. */
import { createHash } from 'node:crypto';
import type { Json } from '../../language/graph/values/value.ts';
import { isObject } from '../../language/graph/values/value.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';

/** Sorts the keys of all objects, because servers do not keep their order. */
function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name): Json => [name, sortKeys(value[name] ?? null)]);
}

interface ToolDescription {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
}

/** SHA-256, as 64 hexadecimal digits. */
export function computeFingerprint({
  name,
  description = '',
  inputSchema,
  annotations,
}: ToolDescription): string {
  const fields = [name, description, inputSchema as Json, (annotations ?? null) as Json];
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(fields)))
    .digest('hex');
}

/**
 * Requires that a tool has not changed.
 * @param pinned the trusted fingerprint; null accepts any
 * @throws NothingSentError `mcp_tool_changed`
 */
export function requireUnchanged(tool: ToolDescription, pinned: string | null): void {
  const now = computeFingerprint(tool);
  if (pinned === null || pinned === now) return;
  throw new NothingSentError(
    'mcp_tool_changed',
    `The MCP server has changed the tool ${tool.name}: its fingerprint is ${now}, but ${pinned} was trusted`,
  );
}
