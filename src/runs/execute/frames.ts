/** Events of node executions as they stand in the stream (SPEC RUN-3.3). */
import type { JsonObject, Json } from '../../graph/value.ts';
import type { NewEvent } from '../ledger/events.ts';
import type { NodeExecution } from './context.ts';

/** A value above this size stands in a frame as null with `*_truncated` (SPEC RUN-3.3); the record has it whole. */
export const FRAME_VALUE_BYTES = 65_536;

/** The fields that every node event carries. */
export function nodeFields(execution: NodeExecution): JsonObject {
  const { node, item, iteration } = execution;
  return {
    step_id: execution.stepId,
    node_id: node.id,
    node_type: node.type,
    node_name: node.name,
    attempt: execution.attempt,
    depth: execution.depth,
    ...(item === null ? {} : { item_index: item.index, parent_step_id: item.parentStepId }),
    ...(iteration === null ? {} : { iteration }),
  };
}

export function nodeEvent(type: string, execution: NodeExecution, fields: JsonObject = {}): NewEvent {
  return { type, payload: { ...nodeFields(execution), ...fields } };
}

/** A value for a frame: itself, or null and the flag when it is too large. @param bytes its size, if that is known */
export function cut(name: string, value: Json, bytes = byteLength(value)): JsonObject {
  const tooLarge = bytes > FRAME_VALUE_BYTES;
  return { [name]: tooLarge ? null : value, [`${name}_truncated`]: tooLarge };
}

/** Size of a value as JSON, in bytes. */
export function byteLength(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
