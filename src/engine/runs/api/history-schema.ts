/** Wire shapes of the history of runs: its filters and its rows. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { anyMoment, moment, uuid } from '../../../platform/http/wire.ts';
import { metadataFilter } from '../accept/metadata.ts';
import {
  completedAt,
  createdAt,
  createdBy,
  runId,
  startedAt,
  uniqueId,
} from '../../../platform/http/fields.ts';
import { nodeId, nodeName, workflowId, workflowName } from './fields.ts';

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
  run_id: runId,
  workflow_id: workflowId,
  deployment_id: uuid.nullable().meta({ description: 'Id of the deployment; null for a run without one' }),
  trigger_type: z.string().meta({
    description:
      'Trigger of the run: `api`, `schedule`, `webhook`, `chat`, `error` for an error workflow, or `workflow` for a node of another run',
  }),
  is_ad_hoc: z
    .boolean()
    .meta({ description: 'Whether the run has an inline definition instead of a deployment' }),
  status: z
    .enum(['running', 'interrupted', 'succeeded', 'failed', 'cancelled'])
    .meta({ description: 'Status of the run; `interrupted`: it waits for an answer, or was answered' }),
  started_at: moment.meta({ description: 'Time of the start, ISO 8601 UTC' }),
  completed_at: completedAt,
  duration_seconds: z.number().nullable().meta({ description: 'Duration in seconds; null until the end' }),
  error_message: z
    .string()
    .nullable()
    .meta({ description: 'Reason of the failure, human-readable; null without one' }),
  output_summary: z
    .string()
    .nullable()
    .meta({ description: 'Start of the output as text; null without an output' }),
  has_output: z.boolean().meta({ description: 'Whether the run has an output' }),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: 'Names and values that the start of the run carried' }),
  values_deleted_at: moment.nullable().meta({
    description:
      'When the retention deleted the inputs, outputs, logs and messages of the run; null: they are stored',
  }),
  has_open_interrupts: z.boolean().meta({ description: 'Whether a question of the run waits for an answer' }),
  waits_for_worker: z.boolean().meta({
    description:
      'Whether no worker is working on the run although it is running: none has begun it, or its worker has stopped',
  }),
  created_at: createdAt,
};
const historyRow = {
  ...runListItem,
  workflow_name: workflowName,
  created_by: createdBy,
  stopped_at: z
    .looseObject({ node_id: nodeId, node_name: nodeName })
    .nullable()
    .meta({ description: 'Id of the node that failed the run, or whose question it waits for' }),
  credits: z.number().meta({ description: 'Credits of all segments of the run and of its sub-workflows' }),
  earlier_segments: z
    .array(
      z.looseObject({
        id: uniqueId,
        run_id: runId,
        status: runListItem.status.meta({ description: 'Current status' }),
        started_at: startedAt,
        completed_at: completedAt,
      }),
    )
    .meta({ description: 'The segments that this one continues, oldest first' }),
};
export const historyReply = z
  .looseObject({
    runs: z.array(z.looseObject(historyRow).meta({ id: 'RunListItem' })).meta({
      description:
        'The runs of this page, newest first. A search that takes long ends before its page is full, even empty, and goes on at `next_cursor`',
    }),
    ...pageOfList,
  })
  .meta({ id: 'RunList' });
