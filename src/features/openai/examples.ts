/** OpenAPI examples of the OpenAI-compatible API. */
import { IDS } from '../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../platform/http/route.ts';

const model = {
  id: 'starter-workflow',
  object: 'model',
  created: 1_793_611_800,
  owned_by: IDS.organization,
  workflow_id: IDS.workflow,
  name: 'Starter workflow',
};
const text = 'It classifies your mail and drafts an answer.';
const completion = {
  id: `chatcmpl-${IDS.run}`,
  object: 'chat.completion',
  created: model.created,
  model: model.id,
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
};
const response = {
  id: `resp_${IDS.run}`,
  object: 'response',
  created_at: model.created,
  completed_at: model.created + 4,
  status: 'completed',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  model: model.id,
  output: [
    {
      id: `msg_${IDS.run}`,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  previous_response_id: null,
  store: true,
  usage: { input_tokens: 24, output_tokens: 9, total_tokens: 33 },
  metadata: {},
};
const question = {
  id: `msg_${IDS.run}_0`,
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text: 'What can you do?' }],
};
const cancelled = {
  ...response,
  status: 'cancelled',
  completed_at: null,
  background: true,
  output: [],
  usage: null,
};

export const OPENAI_EXAMPLES: RowExamples = {
  'GET /openai/models': { replies: { 200: { object: 'list', data: [model] } } },
  'GET /openai/models/:model': { replies: { 200: model } },
  'POST /openai/chat/completions': {
    request: { model: model.id, messages: [{ role: 'user', content: 'What can you do?' }] },
    replies: { 200: completion },
  },
  'POST /openai/responses': {
    request: { model: model.id, input: 'What can you do?' },
    replies: { 200: response },
  },
  'GET /openai/responses/:response_id': { replies: { 200: response } },
  'POST /openai/responses/:response_id/cancel': { replies: { 200: cancelled } },
  'DELETE /openai/responses/:response_id': {
    replies: { 200: { id: response.id, object: 'response', deleted: true } },
  },
  'GET /openai/responses/:response_id/input_items': {
    replies: {
      200: { object: 'list', data: [question], first_id: question.id, last_id: question.id, has_more: false },
    },
  },
};
