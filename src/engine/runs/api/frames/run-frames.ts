/** The frames of a run as a whole. */
import { z } from 'zod';
import { IDS } from '../../../../platform/http/docs/example-ids.ts';
import { json, uuid } from '../../../../platform/http/wire.ts';
import type { RunEventType } from '../../ledger/event-types.ts';
import { failure } from '../failure-schema.ts';
import { stepWarning } from '../schema.ts';
import {
  ended,
  exampleAt,
  exampleEnd,
  exampleFailure,
  exampleQuestion,
  waiting,
  type FrameRow,
} from './frame-row.ts';

export const RUN_FRAMES: Readonly<Record<RunEventType, FrameRow>> = {
  run_started: {
    fields: {
      workflow_id: uuid.nullable().optional(),
      workflow_name: z.string().optional(),
      workflow_version: z.string().optional(),
      workflow_source: z.string().optional(),
      deployment_id: uuid.nullable().optional(),
      chat_id: uuid.nullable().optional(),
      ephemeral: z.boolean().optional(),
      reason: z.string().optional(),
      resumed_from_run_id: uuid.nullable().optional(),
      rerun_of: uuid.nullable().optional(),
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
      status: z.literal('completed'),
      output: json,
      output_truncated: z.boolean(),
      warnings: z.array(stepWarning).optional(),
    },
    example: {
      ...exampleEnd,
      status: 'completed',
      output: { greeting: 'Hello Ada' },
      output_truncated: false,
    },
  },
  run_failed: {
    fields: { ...ended, status: z.literal('failed'), error: failure.nullable() },
    example: {
      ...exampleEnd,
      status: 'failed',
      error: { code: exampleFailure.code, message: exampleFailure.message, node_id: 'customer' },
    },
  },
  run_cancelled: {
    fields: { ...ended, status: z.literal('cancelled'), reason: z.string().nullable().optional() },
    example: { ...exampleEnd, status: 'cancelled', reason: 'Started by mistake' },
  },
  run_interrupted: {
    fields: { ...ended, ...waiting, resumed_by_run_id: uuid.optional() },
    example: {
      ...exampleEnd,
      status: 'interrupted',
      interrupts: [{ node_id: 'approve', ...exampleQuestion }],
    },
  },
  paused: {
    fields: { ...ended, ...waiting },
    example: {
      ...exampleEnd,
      status: 'interrupted',
      interrupts: [{ node_id: 'approve', ...exampleQuestion }],
    },
  },
};
