/** A step as lists, timelines and graphs show it: of a record with whole steps, or with outlines when they are many. */
import type { Run, RunStep } from '../../client/openapi.ts';

/** A run with more steps is read as outlines, and a step in whole when it is opened. */
export const MAX_WHOLE_STEPS = 500;

export type ListedStep = Pick<
  RunStep,
  | 'step_id'
  | 'node_id'
  | 'node_name'
  | 'status'
  | 'visit'
  | 'parent_step_id'
  | 'item_index'
  | 'iteration'
  | 'selected_handle'
  | 'started_at'
  | 'completed_at'
  | 'duration_ms'
>;

type StepOutline = NonNullable<Run['outline']>[number];

/** Restores the fields that an outline leaves out. */
function toListed(step: StepOutline): ListedStep {
  const { step_id, node_id, node_name, status, visit } = step;
  const { started_at: start = null, duration_ms: ms = null } = step;
  return {
    step_id,
    node_id,
    node_name,
    status,
    visit,
    parent_step_id: step.parent_step_id ?? null,
    item_index: step.item_index ?? null,
    iteration: step.iteration ?? null,
    selected_handle: step.selected_handle ?? null,
    started_at: start,
    completed_at: start === null || ms === null ? null : new Date(Date.parse(start) + ms).toISOString(),
    duration_ms: ms,
  };
}

/** Lists the steps of a record. `whole` is null where the record has an outline. */
export const listSteps = ({
  steps,
  outline,
}: Run): readonly { readonly listed: ListedStep; readonly whole: RunStep | null }[] =>
  outline === undefined
    ? steps.map((step) => ({ listed: step, whole: step }))
    : outline.map((step) => ({ listed: toListed(step), whole: null }));
