/** The answers of several people to one question. The caller has locked the segment, so answers are counted one after the other. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import { IS_LINK_VALID } from '../../../../platform/access/still-allowed.ts';

/** A person who answers. */
export interface Respondent {
  /** Null: a person without an account. */
  readonly userId: string | null;
  /** Tells people apart, in lower case: a member and a link to the same address are one person. */
  readonly email: string;
}

/** One answer of several, as the output of the node lists it. */
export interface CountedResponse {
  readonly action: string | null;
  readonly data: Json;
  readonly responded_by: string | null;
  /** The address of a person without an account. */
  readonly responded_email: string | null;
  readonly responded_at: string;
}

/**
 * Records the answer of a person.
 * @returns all answers to the question, oldest first; null when the person has answered it before
 */
export async function recordResponse(
  tx: Sql,
  { userId, email }: Respondent,
  answer: {
    readonly organizationId: string;
    readonly interruptId: string;
    readonly action: string | null;
    readonly data: Json;
  },
): Promise<readonly CountedResponse[] | null> {
  const { organizationId, interruptId, action, data } = answer;
  const recorded = await tx.query(
    `INSERT INTO interrupt_responses (interrupt_id, email, organization_id, user_id, action, data)
     VALUES ($1, $2, $3, $4, $5, $6::json) ON CONFLICT DO NOTHING RETURNING 1`,
    [interruptId, email, organizationId, userId, action, JSON.stringify(data)],
  );
  if (recorded.length === 0) return null;
  const rows = await tx.query<Omit<CountedResponse, 'responded_at'> & { readonly responded_at: Date }>(
    `SELECT action, data, user_id AS responded_by,
            CASE WHEN user_id IS NULL THEN email END AS responded_email, responded_at FROM interrupt_responses
     WHERE interrupt_id = $1 AND organization_id = $2 ORDER BY responded_at, email`,
    [interruptId, organizationId],
  );
  return rows.map((row) => ({ ...row, responded_at: row.responded_at.toISOString() }));
}

/** Counts the people who may answer and have not: members, and those with a link. */
export async function countRemainingPeople(
  tx: Sql,
  {
    organizationId,
    interruptId,
    question: {
      assignees: { roles, user_ids: userIds },
    },
  }: {
    readonly organizationId: string;
    readonly interruptId: string;
    readonly question: Pick<Question, 'assignees'>;
  },
): Promise<number> {
  const [counted] = await tx.query<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT lower(u.email) AS email FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = $1 AND m.is_active AND u.is_active
         AND (cardinality($3::text[]) + cardinality($4::text[]) = 0 OR m.role = ANY ($3) OR m.user_id::text = ANY ($4))
       UNION SELECT address FROM answer_links l WHERE l.interrupt_id = $2 AND l.organization_id = $1 AND ${IS_LINK_VALID}
       EXCEPT SELECT email FROM interrupt_responses WHERE interrupt_id = $2 AND organization_id = $1
     ) AS people`,
    [organizationId, interruptId, roles, userIds],
  );
  return counted?.count ?? 0;
}

/** Forgets the answers to a question: people have answered another one. */
export async function forgetResponses(
  tx: Sql,
  { organizationId, interruptId }: { readonly organizationId: string; readonly interruptId: string },
): Promise<void> {
  await tx.query('DELETE FROM interrupt_responses WHERE interrupt_id = $1 AND organization_id = $2', [
    interruptId,
    organizationId,
  ]);
}
