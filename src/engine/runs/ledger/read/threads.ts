/** Threads that runs continue: their chats, and the runs that wait on them. */
import type { Sql } from '../../../../base/db/client.ts';
import type { SegmentKey } from '../write/segments.ts';

export interface ThreadKey {
  readonly organizationId: string;
  readonly threadId: string;
}

interface ThreadChat {
  readonly kind: string;
  readonly userId: string | null;
  /** The saved workflow that the chat is about, if any. */
  readonly workflowId: string | null;
}

/** Finds the chat of a thread; null when the thread is new. */
export async function findChat(
  sql: Sql,
  { organizationId, threadId }: ThreadKey,
): Promise<ThreadChat | null> {
  const [chat] = await sql.query<ThreadChat>(
    `SELECT kind, user_id AS "userId", workflow_id AS "workflowId" FROM chats WHERE organization_id = $1 AND thread_id = $2`,
    [organizationId, threadId],
  );
  return chat ?? null;
}

/** Finds the runs of a thread that wait for an answer, without sub-workflows, in the order of their locks. */
export function findWaiting(sql: Sql, { organizationId, threadId }: ThreadKey): Promise<SegmentKey[]> {
  return sql.query<SegmentKey>(
    `SELECT organization_id AS "organizationId", root_run_pk AS "rootRunPk", id AS "runPk" FROM newest_segments
     WHERE organization_id = $1 AND thread_id = $2 AND status = 'interrupted' AND parent_run_pk IS NULL
     ORDER BY root_run_pk`,
    [organizationId, threadId],
  );
}
