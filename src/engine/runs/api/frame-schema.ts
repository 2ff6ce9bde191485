/** Schemas of the frames of a run's stream, by `type`. */
import { z } from 'zod';
import { json, moment, uuid } from '../../../platform/http/wire.ts';
import { FRAME_EXAMPLES } from './frame-examples.ts';
import { question } from './question-schema.ts';
import { failure, stepWarning, tokenUsage } from './schema.ts';

const common = {
  run_id: uuid,
  thread_id: z.string().nullable(),
  timestamp: moment,
};
/** The fields of every stored event; a client continues after `seq`. */
const numbered = { ...common, seq: z.int() };

const frame = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) => {
  const id = `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Frame`;
  return z
    .looseObject({ type: z.literal(type), ...fields })
    .meta({ id, examples: [{ type, ...FRAME_EXAMPLES[type] }] });
};

/** The fields of every event of a node. */
const node = {
  ...numbered,
  step_id: uuid,
  node_id: z.string(),
  node_type: z.string(),
  node_name: z.string(),
  attempt: z.int(),
  depth: z.int(),
  item_index: z.int().optional(),
  parent_step_id: uuid.optional(),
  iteration: z.int().optional(),
};
const nodeFrame = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  frame(type, { ...node, ...fields });

/** The fields of terminal frames. `usage`, `credits` and the count are missing when the run ended before its first advance. */
const ended = {
  ...numbered,
  duration_ms: z.int(),
  usage: tokenUsage.nullable().optional(),
  credits: z.number().optional(),
  handled_error_count: z.int().optional(),
};

const snapshotNode = z
  .looseObject({
    node_id: z.string(),
    step_id: uuid,
    status: z.string(),
    attempt: z.int(),
    output: json,
    output_truncated: z.boolean(),
  })
  .meta({ id: 'SnapshotNode' });
const snapshotInterrupt = z
  .looseObject({ interrupt_id: z.string(), node_id: z.string() })
  .meta({ id: 'SnapshotInterrupt' });
const heartbeatNode = z
  .looseObject({ node_id: z.string(), attempt: z.int(), seq: z.int(), tokens: z.int() })
  .meta({ id: 'HeartbeatNode' });
const openInterrupt = z.looseObject({ node_id: z.string(), ...question }).meta({ id: 'OpenInterrupt' });

const waiting = { status: z.literal('interrupted'), interrupts: z.array(openInterrupt).optional() };

/** Every frame. Types may be added, so clients must ignore unknown ones. */
export const frames = z
  .discriminatedUnion('type', [
    frame('run_started', {
      ...numbered,
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
    }),
    nodeFrame('node_started', {}),
    nodeFrame('node_completed', {
      output: json,
      output_truncated: z.boolean(),
      selected_handle: z.string().nullable(),
      duration_ms: z.number(),
      usage: tokenUsage.nullable(),
      credits: z.number(),
      warnings: z.array(stepWarning),
    }),
    nodeFrame('node_failed', { error: failure, handled: z.boolean(), on_error: z.string() }),
    nodeFrame('node_retry', {
      error: failure,
      next_attempt: z.int(),
      delay_ms: z.number(),
      possibly_repeated: z.boolean().optional(),
    }),
    nodeFrame('node_skipped', { reason: z.enum(['branch', 'disabled']) }),
    nodeFrame('node_reused', {
      selected_handle: z.string().nullable(),
      reused_from_step_id: uuid.nullable(),
    }),
    nodeFrame('state_updated', { fields: z.array(z.string()) }),
    nodeFrame('token', {
      delta: z.string(),
      channel: z.enum(['content', 'reasoning']),
      replay: z.boolean(),
    }),
    nodeFrame('token_reset', { reason: z.enum(['retry', 'tool_turn', 'moderation']) }),
    nodeFrame('progress', { data: json }),
    nodeFrame('tool_call', {
      tool_call_id: z.string(),
      name: z.string(),
      phase: z.enum(['start', 'retry', 'end']),
      status: z.enum(['running', 'succeeded', 'failed']),
      duration_ms: z.number().nullable(),
      possibly_repeated: z.boolean().optional(),
    }),
    nodeFrame('interrupt', question),
    nodeFrame('interrupt_resolved', {
      interrupt_id: z.string(),
      action: z.string().nullable(),
      responded_by: uuid.nullable(),
      timed_out: z.boolean(),
    }),
    frame('run_completed', {
      ...ended,
      status: z.literal('completed'),
      output: json,
      output_truncated: z.boolean(),
      warnings: z.array(stepWarning).optional(),
    }),
    frame('run_failed', { ...ended, status: z.literal('failed'), error: failure.nullable() }),
    frame('run_cancelled', {
      ...ended,
      status: z.literal('cancelled'),
      reason: z.string().nullable().optional(),
    }),
    frame('run_interrupted', {
      ...ended,
      ...waiting,
      resumed_by_run_id: uuid.optional(),
    }),
    frame('paused', { ...ended, ...waiting }),
    frame('heartbeat', { ...common, nodes: z.array(heartbeatNode) }),
    frame('snapshot', {
      ...numbered,
      status: z.string(),
      last_seq: z.int(),
      nodes: z.array(snapshotNode),
      partial_text: z.record(z.string(), z.string()),
      interrupts: z.array(snapshotInterrupt),
    }),
    frame('stream_error', { ...common, code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'RunEvent' });
