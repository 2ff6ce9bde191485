/** The messages with links that are due: first messages, reminders, and those to the people a question escalates to. */
import type { Sql } from '../db/client.ts';
import type { AnswerLink } from './link.ts';

/** A claim lasts longer than sending takes with its timeouts. */
const CLAIM_SECONDS = 120;
/** Messages of one organization in a round: a crowd of one does not delay others. */
const PER_ORGANIZATION = 4;
const PER_ROUND = 16;
/** Reminders of one question end some day. A guess. */
const MAX_SENT = 20;

/** A message that is about to be sent. */
export interface DueMessage extends AnswerLink {
  readonly channel: 'email' | 'slack' | 'teams' | 'discord';
  /** The webhook of a chat; null for e-mail. */
  readonly url: string | null;
  readonly attempts: number;
  readonly sentCount: number;
  readonly createdAt: Date;
  readonly title: string;
  readonly message: string;
  readonly workflowName: string;
  readonly expiresAt: Date | null;
}

const CLAIM = `
  WITH due AS (
    SELECT l.interrupt_id, l.address, l.due_at, i.status = 'pending' AND NOT coalesce(i.expires_at <= now(), false) AS is_open,
           row_number() OVER (PARTITION BY l.organization_id ORDER BY l.due_at) AS turn
    FROM answer_links l JOIN run_interrupts i ON i.id = l.interrupt_id WHERE l.due_at <= now()
  ), chosen AS (
    SELECT interrupt_id, address FROM due WHERE is_open AND turn <= ${PER_ORGANIZATION} ORDER BY turn, due_at LIMIT ${PER_ROUND}
  ), locked AS (
    SELECT interrupt_id, address FROM answer_links WHERE (interrupt_id, address) IN (SELECT interrupt_id, address FROM chosen)
      AND due_at <= now() FOR UPDATE SKIP LOCKED
  ), closed AS (
    UPDATE answer_links l SET due_at = 'infinity' FROM due
    WHERE NOT due.is_open AND l.interrupt_id = due.interrupt_id AND l.address = due.address
  ), claimed AS (
    UPDATE answer_links l SET due_at = now() + make_interval(secs => ${CLAIM_SECONDS}), attempts = attempts + 1
    FROM locked WHERE l.interrupt_id = locked.interrupt_id AND l.address = locked.address RETURNING l.*
  )
  SELECT c.organization_id AS "organizationId", c.root_run_pk AS "rootRunPk", c.interrupt_id AS "interruptId", c.address,
         c.channel, c.url, c.attempts, c.sent_count AS "sentCount", c.created_at AS "createdAt",
         i.question->>'title' AS title, i.question->>'message' AS message, r.workflow_name AS "workflowName",
         i.expires_at AS "expiresAt"
  FROM claimed c JOIN run_interrupts i ON i.id = c.interrupt_id JOIN runs r ON r.id = i.run_pk`;

/** Claims due messages of open questions; organizations take turns. Other processes skip them until the claim expires. */
export const claimMessages = (sql: Sql): Promise<DueMessage[]> => sql.query<DueMessage>(CLAIM);

/** Records that a message was sent; the next one is its reminder. */
export async function recordSent(
  sql: Sql,
  { organizationId, interruptId, address }: AnswerLink,
): Promise<void> {
  await sql.query(
    `UPDATE answer_links SET sent_at = now(), sent_count = sent_count + 1, attempts = 0, error = NULL,
            due_at = CASE WHEN remind_seconds IS NULL OR sent_count >= ${MAX_SENT - 1} THEN 'infinity'
                          ELSE now() + make_interval(secs => remind_seconds) END
     WHERE interrupt_id = $1 AND address = $2 AND organization_id = $3`,
    [interruptId, address, organizationId],
  );
}

/** Records that a message could not be sent. @param dueMs when it is tried again; null: not at all */
export async function recordUnsent(
  sql: Sql,
  { organizationId, interruptId, address }: AnswerLink,
  { error, dueMs }: { readonly error: string; readonly dueMs: number | null },
): Promise<void> {
  await sql.query(
    `UPDATE answer_links SET error = $4, due_at = coalesce($5::timestamptz, 'infinity')
     WHERE interrupt_id = $1 AND address = $2 AND organization_id = $3`,
    [interruptId, address, organizationId, error, dueMs === null ? null : new Date(dueMs)],
  );
}
