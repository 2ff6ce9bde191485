/** Wire shapes of the outline of a run with many steps. */
import { z } from 'zod';
import { integer } from '../../../platform/http/paginate.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';

/** The largest `max_steps`: more steps than a run has. */
const MAX_OUTLINED_FROM = 1_000_000;

export const stepOutline = z
  .looseObject({
    step_id: uuid,
    node_id: z.string(),
    node_name: z.string(),
    status: z.string(),
    visit: z.int(),
    parent_step_id: uuid.optional(),
    item_index: z.int().optional(),
    iteration: z.int().optional(),
    selected_handle: z.string().optional(),
    started_at: moment.optional(),
    duration_ms: z.int().optional(),
  })
  .meta({ id: 'StepOutline' });

export const recordQuery = z.object({
  max_steps: integer(0, MAX_OUTLINED_FROM).optional().meta({
    description:
      'The steps of a run with more are listed in `outline`, without their values; `steps` and `state` are empty. By default every run has its `steps`',
  }),
});
