/** The frames of a run's nodes. */
import { z } from 'zod';
import { IDS } from '../../../../platform/http/docs/example-ids.ts';
import { json, uuid } from '../../../../platform/http/wire.ts';
import type { NodeEventType } from '../../ledger/event-types.ts';
import { question } from '../question-schema.ts';
import { failure } from '../failure-schema.ts';
import { stepWarning, tokenUsage } from '../record-schema.ts';
import { exampleAt, exampleFailure, exampleNode, exampleQuestion, type FrameRow } from './frame-row.ts';
import { credits, interruptId, outputTruncated, respondedBy, selectedHandle, stepOutput } from '../fields.ts';

const possiblyRepeated = z.boolean().optional().meta({
  description: 'Whether the failed attempt may have had its effect, which the next one would repeat',
});

const hello = exampleNode('hello', 'transformer');
const classify = exampleNode('classify', 'llm');
const approve = exampleNode('approve', 'interrupt');
const refund = exampleNode('refund', 'tool');
const childRun = { run_id: IDS.run, run_pk: IDS.runPk, workflow_name: 'Refunds' };
const childQuestion = {
  interrupt_id: 'approve#1',
  node_id: 'approve',
  kind: 'approval',
  title: 'Refund of 120',
  assignees: { roles: ['owner'], user_ids: [] },
  expires_at: null,
};

export const NODE_FRAMES: Readonly<Record<NodeEventType, FrameRow>> = {
  node_started: { fields: {}, example: { ...exampleAt(2), ...hello } },
  node_completed: {
    fields: {
      output: stepOutput,
      output_truncated: outputTruncated,
      selected_handle: selectedHandle,
      duration_ms: z.number().meta({ description: 'Duration in milliseconds; null until the end' }),
      usage: tokenUsage.nullable().meta({ description: 'Token usage; null when no model was called' }),
      credits: credits,
      warnings: z.array(stepWarning).meta({ description: 'Problems that did not prevent the operation' }),
    },
    example: {
      ...exampleAt(3),
      ...hello,
      output: { greeting: 'Hello Ada' },
      output_truncated: false,
      selected_handle: 'default',
      duration_ms: 2,
      usage: null,
      credits: 0,
      warnings: [],
    },
  },
  node_failed: {
    fields: {
      error: failure.meta({ description: 'Reason of the failure; null without one' }),
      handled: z
        .boolean()
        .meta({ description: 'Whether the definition handled the failure, so that the run continues' }),
      on_error: z
        .string()
        .meta({ description: 'Handling of the final failure: `fail`, `continue` or `branch`' }),
    },
    example: {
      ...exampleAt(4),
      ...exampleNode('customer', 'tool'),
      error: exampleFailure,
      handled: true,
      on_error: 'branch',
    },
  },
  node_retry: {
    fields: {
      error: failure.meta({ description: 'Reason of the failure; null without one' }),
      next_attempt: z.int().meta({ description: 'Number of the next attempt' }),
      delay_ms: z.number().meta({ description: 'Delay before the next attempt, in milliseconds' }),
      possibly_repeated: possiblyRepeated,
    },
    example: {
      ...exampleAt(4),
      ...exampleNode('customer', 'tool'),
      error: exampleFailure,
      next_attempt: 2,
      delay_ms: 1_000,
    },
  },
  node_skipped: {
    fields: {
      reason: z
        .enum(['branch', 'disabled'])
        .meta({ description: 'No incoming edge was taken, or the node is disabled' }),
    },
    example: { ...exampleAt(5), ...hello, reason: 'branch' },
  },
  node_reused: {
    fields: {
      selected_handle: selectedHandle,
      reused_from_step_id: uuid.nullable().meta({
        description:
          'Id of the step of an earlier run whose output is reused; null: the output was given in the request',
      }),
    },
    example: { ...exampleAt(2), ...hello, selected_handle: 'default', reused_from_step_id: IDS.chunk },
  },
  state_updated: {
    fields: {
      fields: z.array(z.string()).meta({ description: 'Names of the declared fields that changed' }),
    },
    example: { ...exampleAt(6), ...hello, fields: ['tags'] },
  },
  token: {
    fields: {
      delta: z.string().meta({ description: 'The next part of the text' }),
      channel: z
        .enum(['content', 'reasoning'])
        .meta({ description: 'Content of the answer, or reasoning before it' }),
      replay: z.boolean().meta({ description: 'Whether the token was streamed before' }),
    },
    example: { ...exampleAt(7), ...classify, delta: 'Hel', channel: 'content', replay: false },
  },
  token_reset: {
    fields: {
      reason: z
        .enum(['retry', 'tool_turn', 'moderation'])
        .meta({ description: 'Why the tokens of the step so far are void' }),
    },
    example: { ...exampleAt(8), ...classify, reason: 'retry' },
  },
  progress: {
    fields: {
      data: json.meta({
        description:
          'For a sub-workflow: `waits_for`, as in the record without `step_id`; empty when nothing waits any more. For other nodes: data of the node',
      }),
    },
    example: {
      ...exampleAt(9),
      ...refund,
      data: { waits_for: [{ ...childRun, interrupts: [childQuestion] }] },
    },
  },
  tool_call: {
    fields: {
      tool_call_id: z.string().meta({ description: 'Id of the call, assigned by the model' }),
      name: z.string().meta({ description: 'Name of the tool' }),
      phase: z
        .enum(['start', 'retry', 'end'])
        .meta({ description: 'Phase of the call: start, retry, or end' }),
      status: z.enum(['running', 'succeeded', 'failed']).meta({ description: 'Status of the call' }),
      duration_ms: z
        .number()
        .nullable()
        .meta({ description: 'Duration in milliseconds; null until the end' }),
      possibly_repeated: possiblyRepeated,
    },
    example: {
      ...exampleAt(10),
      ...exampleNode('support', 'knowledge'),
      node_name: 'search_handbook',
      parent_step_id: IDS.message,
      tool_call_id: 'call_1',
      name: 'search_handbook',
      phase: 'end',
      status: 'succeeded',
      duration_ms: 84,
    },
  },
  interrupt: { fields: question, example: { ...exampleAt(11), ...approve, ...exampleQuestion } },
  interrupt_resolved: {
    fields: {
      interrupt_id: interruptId,
      action: z.string().nullable().meta({ description: 'The selected action; null: none' }),
      responded_by: respondedBy,
      timed_out: z.boolean().meta({ description: 'Whether the question expired without an answer' }),
    },
    example: {
      ...exampleAt(2),
      ...approve,
      interrupt_id: exampleQuestion.interrupt_id,
      action: 'approve',
      responded_by: IDS.user,
      timed_out: false,
    },
  },
};
