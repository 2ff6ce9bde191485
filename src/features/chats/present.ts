/** Chats and messages as the API returns them. */
import type { JsonObject } from '../../language/graph/values/value.ts';
import type { RunStatus } from '../../engine/runs/ledger/write/events.ts';
import { messageId } from '../../engine/runs/accept/start-response.ts';
import type { ChatRow, MessageRow } from './store.ts';

const CHAT_STATUS: Readonly<Record<RunStatus, string>> = {
  running: 'running',
  interrupted: 'interrupted',
  completed: 'idle',
  cancelled: 'idle',
  failed: 'error',
};

export function presentChat(row: ChatRow): JsonObject {
  return {
    id: row.id,
    thread_id: row.thread_id,
    // The first message may have several lines; a title has one.
    title: row.title.replaceAll(/\s+/g, ' ').trim(),
    status: row.run_status === null ? 'idle' : CHAT_STATUS[row.run_status],
    last_message_preview: row.last_message_preview,
    message_count: row.message_count,
    workflow_id: row.workflow_id,
    pinned: row.pinned,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const ANSWER_STATUS: Readonly<Record<RunStatus, string>> = {
  running: 'pending',
  interrupted: 'interrupted',
  completed: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
};

export function presentMessage(chatId: string, row: MessageRow): JsonObject {
  const isAnswer = row.role === 'ai';
  const { code, message } = row.error ?? {};
  return {
    id: messageId(row.run_pk, row.role),
    role: row.role,
    content: row.content ?? '',
    status: isAnswer ? ANSWER_STATUS[row.status] : 'completed',
    run_id: row.run_id,
    chat_id: chatId,
    error: isAnswer && row.error !== null ? { code: code ?? 'failed', message: message ?? '' } : null,
    created_at: row.created_at.toISOString(),
  };
}
