/** Wire shapes of the outline of a run with many steps. */
import { z } from 'zod';
import { integer } from '../../../platform/http/paginate.ts';
import { moment } from '../../../platform/http/wire.ts';
import { itemIndex, iteration, nodeId, nodeName, parentStepId, stepId, visit } from './fields.ts';

/** The largest `max_steps`: more steps than a run has. */
const MAX_OUTLINED_FROM = 1_000_000;

export const stepOutline = z
  .looseObject({
    step_id: stepId,
    node_id: nodeId,
    node_name: nodeName,
    status: z.string().meta({ description: 'Status of the step, as in `steps`' }),
    visit: visit,
    parent_step_id: parentStepId,
    item_index: itemIndex,
    iteration: iteration,
    selected_handle: z
      .string()
      .optional()
      .meta({ description: 'The handle whose edges were taken; null: none' }),
    started_at: moment.optional().meta({ description: 'Time of the start, ISO 8601 UTC' }),
    duration_ms: z.int().optional().meta({ description: 'Duration in milliseconds; null until the end' }),
  })
  .meta({ id: 'StepOutline' });

export const recordQuery = z.object({
  max_steps: integer(0, MAX_OUTLINED_FROM).optional().meta({
    description:
      'The steps of a run with more are listed in `outline`, without their values; `steps` and `state` are empty. By default every run has its `steps`',
  }),
});
