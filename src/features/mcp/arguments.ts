/** The arguments of a call, against the input schema of its tool. */
import { invalid } from '../../base/errors.ts';
import { ownValue, type JsonObject } from '../../language/graph/values/value.ts';
import { RequestChecks } from '../../language/nodes/schema-issues.ts';
import type { WorkflowTool } from './tools.ts';

type InputSchema = WorkflowTool['inputSchema'];

/** Leaves out null for an optional parameter that has a type: models send it for a parameter without a value. */
function dropNulls({ properties, required }: InputSchema, given: JsonObject): JsonObject {
  const needed = new Set(Array.isArray(required) ? required : []);
  const isOptional = (name: string): boolean =>
    ownValue(ownValue(properties, name), 'type') !== undefined && !needed.has(name);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !isOptional(name)),
  );
}

/**
 * Reads the arguments of a call.
 * @returns the input of its run
 * @throws ApiError 422 for arguments that do not fit the input schema of the tool
 */
export function readArguments(
  { inputSchema }: Pick<WorkflowTool, 'inputSchema'>,
  given: JsonObject,
): JsonObject {
  const input = dropNulls(inputSchema, given);
  const issues = new RequestChecks().findIssues(inputSchema, input);
  if (issues.length === 0) return input;
  throw invalid(
    issues.map(({ path, message, type }) => ({ loc: ['arguments', ...path], msg: message, type })),
  );
}
