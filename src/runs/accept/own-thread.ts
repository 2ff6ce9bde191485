/**
 * Which thread a run may continue: one of its own kind, and in a chat of its own user alone, because models remember there
 * what was said. Threads of workflows are shared by the organization.
 */
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { Reader } from '../ledger/run-reads.ts';

export interface ContinuedThread {
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
  const [chat] = await sql.query<{ kind: string; user_id: string | null; workflow_id: string | null }>(
    'SELECT kind, user_id, workflow_id FROM chats WHERE organization_id = $1 AND thread_id = $2',
    [organizationId, threadId],
  );
  if (chat === undefined) return null;
  const isOwn = chat.kind === kind && (kind === 'workflow' || chat.user_id === userId);
  if (!isOwn) throw notFound('Chat');
  return chat.workflow_id;
}
