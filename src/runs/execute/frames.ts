/** Events of node executions as they stand in the stream (SPEC RUN-3.3). */
import type { JsonObject, Json } from '../../graph/value.ts';
import type { NewEvent } from '../ledger/events.ts';
import type { StepRow } from '../ledger/steps.ts';
import type { NodeExecution, ToolCall } from './context.ts';

/** A value above this size stands in a frame as null with `*_truncated` (SPEC RUN-3.3); the record has it whole. */
export const FRAME_VALUE_BYTES = 65_536;

/** The fields that every node event carries. */
export function buildNodeFields(execution: NodeExecution): JsonObject {
  const { node, item, iteration, toolCall } = execution;
  const parentStepId = toolCall?.agentStepId ?? item?.parentStepId;
  return {
    step_id: execution.stepId,
    node_id: node.id,
    node_type: node.type,
    node_name: node.name,
    attempt: execution.attempt,
    depth: execution.depth,
    ...(item === null ? {} : { item_index: item.index }),
    ...(parentStepId === undefined ? {} : { parent_step_id: parentStepId }),
    ...(iteration === null ? {} : { iteration }),
  };
}

export function buildNodeEvent(type: string, execution: NodeExecution, fields: JsonObject = {}): NewEvent {
  return { type, payload: { ...buildNodeFields(execution), ...fields } };
}

/** Only of tool calls: their frames name what the model has asked for. */
function buildToolCallEvent(execution: NodeExecution, { request }: ToolCall, fields: JsonObject): NewEvent {
  const about = { tool_call_id: request.id, name: request.name, status: 'running', duration_ms: null };
  return buildNodeEvent('tool_call', execution, { ...about, ...fields });
}

/** Builds the event that an execution has begun. */
export function buildStartEvent(execution: NodeExecution): NewEvent {
  const { toolCall } = execution;
  if (toolCall === undefined) return buildNodeEvent('node_started', execution);
  return buildToolCallEvent(execution, toolCall, { phase: 'start' });
}

/** Builds the event that an attempt has failed, or was lost, and another one follows. */
export function buildRetryEvent(
  execution: NodeExecution,
  fields: JsonObject & { readonly possibly_repeated?: boolean },
): NewEvent {
  const { toolCall } = execution;
  if (toolCall === undefined) return buildNodeEvent('node_retry', execution, fields);
  const { possibly_repeated: isRepeated = false } = fields;
  return buildToolCallEvent(execution, toolCall, { phase: 'retry', possibly_repeated: isRepeated });
}

/** Builds the events of an end: those of its node. Of a tool call the frame says that it has ended: its result stands in its step. */
export function buildEndEvents(
  execution: NodeExecution,
  step: Pick<StepRow, 'status' | 'started_at' | 'completed_at'>,
  events: readonly NewEvent[],
): readonly NewEvent[] {
  const { toolCall } = execution;
  if (toolCall === undefined) return events;
  const { status, started_at: began, completed_at: ended } = step;
  const durationMs = Date.parse(ended ?? began) - Date.parse(began);
  return [buildToolCallEvent(execution, toolCall, { phase: 'end', status, duration_ms: durationMs })];
}

/** A value for a frame: itself, or null and the flag when it is too large. @param bytes its size, if that is known */
export function toFrameValue(name: string, value: Json, bytes = countJsonBytes(value)): JsonObject {
  const tooLarge = bytes > FRAME_VALUE_BYTES;
  return { [name]: tooLarge ? null : value, [`${name}_truncated`]: tooLarge };
}

/** Size of a value as JSON, in bytes. */
export function countJsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
