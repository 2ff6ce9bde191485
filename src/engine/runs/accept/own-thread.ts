/**
 * Checks that a run may continue a thread: the thread must be of the same kind, and a chat's thread must be the caller's,
 * because models remember the conversation. Threads of workflows are shared by the organization.
 */
import type { Sql } from '../../../base/db/client.ts';
import { notFound } from '../../../base/errors.ts';
import type { Reader } from '../ledger/read/run-reads.ts';
import { findChat } from '../ledger/read/threads.ts';

interface ContinuedThread {
  readonly threadId: string;
  readonly kind: 'workflow' | 'assistant' | 'composer';
}

/**
 * @returns the saved workflow that the thread's chat is about, if any
 * @throws ApiError 404 for a thread of another user's chat or of another kind; a new thread is allowed
 */
export async function requireOwnThread(
  sql: Sql,
  { organizationId, userId }: Pick<Reader, 'organizationId' | 'userId'>,
  { threadId, kind }: ContinuedThread,
): Promise<string | null> {
  const chat = await findChat(sql, { organizationId, threadId });
  if (chat === null) return null;
  const isOwn = chat.kind === kind && (kind === 'workflow' || chat.userId === userId);
  if (!isOwn) throw notFound('Chat');
  return chat.workflowId;
}
