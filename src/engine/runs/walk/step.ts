/** The steps of executions, in memory: their start, and the ends of their attempts. The ledger writes them. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { AttemptRecord, StepRow } from '../ledger/write/steps.ts';
import type { Segment } from '../ledger/write/segments.ts';
import type { NodeExecution, WalkContext } from './context.ts';

/** The end of an attempt in its record. */
export type AttemptEnding = Pick<AttemptRecord, 'status' | 'error'>;

/** Creates a step in its first attempt. Times are ISO 8601, by the clock of this process. */
export function newStep(
  given: Pick<
    StepRow,
    | 'step_id'
    | 'run_pk'
    | 'root_run_pk'
    | 'node_id'
    | 'node_type'
    | 'node_name'
    | 'visit'
    | 'item_index'
    | 'turn'
    | 'call'
    | 'parent_step_id'
    | 'iteration'
    | 'depth'
    | 'position'
    | 'effect'
    | 'held_by'
  >,
  now: string,
): StepRow {
  return {
    ...given,
    status: 'running',
    attempt: 1,
    attempts: [
      { attempt: 1, status: 'running', started_at: now, completed_at: null, duration_ms: null, error: null },
    ],
    sent_at: null,
    input: null,
    output: null,
    error: null,
    error_handled: false,
    selected_handle: null,
    warnings: [],
    usage: null,
    logs: null,
    tool_calls: [],
    child_run_pk: null,
    outcome: null,
    updates: null,
    started_at: now,
    completed_at: null,
  };
}

/** Copies the fields of an error without the response of the service. */
export function omitResponse({ response: _response, ...error }: JsonObject): JsonObject {
  return error;
}

/** Ends the current attempt of a step, in place. The response of a service is in the error of the step alone. */
export function closeAttempt(step: StepRow, { status, error }: AttemptEnding, now: string): void {
  const current = step.attempts.at(-1);
  if (current === undefined) return;
  current.status = status;
  current.completed_at = now;
  current.duration_ms = Math.max(0, Date.parse(now) - Date.parse(current.started_at));
  current.error = error === null ? null : omitResponse(error);
  step.held_by = null;
}

/** Creates the step of an execution that starts now. @param heldBy the worker of its first attempt; null: none yet */
export function createStep(
  { segment, clock }: Pick<WalkContext, 'clock'> & { readonly segment: Pick<Segment, 'runPk' | 'rootRunPk'> },
  execution: NodeExecution,
  heldBy: string | null = null,
): StepRow {
  const { node, item, toolCall } = execution;
  return newStep(
    {
      step_id: execution.stepId,
      run_pk: segment.runPk,
      root_run_pk: segment.rootRunPk,
      node_id: node.id,
      node_type: node.type,
      node_name: node.name,
      visit: execution.visit,
      item_index: item?.index ?? -1,
      turn: toolCall?.turn ?? 0,
      call: toolCall?.call ?? 0,
      parent_step_id: toolCall?.agentStepId ?? item?.parentStepId ?? null,
      iteration: execution.iteration,
      depth: execution.depth,
      position: execution.position,
      effect: node.policy.effect,
      held_by: heldBy,
    },
    new Date(clock.now()).toISOString(),
  );
}
