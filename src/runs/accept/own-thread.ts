/**
 * A run may continue a thread of its own kind, and in a chat only its own user's, because models remember there what was
 * said. Threads of workflows are shared by the organization.
 */
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { Reader } from '../ledger/run-reads.ts';
import { findChat } from '../ledger/threads.ts';

interface ContinuedThread {
  readonly threadId: string;
  readonly kind: 'workflow' | 'assistant' | 'composer';
}

/**
 * @returns the saved workflow that the thread's chat is about, if any
 * @throws ApiError 404 when the thread is somebody else's or another kind's; a thread that is new is nobody's
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
