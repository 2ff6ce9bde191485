/** Parts that the rows of frames share, and those of their examples. */
import { z } from 'zod';
import { AT, IDS, LATER } from '../../../../platform/http/docs/example-ids.ts';
import { question } from '../question-schema.ts';
import { tokenUsage } from '../record-schema.ts';
import { ABOUT_HANDLED_ERROR_COUNT, nodeId } from '../fields.ts';

/** The frame of a type of events. */
export interface FrameRow {
  /** Schemas of the fields beside the common ones. */
  readonly fields: z.ZodRawShape;
  /** An example of the frame, without `type`. */
  readonly example: object;
}

export const seq = z.int().meta({
  description: 'Sequence number of the event in its run, from 1 without gaps; resume the stream after it',
});

/** The fields of frames that end or pause a run. Usage, credits and the count are missing when it ended before its first advance. */
export const ended = {
  duration_ms: z.int().meta({ description: 'Duration of the run, in milliseconds' }),
  usage: tokenUsage.nullable().optional().meta({ description: 'Token usage; null when no model was called' }),
  credits: z.number().optional().meta({ description: 'Credits charged; 100 credits are one currency unit' }),
  handled_error_count: z.int().optional().meta({ description: ABOUT_HANDLED_ERROR_COUNT }),
};
const openInterrupt = z.looseObject({ node_id: nodeId, ...question }).meta({ id: 'OpenInterrupt' });
export const waiting = {
  status: z.literal('interrupted').meta({ description: 'Final status' }),
  interrupts: z.array(openInterrupt).optional().meta({ description: 'The questions' }),
};

export const runExample = { run_id: IDS.run, thread_id: IDS.thread };
export const exampleAt = (seq: number, timestamp = AT) => ({ ...runExample, timestamp, seq });
export const exampleNode = (id: string, type: string) => ({
  step_id: IDS.step,
  node_id: id,
  node_type: type,
  node_name: id,
  attempt: 1,
  depth: 1,
});

export const exampleFailure = {
  code: 'http_error',
  message: 'The server responded with HTTP 503',
  retryable: true,
  status: 503,
  response: {
    status: 503,
    headers: { 'content-type': 'application/json' },
    data: { error: 'maintenance' },
    truncated: false,
  },
};
export const exampleQuestion = {
  interrupt_id: 'approve#1',
  kind: 'approval',
  title: 'Refund of 120',
  message: 'The customer asks for it',
  payload: { amount: 120 },
  form: null,
  actions: [{ id: 'approve', label: 'Approve' }],
  assignees: { roles: ['owner'], user_ids: [] },
  expires_at: null,
};

const usage = { input_tokens: 120, output_tokens: 18, total_tokens: 138 };
export const exampleEnd = {
  ...exampleAt(12, LATER),
  duration_ms: 1_250,
  usage,
  credits: 0.4,
  handled_error_count: 0,
};
