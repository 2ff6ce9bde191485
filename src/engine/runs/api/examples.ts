/** OpenAPI examples of the routes of runs. */
import type { RowExamples } from '../../../platform/http/route.ts';
import { AT, IDS, LATER } from '../../../platform/http/docs/example-ids.ts';

const about = { run_id: IDS.run, chat_id: IDS.chat, created_at: AT };
/** The run start response; the Assistant and the Composer add fields. */
export const started = {
  status: 'running',
  run_id: IDS.run,
  thread_id: IDS.thread,
  chat_id: IDS.chat,
  ephemeral: false,
  stream: true,
  workflow_name: 'Greeting',
  workflow_version: '2.0.0',
  workflow_source: 'database',
  elapsed_ms: 7,
  human_message: { id: IDS.message, role: 'human', content: 'Ada', status: 'completed', ...about },
  ai_message: { id: IDS.answer, role: 'ai', content: '', status: 'pending', ...about },
  message: 'Workflow run started',
};

const listed = {
  id: IDS.runPk,
  run_id: IDS.run,
  workflow_id: IDS.workflow,
  deployment_id: IDS.deployment,
  trigger_type: 'api',
  is_ad_hoc: false,
  status: 'succeeded',
  started_at: AT,
  completed_at: LATER,
  duration_seconds: 1.25,
  error_message: null,
  created_at: AT,
  output_summary: '{"greeting":"Hello Ada"}',
  has_output: true,
  metadata: { customer: 'acme' },
  values_deleted_at: null,
  has_open_interrupts: false,
  waits_for_worker: false,
};

const historyRow = {
  ...listed,
  workflow_name: 'Greeting',
  created_by: IDS.user,
  stopped_at: null,
  credits: 0,
  earlier_segments: [],
};

const step = {
  step_id: IDS.step,
  node_id: 'hello',
  node_type: 'transformer',
  node_name: 'Say hello',
  status: 'succeeded',
  depth: 1,
  visit: 1,
  parent_step_id: null,
  item_index: null,
  iteration: null,
  input: null,
  input_truncated: false,
  output: { greeting: 'Hello Ada' },
  output_truncated: false,
  error: null,
  error_handled: false,
  selected_handle: 'default',
  warnings: [],
  usage: null,
  credits: 0,
  attempt: 1,
  attempts: [
    { attempt: 1, status: 'succeeded', started_at: AT, completed_at: LATER, duration_ms: 1250, error: null },
  ],
  logs: null,
  tool_calls: null,
  child_run_id: null,
  reused_from_step_id: null,
  started_at: AT,
  completed_at: LATER,
  duration_ms: 1250,
};

const record = {
  ...listed,
  thread_id: IDS.thread,
  chat_id: IDS.chat,
  workflow_name: 'Greeting',
  workflow_version: '2.0.0',
  workflow_source: 'database',
  deployment_version: '2.0.0',
  is_private: false,
  created_by: IDS.user,
  input: { name: 'Ada' },
  output: { greeting: 'Hello Ada' },
  state: { hello: { greeting: 'Hello Ada' } },
  error: null,
  usage: null,
  handled_error_count: 0,
  cancel_reason: null,
  credits: { charged: 0, items: [] },
  steps: [step],
  interrupts: [],
  waits_for: [],
  resumed_from_run_id: null,
  resumed_by_run_ids: [],
  rerun_of: null,
  rerun_of_run_pk: null,
  parent_run_id: null,
  truncated: false,
};

/** Frames of two lines: an id to continue after, and JSON with the `type` of the event. */
const STREAM = [
  `id: 1\ndata: {"type":"run_started","seq":1,"workflow_name":"Greeting"}\n`,
  `id: 2\ndata: {"type":"node_started","seq":2,"node_id":"hello"}\n`,
  `id: 3\ndata: {"type":"node_completed","seq":3,"node_id":"hello","output":{"greeting":"Hello Ada"}}\n`,
  `id: 4\ndata: {"type":"run_completed","seq":4,"output":{"greeting":"Hello Ada"}}\n`,
].join('\n');

const QUESTION = 'approve#1';

const question = {
  interrupt_id: QUESTION,
  run_id: IDS.run,
  node_id: 'approve',
  step_id: IDS.step,
  kind: 'approval',
  title: 'Refund of 120',
  message: 'The customer asks for it',
  payload: null,
  form: null,
  actions: [{ id: 'approve', label: 'Approve' }],
  assignees: { roles: ['owner'], user_ids: [] },
  required_responses: 1,
  status: 'pending',
  response: null,
  responses: [],
  responded_by: null,
  links: [],
  callback_url: null,
  late_call_count: 0,
  last_late_call_at: null,
  responded_email: null,
  responded_at: null,
  resumed_by_run_id: null,
  expires_at: null,
  created_at: AT,
  run_pk: IDS.runPk,
  workflow_id: IDS.workflow,
  workflow_name: 'Greeting',
};

const compared = {
  run_pk: IDS.runPk,
  run_id: IDS.run,
  status: 'succeeded',
  workflow_id: IDS.workflow,
  workflow_name: 'Greeting',
  workflow_version: '2.0.0',
};
const comparedStep = {
  step_id: IDS.step,
  status: 'succeeded',
  visits: 1,
  duration_ms: 3,
  credits: 0,
  selected_handle: 'default',
  took: ['__end__'],
  error_code: null,
};

export const RUN_EXAMPLES: RowExamples = {
  'POST /workflows/run/batch': {
    request: { workflow_id: IDS.workflow, inputs: [{ name: 'Ada' }, { name: 'Grace' }] },
    replies: {
      200: {
        runs: [
          { status: 'running', run_id: IDS.run, thread_id: IDS.thread, error: null },
          {
            status: 'refused',
            run_id: null,
            thread_id: null,
            error: { code: 'rate_limit_exceeded', message: 'The run rate of the plan is reached' },
          },
        ],
        accepted: 1,
        refused: 1,
      },
    },
  },
  'POST /workflows/run': {
    request: {
      workflow_id: IDS.workflow,
      input: { name: 'Ada' },
      stream: true,
      metadata: { customer: 'acme' },
    },
    replies: { 200: started, 202: started },
  },
  'GET /workflows/listen/:run_id': { replies: { 200: STREAM } },
  'POST /workflows/resume/:run_id': {
    request: { interrupt_id: QUESTION, action: 'approve', data: { comment: 'Fine' } },
    replies: {
      200: { ...started, resumed_from_run_id: IDS.message, interrupt_ids: [QUESTION] },
      202: {
        status: 'interrupted',
        run_id: IDS.run,
        thread_id: IDS.thread,
        interrupt_ids: [QUESTION],
        interrupts: [{ interrupt_id: QUESTION, responses: 1, required_responses: 2 }],
      },
    },
  },
  'POST /workflows/cancel/:run_id': {
    request: { reason: 'Started by mistake' },
    replies: {
      200: {
        success: true,
        run_id: IDS.run,
        status: 'cancelled',
        previous_status: 'running',
        already_terminal: false,
        message: 'Workflow run cancelled',
      },
    },
  },
  'GET /workflow-runs': {
    replies: {
      200: {
        runs: [historyRow],
        has_more: false,
        limit: 50,
        offset: 0,
        next_cursor: null,
        previous_cursor: null,
      },
    },
  },
  'GET /interrupts': {
    replies: {
      200: {
        interrupts: [question],
        has_more: false,
        limit: 50,
        offset: 0,
        next_cursor: null,
        previous_cursor: null,
      },
    },
  },
  'GET /workflow-runs/:run_pk': { replies: { 200: record } },
  'DELETE /workflow-runs/:run_pk': { replies: { 200: { success: true, message: 'Run deleted' } } },
  'GET /workflows/runs/:run_id': { replies: { 200: record } },
  'GET /workflow-runs/:run_pk/definition': {
    replies: {
      200: {
        run_id: IDS.run,
        definition_hash: '6c9a2f0f7d1e4b0c8f3a5d7e9b1c2d4f6a8b0c2d4e6f8a0b1c3d5e7f9a1b3c5d',
        workflow_name: 'Greeting',
        workflow_version: '2.0.0',
        workflow_source: 'database',
        definition: { nodes: [{ id: 'hello', type: 'transformer', config: {} }], edges: [] },
      },
    },
  },
  'GET /workflow-runs/:run_pk/compare/:other_run_pk': {
    replies: {
      200: {
        a: compared,
        b: { ...compared, run_id: IDS.message, status: 'failed' },
        same_definition: true,
        nodes: [
          {
            node_id: 'hello',
            node_name: 'Say hello',
            node_type: 'transformer',
            a: comparedStep,
            b: { ...comparedStep, status: 'reused', duration_ms: 0 },
            output_differs: true,
            differences: ['/greeting'],
            branch_differs: false,
          },
        ],
      },
    },
  },
  'POST /workflows/:workflow_id/nodes/:node_id/test': {
    request: { from_run_pk: IDS.runPk, state: { lookup: { name: 'Ada' } } },
    replies: { 200: { ...started, workflow_source: 'request' } },
  },
  'POST /workflow-runs/:run_pk/rerun': {
    request: { from_node_id: 'hello', overrides: { lookup: { name: 'Ada' } } },
    replies: { 200: { ...started, run_id: IDS.message, rerun_of: IDS.run } },
  },
  'GET /workflow-runs/:run_pk/steps/:step_id': { replies: { 200: step } },
};
