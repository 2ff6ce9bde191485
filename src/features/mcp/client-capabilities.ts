/** The capabilities that a client declares with each request. A client of 2025 declares none here: it gets plain results. */
import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';

/** The extension by which a call may become a task (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

function readCapability({ mcpReq: { envelope } }: ServerContext, name: string): Json | undefined {
  return ownValue(ownValue((envelope ?? {}) as JsonObject, CLIENT_CAPABILITIES_META_KEY), name);
}

/** True when the client can show forms to its user. */
export const canElicit = (context: ServerContext): boolean =>
  isObject(readCapability(context, 'elicitation'));

/** True when the client can follow tasks. */
export const canFollowTasks = (context: ServerContext): boolean =>
  isObject(ownValue(readCapability(context, 'extensions'), TASKS_EXTENSION));
