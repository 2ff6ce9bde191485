/** The memory of threads: the messages of users and models in earlier runs, by organization and thread. */
import type { Db } from '../../../../base/db/client.ts';
import type { MemoryPort, ModelMessage } from '../../../../language/nodes/tools.ts';

const READ = `
  SELECT role, content FROM (
    SELECT id, role, content FROM thread_messages
    WHERE organization_id = $1 AND thread_id = $2 ORDER BY id DESC LIMIT $3
  ) newest ORDER BY id`;

// Writes all messages of a step in one statement; (step_id, role) is unique, so a repetition adds nothing.
const APPEND = `
  INSERT INTO thread_messages (organization_id, thread_id, run_pk, step_id, role, content)
  SELECT $1, $2, $3, $4, said.role, said.content
  FROM unnest($5::text[], $6::text[]) WITH ORDINALITY AS said(role, content, at) ORDER BY said.at
  ON CONFLICT (step_id, role) DO NOTHING`;

/** Joins the messages of each role: the table has one message per step and role. */
function joinByRole(messages: readonly ModelMessage[]): Map<ModelMessage['role'], string> {
  const byRole = new Map<ModelMessage['role'], string>();
  for (const { role, content } of messages) {
    const before = byRole.get(role);
    // Text in PostgreSQL cannot contain NUL.
    const text = content.replaceAll('\0', '');
    byRole.set(role, before === undefined ? text : `${before}\n\n${text}`);
  }
  return byRole;
}

/** Creates the memory in the table thread_messages. */
export function createThreadMemory(db: Pick<Db, 'query'>): MemoryPort {
  return {
    async read(organizationId, threadId, limit) {
      return await db.query<ModelMessage>(READ, [organizationId, threadId, limit]);
    },
    async append({ organizationId, threadId }, of, messages) {
      const byRole = joinByRole(messages);
      if (byRole.size === 0) return;
      await db.query(APPEND, [
        organizationId,
        threadId,
        of.runPk,
        of.stepId,
        [...byRole.keys()],
        [...byRole.values()],
      ]);
    },
  };
}
