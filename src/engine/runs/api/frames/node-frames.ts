/** The frames of a run's nodes. */
import { z } from 'zod';
import { IDS } from '../../../../platform/http/docs/example-ids.ts';
import { json, uuid } from '../../../../platform/http/wire.ts';
import type { NodeEventType } from '../../ledger/event-types.ts';
import { question } from '../question-schema.ts';
import { failure } from '../failure-schema.ts';
import { stepWarning, tokenUsage } from '../schema.ts';
import { exampleAt, exampleFailure, exampleNode, exampleQuestion, type FrameRow } from './frame-row.ts';

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
      output: json,
      output_truncated: z.boolean(),
      selected_handle: z.string().nullable(),
      duration_ms: z.number(),
      usage: tokenUsage.nullable(),
      credits: z.number(),
      warnings: z.array(stepWarning),
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
    fields: { error: failure, handled: z.boolean(), on_error: z.string() },
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
      error: failure,
      next_attempt: z.int(),
      delay_ms: z.number(),
      possibly_repeated: z.boolean().optional(),
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
    fields: { reason: z.enum(['branch', 'disabled']) },
    example: { ...exampleAt(5), ...hello, reason: 'branch' },
  },
  node_reused: {
    fields: { selected_handle: z.string().nullable(), reused_from_step_id: uuid.nullable() },
    example: { ...exampleAt(2), ...hello, selected_handle: 'default', reused_from_step_id: IDS.chunk },
  },
  state_updated: {
    fields: { fields: z.array(z.string()) },
    example: { ...exampleAt(6), ...hello, fields: ['tags'] },
  },
  token: {
    fields: { delta: z.string(), channel: z.enum(['content', 'reasoning']), replay: z.boolean() },
    example: { ...exampleAt(7), ...classify, delta: 'Hel', channel: 'content', replay: false },
  },
  token_reset: {
    fields: { reason: z.enum(['retry', 'tool_turn', 'moderation']) },
    example: { ...exampleAt(8), ...classify, reason: 'retry' },
  },
  progress: {
    fields: { data: json },
    example: {
      ...exampleAt(9),
      ...refund,
      data: { waits_for: [{ ...childRun, interrupts: [childQuestion] }] },
    },
  },
  tool_call: {
    fields: {
      tool_call_id: z.string(),
      name: z.string(),
      phase: z.enum(['start', 'retry', 'end']),
      status: z.enum(['running', 'succeeded', 'failed']),
      duration_ms: z.number().nullable(),
      possibly_repeated: z.boolean().optional(),
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
      interrupt_id: z.string(),
      action: z.string().nullable(),
      responded_by: uuid.nullable(),
      timed_out: z.boolean(),
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
