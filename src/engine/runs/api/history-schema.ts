/** Wire shapes of the history of runs: its filters and its rows. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { anyMoment, moment, uuid } from '../../../platform/http/wire.ts';
import { metadataFilter } from '../accept/metadata.ts';

export const historyQuery = z.object({
  ...offsetPage(50),
  run_id: uuid.optional().meta({ description: 'Only the run with this `run_id`, to find its `run_pk`' }),
  workflow_id: uuid.optional().meta({ description: 'Only runs of this workflow' }),
  status: z
    .enum(['running', 'interrupted', 'succeeded', 'completed', 'failed', 'cancelled'])
    .optional()
    .meta({ description: 'Only runs in this status; `completed` is an alias of `succeeded`' }),
  trigger_type: z
    .string()
    .max(50)
    .optional()
    .meta({ description: 'Only runs with this trigger: api, schedule, webhook, chat, error or workflow' }),
  created_by: uuid.optional().meta({ description: 'Only runs started by this user' }),
  metadata: metadataFilter.optional().meta({
    description: 'Only runs with this key and value in their metadata: `customer:acme`',
    override: { type: 'string' },
  }),
  from: anyMoment.optional().meta({ description: 'Only runs created at this time or later' }),
  to: anyMoment.optional().meta({ description: 'Only runs created before this time' }),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only runs with this text in the workflow name or in the error message' }),
  segments: z.enum(['all', 'newest']).default('all').meta({
    description:
      'A run continues after an answer in a new segment with its own run_id. `newest`: one item per run, including its earlier segments; `all`: one item per segment',
  }),
});
export type HistoryQuery = z.output<typeof historyQuery>;

/** A row of the history. */
export const runListItem = {
  id: uuid.meta({ description: 'Id of the run in the history: `run_pk` in paths' }),
  run_id: uuid,
  workflow_id: uuid.nullable(),
  deployment_id: uuid.nullable(),
  trigger_type: z.string(),
  is_ad_hoc: z.boolean(),
  status: z.enum(['running', 'interrupted', 'succeeded', 'failed', 'cancelled']),
  started_at: moment,
  completed_at: moment.nullable(),
  duration_seconds: z.number().nullable(),
  error_message: z.string().nullable(),
  output_summary: z.string().nullable(),
  has_output: z.boolean(),
  metadata: z.record(z.string(), z.string()),
  values_deleted_at: moment.nullable(),
  has_open_interrupts: z.boolean().meta({ description: 'Whether a question of the run waits for an answer' }),
  created_at: moment,
};
const historyRow = {
  ...runListItem,
  workflow_name: z.string(),
  created_by: uuid.nullable(),
  stopped_at: z
    .looseObject({ node_id: z.string(), node_name: z.string() })
    .nullable()
    .meta({ description: 'Id of the node that failed the run, or whose question it waits for' }),
  credits: z.number().meta({ description: 'Credits of all segments of the run and of its sub-workflows' }),
  earlier_segments: z
    .array(
      z.looseObject({
        id: uuid,
        run_id: uuid,
        status: runListItem.status,
        started_at: moment.nullable(),
        completed_at: moment.nullable(),
      }),
    )
    .meta({ description: 'The segments that this one continues, oldest first' }),
};
export const historyReply = z
  .looseObject({
    runs: z.array(z.looseObject(historyRow).meta({ id: 'RunListItem' })),
    ...pageOfList,
  })
  .meta({ id: 'RunList' });
