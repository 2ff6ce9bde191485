/** The frames of a run as a whole. */
import { z } from 'zod';
import { IDS } from '../../../../platform/http/docs/example-ids.ts';
import { uuid } from '../../../../platform/http/wire.ts';
import type { RunEventType } from '../../ledger/event-types.ts';
import { failure } from '../failure-schema.ts';
import { stepWarning } from '../record-schema.ts';
import {
  ended,
  exampleAt,
  exampleEnd,
  exampleFailure,
  exampleQuestion,
  waiting,
  type FrameRow,
} from './frame-row.ts';
import { ABOUT_EPHEMERAL, ABOUT_RESUMED_FROM_RUN_ID, outputTruncated, stepOutput } from '../fields.ts';

export const RUN_FRAMES: Readonly<Record<RunEventType, FrameRow>> = {
  run_started: {
    fields: {
      workflow_id: uuid.nullable().optional().meta({
        description: 'Id of the workflow; null when there is none, such as for a run of an inline definition',
      }),
      workflow_name: z
        .string()
        .optional()
        .meta({ description: 'Name of the workflow at the start of the run' }),
      workflow_version: z
        .string()
        .optional()
        .meta({ description: 'Version of the deployment, or the version in an inline definition' }),
      workflow_source: z
        .string()
        .optional()
        .meta({ description: '`database`, `request`, or `system:` and a name' }),
      deployment_id: uuid
        .nullable()
        .optional()
        .meta({ description: 'Id of the deployment; null for a run without one' }),
      chat_id: uuid.nullable().optional().meta({ description: 'Id of the chat of the run; null: none' }),
      ephemeral: z.boolean().optional().meta({ description: ABOUT_EPHEMERAL }),
      reason: z.string().optional().meta({ description: '`initial`, `resume` after an answer, or `rerun`' }),
      resumed_from_run_id: uuid.nullable().optional().meta({ description: ABOUT_RESUMED_FROM_RUN_ID }),
      rerun_of: uuid
        .nullable()
        .optional()
        .meta({ description: 'The `run_id` of the run that this is a rerun of; null: none' }),
    },
    example: {
      ...exampleAt(1),
      workflow_id: IDS.workflow,
      workflow_name: 'Greeting',
      workflow_version: '2.0.0',
      workflow_source: 'database',
      deployment_id: IDS.deployment,
      chat_id: IDS.chat,
      ephemeral: false,
      reason: 'initial',
    },
  },
  run_completed: {
    fields: {
      ...ended,
      status: z.literal('completed').meta({ description: 'Final status' }),
      output: stepOutput,
      output_truncated: outputTruncated,
      warnings: z
        .array(stepWarning)
        .optional()
        .meta({ description: 'Problems that did not prevent the operation' }),
    },
    example: {
      ...exampleEnd,
      status: 'completed',
      output: { greeting: 'Hello Ada' },
      output_truncated: false,
    },
  },
  run_failed: {
    fields: {
      ...ended,
      status: z.literal('failed').meta({ description: 'Final status' }),
      error: failure.nullable().meta({ description: 'Reason of the failure; null without one' }),
    },
    example: {
      ...exampleEnd,
      status: 'failed',
      error: { code: exampleFailure.code, message: exampleFailure.message, node_id: 'customer' },
    },
  },
  run_cancelled: {
    fields: {
      ...ended,
      status: z.literal('cancelled').meta({ description: 'Final status' }),
      reason: z
        .string()
        .nullable()
        .optional()
        .meta({ description: 'Reason of the cancellation; null: none was given' }),
    },
    example: { ...exampleEnd, status: 'cancelled', reason: 'Started by mistake' },
  },
  run_interrupted: {
    fields: {
      ...ended,
      ...waiting,
      resumed_by_run_id: uuid.optional().meta({
        description:
          'The `run_id` of the run that continues after an answer or an expired question; absent while the run waits',
      }),
    },
    example: {
      ...exampleEnd,
      status: 'interrupted',
      interrupts: [{ node_id: 'approve', ...exampleQuestion }],
    },
  },
  paused: {
    fields: {
      ...ended,
      ...waiting,
      duration_ms: z.int().meta({ description: 'Duration until the pause, in milliseconds' }),
      status: z.literal('interrupted').meta({
        description: 'The run was paused here and has ended since; its last frame has the final status',
      }),
    },
    example: {
      ...exampleEnd,
      status: 'interrupted',
      interrupts: [{ node_id: 'approve', ...exampleQuestion }],
    },
  },
};
