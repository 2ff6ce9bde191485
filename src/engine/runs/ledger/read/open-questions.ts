/** The list of the open questions in an organization, or of those that one person may answer. */
import { composePage, type PageRead } from '../../../../base/db/keyset.ts';
import type { Sql } from '../../../../base/db/client.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import { QUESTION_BYTES, type QuestionSize } from './run-record.ts';
import { readerParams, VISIBLE, type Reader } from './run-reads.ts';

interface OpenQuestion extends QuestionSize {
  readonly created_at: Date;
}

const COLUMNS = `i.id, i.created_at, ${QUESTION_BYTES} AS bytes`;
const OPEN = `${VISIBLE} AND i.status = 'pending' AND NOT coalesce(i.expires_at <= now(), false)`;

interface OpenFilter {
  /** The role of the reader, to select the questions that the reader may answer; null: all. */
  readonly role: string | null;
  /** Null: all. */
  readonly kind: Question['kind'] | null;
}

/** Reads the sizes of a page of open questions, newest first. */
export async function readOpenSizes(
  sql: Sql,
  reader: Reader,
  { role, kind, page }: OpenFilter & { readonly page: PageRead },
): Promise<OpenQuestion[]> {
  const params = readerParams(reader);
  const isOfKind = (column: string): string => (kind === null ? 'true' : `${column} = $${params.push(kind)}`);
  if (role === null) {
    const ofKind = isOfKind('i.kind');
    const { condition, tail } = composePage(params, page, ['i.created_at', 'i.id']);
    return sql.query<OpenQuestion>(
      `SELECT ${COLUMNS} FROM run_interrupts i JOIN runs r ON r.id = i.run_pk
       WHERE i.organization_id = $1 AND ${OPEN} AND ${ofKind} AND ${condition} ${tail}`,
      params,
    );
  }
  const assignees = `$${params.push(['everyone', `role:${role}`, `user:${reader.userId}`])}::text[]`;
  // Each assignee has an order of its own, so the page is among the first rows of each; a question may be in several of them.
  const first = { ...page, limit: page.offset + page.limit, offset: 0 };
  const ofAssignee = composePage(params, first, ['a.created_at', 'a.interrupt_id']);
  const ofKind = isOfKind('a.kind');
  const { tail } = composePage(params, { ...page, from: null }, ['created_at', 'id']);
  return sql.query<OpenQuestion>(
    `SELECT id, created_at, bytes FROM (
       SELECT DISTINCT found.id, found.created_at, found.bytes
       FROM unnest(${assignees}) AS own(assignee) CROSS JOIN LATERAL (
         SELECT ${COLUMNS}
         FROM open_question_assignees a JOIN run_interrupts i ON i.id = a.interrupt_id JOIN runs r ON r.id = i.run_pk
         WHERE a.organization_id = $1 AND a.assignee = own.assignee AND ${ofKind} AND ${OPEN}
           AND ${ofAssignee.condition} ${ofAssignee.tail}) AS found) AS open
     ${tail}`,
    params,
  );
}
