/** Parts that the rows of frames share, and those of their examples. */
import { z } from 'zod';
import { AT, IDS, LATER } from '../../../../platform/http/docs/example-ids.ts';
import { question } from '../question-schema.ts';
import { tokenUsage } from '../schema.ts';

/** The frame of a type of events. */
export interface FrameRow {
  /** Schemas of the fields beside the common ones. */
  readonly fields: z.ZodRawShape;
  /** An example of the frame, without `type`. */
  readonly example: object;
}

/** The fields of frames that end or pause a run. Usage, credits and the count are missing when it ended before its first advance. */
export const ended = {
  duration_ms: z.int(),
  usage: tokenUsage.nullable().optional(),
  credits: z.number().optional(),
  handled_error_count: z.int().optional(),
};
const openInterrupt = z.looseObject({ node_id: z.string(), ...question }).meta({ id: 'OpenInterrupt' });
export const waiting = { status: z.literal('interrupted'), interrupts: z.array(openInterrupt).optional() };

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
