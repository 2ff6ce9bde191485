/** OpenAPI examples of the frames of a run's stream. */
import { AT, IDS, LATER } from '../../../platform/http/docs/example-ids.ts';

const run = { run_id: IDS.run, thread_id: IDS.thread };
const at = (seq: number, timestamp = AT) => ({ ...run, timestamp, seq });

const node = (id: string, type: string) => ({
  step_id: IDS.step,
  node_id: id,
  node_type: type,
  node_name: id,
  attempt: 1,
  depth: 1,
});
const hello = node('hello', 'transformer');
const classify = node('classify', 'llm');
const approve = node('approve', 'interrupt');
const refund = node('refund', 'tool');
const childRun = { run_id: IDS.run, run_pk: IDS.runPk, workflow_name: 'Refunds' };
const childQuestion = {
  interrupt_id: 'approve#1',
  node_id: 'approve',
  kind: 'approval',
  title: 'Refund of 120',
  assignees: { roles: ['owner'], user_ids: [] },
  expires_at: null,
};

const usage = { input_tokens: 120, output_tokens: 18, total_tokens: 138 };
const unreachable = {
  code: 'http_error',
  message: 'The server responded with HTTP 503',
  retryable: true,
  status: 503,
};
const ended = { duration_ms: 1_250, usage, credits: 0.4, handled_error_count: 0 };
const QUESTION = 'approve#1';
const question = {
  interrupt_id: QUESTION,
  kind: 'approval',
  title: 'Refund of 120',
  message: 'The customer asks for it',
  payload: { amount: 120 },
  form: null,
  actions: [{ id: 'approve', label: 'Approve' }],
  assignees: { roles: ['owner'], user_ids: [] },
  expires_at: null,
};

/** The fields of a frame of each type beside `type`. */
export const FRAME_EXAMPLES: Readonly<Record<string, object>> = {
  run_started: {
    ...at(1),
    workflow_id: IDS.workflow,
    workflow_name: 'Greeting',
    workflow_version: '2.0.0',
    workflow_source: 'database',
    deployment_id: IDS.deployment,
    chat_id: IDS.chat,
    ephemeral: false,
    reason: 'initial',
  },
  node_started: { ...at(2), ...hello },
  node_completed: {
    ...at(3),
    ...hello,
    output: { greeting: 'Hello Ada' },
    output_truncated: false,
    selected_handle: 'default',
    duration_ms: 2,
    usage: null,
    credits: 0,
    warnings: [],
  },
  node_failed: {
    ...at(4),
    ...node('customer', 'tool'),
    error: unreachable,
    handled: true,
    on_error: 'branch',
  },
  node_retry: { ...at(4), ...node('customer', 'tool'), error: unreachable, next_attempt: 2, delay_ms: 1_000 },
  node_skipped: { ...at(5), ...hello, reason: 'branch' },
  node_reused: { ...at(2), ...hello, selected_handle: 'default', reused_from_step_id: IDS.chunk },
  state_updated: { ...at(6), ...hello, fields: ['tags'] },
  token: { ...at(7), ...classify, delta: 'Hel', channel: 'content', replay: false },
  token_reset: { ...at(8), ...classify, reason: 'retry' },
  progress: { ...at(9), ...refund, data: { waits_for: [{ ...childRun, interrupts: [childQuestion] }] } },
  tool_call: {
    ...at(10),
    ...node('support', 'knowledge'),
    node_name: 'search_handbook',
    parent_step_id: IDS.message,
    tool_call_id: 'call_1',
    name: 'search_handbook',
    phase: 'end',
    status: 'succeeded',
    duration_ms: 84,
  },
  interrupt: { ...at(11), ...approve, ...question },
  interrupt_resolved: {
    ...at(2),
    ...approve,
    interrupt_id: QUESTION,
    action: 'approve',
    responded_by: IDS.user,
    timed_out: false,
  },
  run_completed: {
    ...at(12, LATER),
    ...ended,
    status: 'completed',
    output: { greeting: 'Hello Ada' },
    output_truncated: false,
  },
  run_failed: {
    ...at(12, LATER),
    ...ended,
    status: 'failed',
    error: { ...unreachable, node_id: 'customer', attempts: 3 },
  },
  run_cancelled: { ...at(12, LATER), ...ended, status: 'cancelled', reason: 'Started by mistake' },
  run_interrupted: {
    ...at(12, LATER),
    ...ended,
    status: 'interrupted',
    interrupts: [{ node_id: 'approve', ...question }],
  },
  paused: {
    ...at(12, LATER),
    ...ended,
    status: 'interrupted',
    interrupts: [{ node_id: 'approve', ...question }],
  },
  heartbeat: { ...run, timestamp: AT, nodes: [{ node_id: 'classify', attempt: 1, seq: 7, tokens: 42 }] },
  snapshot: {
    ...at(11, LATER),
    status: 'completed',
    last_seq: 12,
    nodes: [
      {
        node_id: 'hello',
        step_id: IDS.step,
        status: 'succeeded',
        attempt: 1,
        output: { greeting: 'Hello Ada' },
        output_truncated: false,
      },
    ],
    partial_text: {},
    interrupts: [],
  },
  stream_error: {
    ...run,
    timestamp: AT,
    code: 'run_removed',
    message: 'The run is no longer stored',
  },
};
