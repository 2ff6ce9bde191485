/** Builds the events of node executions for the stream (SPEC RUN-3.3). */
import { countJsonBytes } from '../../../language/graph/definition/definition-size.ts';
import type { JsonObject, Json } from '../../../language/graph/values/value.ts';
import { readErrorResponse } from '../../../language/nodes/error-response.ts';
import type { NodeEventType } from '../ledger/event-types.ts';
import type { NewEvent } from '../ledger/write/events.ts';
import type { StepRow } from '../ledger/write/steps.ts';
import type { NodeExecution, ToolCall } from './context.ts';

/** A frame has null in place of a larger value, and `*_truncated` (SPEC RUN-3.3); the record has the value. */
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

/** Builds an event of an execution with these fields in addition to those of every node event. */
export function buildNodeEvent(
  type: NodeEventType,
  execution: NodeExecution,
  fields: JsonObject = {},
): NewEvent {
  return { type, payload: { ...buildNodeFields(execution), ...fields } };
}

/** Builds the event of a tool call, with its name and id. */
function buildToolCallEvent(execution: NodeExecution, { request }: ToolCall, fields: JsonObject): NewEvent {
  const about = { tool_call_id: request.id, name: request.name, status: 'running', duration_ms: null };
  return buildNodeEvent('tool_call', execution, { ...about, ...fields });
}

/** Builds the event of the start of an execution. */
export function buildStartEvent(execution: NodeExecution): NewEvent {
  const { toolCall } = execution;
  if (toolCall === undefined) return buildNodeEvent('node_started', execution);
  return buildToolCallEvent(execution, toolCall, { phase: 'start' });
}

/** Builds the event of a failed or lost attempt that is followed by another one. */
export function buildRetryEvent(
  execution: NodeExecution,
  fields: JsonObject & { readonly possibly_repeated?: boolean },
): NewEvent {
  const { toolCall } = execution;
  if (toolCall === undefined) return buildNodeEvent('node_retry', execution, fields);
  const { possibly_repeated: isRepeated = false } = fields;
  return buildToolCallEvent(execution, toolCall, { phase: 'retry', possibly_repeated: isRepeated });
}

/** Builds the events of an execution's end: `events` for a node; one `tool_call` for a tool call, whose result is in its step. */
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

/** Builds the fields `name` and `*_truncated` of a frame. @param bytes the size of the value as JSON, when it is known */
export function toFrameValue(name: string, value: Json, bytes = countJsonBytes(value)): JsonObject {
  const tooLarge = bytes > FRAME_VALUE_BYTES;
  return { [name]: tooLarge ? null : value, [`${name}_truncated`]: tooLarge };
}

/** Picks the fields of an error that a frame has. Of a response that is too large it has status and headers; the step has the whole. */
export function toFrameError(error: JsonObject): JsonObject {
  const { code = '', message = '', retryable = false } = error;
  const response = readErrorResponse(error);
  if (response === null) return { code, message, retryable };
  const isWhole = countJsonBytes({ ...response }) <= FRAME_VALUE_BYTES;
  const shown = isWhole ? response : { ...response, data: null, truncated: true };
  return { code, message, retryable, status: response.status, response: { ...shown } };
}
