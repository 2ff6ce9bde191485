/** Examples of chats: the Assistant's and the Composer's. */
import type { RowExamples } from '../../platform/http/route.ts';
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';
import { started } from '../../engine/runs/api/examples.ts';

const chat = {
  id: IDS.chat,
  thread_id: IDS.thread,
  title: 'Greeting',
  status: 'idle',
  last_message_preview: 'Hello',
  message_count: 2,
  workflow_id: null,
  pinned: false,
  created_at: AT,
  updated_at: AT,
};
const answer = {
  id: IDS.message,
  role: 'ai',
  content: 'Hello Ada',
  status: 'completed',
  run_id: IDS.run,
  chat_id: IDS.chat,
  error: null,
  created_at: AT,
};
const answered = { ...started, stream_url: `/workflows/listen/${IDS.run}` };
const isBusy = { detail: 'This chat has an active run. Cancel it first' };

const chats = (kind: 'assistant' | 'composer'): RowExamples => ({
  [`GET /${kind}/chats`]: { replies: { 200: { items: [chat], next_cursor: null } } },
  [`GET /${kind}/chats/:chat_id`]: { replies: { 200: chat } },
  [`GET /${kind}/chats/:chat_id/messages`]: { replies: { 200: { items: [answer], next_cursor: null } } },
  [`PATCH /${kind}/chats/:chat_id`]: {
    request: { title: 'Refunds', pinned: true },
    replies: { 200: { ...chat, title: 'Refunds', pinned: true } },
  },
  [`DELETE /${kind}/chats/:chat_id`]: {
    replies: { 200: { success: true, message: 'Chat deleted' }, 409: isBusy },
  },
});

export const CHAT_EXAMPLES: RowExamples = {
  ...chats('assistant'),
  ...chats('composer'),
  'POST /assistant/chat': {
    request: { message: 'Which runs have failed today?', thread_id: IDS.thread },
    replies: { 200: { ...answered, workflow_name: 'Assistant', workflow_source: 'system:assistant' } },
  },
  'POST /composer/chat': {
    request: { message: 'Ask a person before refunds above 100', workflow_id: IDS.workflow },
    replies: { 200: { ...answered, workflow_id: IDS.workflow, edit_version: 4 } },
  },
};
