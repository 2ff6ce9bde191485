/** Wire shapes of runs: what callers may ask, and what they are told. */
import { z } from 'zod';
import { limit, offset } from '../../http/paginate.ts';
import { jsonObject, uuid } from '../../http/wire.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../accept/limits.ts';

/** Recognised runtime overrides (SPEC API-run); other keys are ignored. */
const runConfig = z.object({
  thread_id: z.string().min(1).max(255).optional(),
  recursion_limit: z.int().min(RECURSION_LIMIT.min).max(RECURSION_LIMIT.max).optional(),
  batch_interval_ms: z.int().min(BATCH_INTERVAL_MS.min).max(BATCH_INTERVAL_MS.max).optional(),
});

/** Which of the selectors are given together is judged in start.ts: that is 400, not 422. */
export const startBody = z.object({
  workflow_id: uuid.nullish(),
  workflow: jsonObject.nullish(),
  system_workflow: z.string().min(1).max(100).nullish(),
  attribution_workflow_id: uuid.nullish(),
  llm: z.unknown().optional().meta({ description: 'Removed: a body with only `llm` is answered 410.' }),
  input: jsonObject.nullish(),
  config: runConfig.nullish(),
  stream: z.boolean().default(true),
  ephemeral: z.boolean().default(false),
  is_private: z.boolean().default(false),
});
export type StartBody = z.output<typeof startBody>;

const answer = {
  interrupt_id: z.string().min(1).max(100),
  action: z.string().max(100).nullish(),
  data: z.json().optional(),
};
/** One answer, or several at once under `responses` (SPEC RUN-4.1). */
export const resumeBody = z
  .object({
    interrupt_id: answer.interrupt_id.optional(),
    action: answer.action,
    data: answer.data,
    responses: z.array(z.object(answer)).min(1).max(100).optional(),
    stream: z.boolean().optional(),
  })
  // Judged in resume.ts, in the words of the field that is missing or too much.
  .meta({ override: { oneOf: [{ required: ['interrupt_id'] }, { required: ['responses'] }] } });
export type ResumeBody = z.output<typeof resumeBody>;

export const cancelBody = z.object({ reason: z.string().max(500).nullish() });

export const listenQuery = z.object({
  after_seq: z
    .string()
    .regex(/^\d{1,9}$/, 'Input should be a whole number')
    .optional()
    .transform((text) => (text === undefined ? undefined : Number(text)))
    .meta({ override: { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 } }),
});

export const historyQuery = z.object({
  limit: limit(50),
  offset,
  workflow_id: uuid.optional(),
  status: z.string().max(50).optional(),
  trigger_type: z.string().max(50).optional(),
});
export type HistoryQuery = z.output<typeof historyQuery>;

const message = z.looseObject({
  id: z.string(),
  role: z.enum(['human', 'ai']),
  content: z.string(),
  status: z.enum(['completed', 'pending']),
  run_id: z.string(),
  chat_id: z.string().nullable(),
  created_at: z.string(),
});
const runStart = {
  status: z.literal('running'),
  run_id: z.string(),
  thread_id: z.string().nullable(),
  chat_id: z.string().nullable(),
  ephemeral: z.boolean(),
  stream: z.boolean(),
  workflow_name: z.string(),
  workflow_version: z.string(),
  workflow_source: z.string(),
  elapsed_ms: z.int(),
  human_message: message,
  ai_message: message,
  message: z.string(),
};
export const runStartReply = z.looseObject(runStart);
export const resumeReply = z.looseObject({
  ...runStart,
  resumed_from_run_id: z.string(),
  interrupt_ids: z.array(z.string()),
});
export const cancelReply = z.looseObject({
  success: z.boolean(),
  run_id: z.string(),
  status: z.string(),
  previous_status: z.string(),
  already_terminal: z.boolean(),
  message: z.string(),
});

const listItem = {
  id: z.string(),
  run_id: z.string(),
  workflow_id: z.string().nullable(),
  trigger_type: z.string(),
  is_ad_hoc: z.boolean(),
  status: z.string(),
  started_at: z.string(),
  completed_at: z.string().nullable(),
  duration_seconds: z.number().nullable(),
  error_message: z.string().nullable(),
  created_at: z.string(),
  has_output: z.boolean(),
};
export const historyReply = z.looseObject({
  runs: z.array(z.looseObject(listItem)),
  has_more: z.boolean(),
  limit: z.int(),
  offset: z.int(),
});
export const stepReply = z.looseObject({ step_id: z.string(), node_id: z.string(), status: z.string() });
export const recordReply = z.looseObject({ ...listItem, steps: z.array(stepReply) });
