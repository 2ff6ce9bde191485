/** Steps of the history as the canvas marks nodes with them. */
import type { RunStep } from '../../client/openapi.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { NodeRun } from './run-board.ts';

type Json = JsonObject[string];

/** Translates a status of the history to the stream's: `succeeded` is `completed` there. */
export const toStreamStatus = (status: string): string => (status === 'succeeded' ? 'completed' : status);

/** Translates a status of a step to the mark of its node, which waits where the stream tells of a question. */
export const toNodeStatus = (status: string): string =>
  status === 'interrupted' ? 'waiting' : toStreamStatus(status);

/** Builds the mark of a node from its step. */
export const toNodeRun = (step: RunStep): NodeRun => ({
  status: toNodeStatus(step.status),
  input: step.input as Json,
  output: step.output as Json,
  error: step.error?.message ?? '',
  response: step.error?.response,
  credits: step.credits,
  handle: step.selected_handle,
  stepId: step.step_id,
  ...(step.duration_ms === null ? {} : { durationMs: step.duration_ms }),
});
