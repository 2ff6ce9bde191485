/** Claims messages with links that are due, and records their attempts. A link's row is its queue entry: its first message, then its reminders. */
import type { Sql } from '../../base/db/client.ts';
import { IS_LINK_VALID } from '../../platform/access/still-allowed.ts';
import type { AnswerLink } from './link.ts';

/** A claim lasts longer than sending takes with its timeouts. */
const CLAIM_SECONDS = 120;
/** Messages of one organization in flight in a process, so that an organization whose chat hangs leaves slots to others. */
const PER_ORGANIZATION = 4;
/** Messages of one link, counting those that were given up, so that the reminders of a question end. A guess. */
const MAX_MESSAGES = 20;

/** A message that is about to be sent. */
export interface DueMessage extends AnswerLink {
  readonly channel: 'email' | 'slack' | 'teams' | 'discord';
  /** The webhook of a chat; null for e-mail, and for a chat whose credential has the webhook. */
  readonly url: string | null;
  readonly credentialId: string | null;
  /** Attempts of this message, counting the one for which it was claimed. */
  readonly attempts: number;
  /** Messages of this link that were sent before. */
  readonly sentCount: number;
  /** Start of the first attempt of this message; each reminder is a message of its own. */
  readonly firstAttemptAt: Date;
  readonly title: string;
  readonly message: string;
  readonly workflowName: string;
  readonly expiresAt: Date | null;
}

interface ClaimLimits {
  /** Messages in flight in this process, which count against `PER_ORGANIZATION`. */
  readonly inFlight: readonly Pick<DueMessage, 'organizationId'>[];
  readonly limit: number;
  /** Limit for messages that have failed before; they count against `limit`, too. */
  readonly retryLimit: number;
}

// The first attempts of an organization precede its retries: a retry that gets no slot would otherwise hold up a first attempt.
const CLAIM = `
  WITH due AS (
    SELECT l.interrupt_id, l.address, l.due_at, i.status = 'pending' AND NOT coalesce(i.expires_at <= now(), false) AND ${IS_LINK_VALID} AS is_open,
           l.organization_id, l.attempts > 0 AS is_retry,
           row_number() OVER (PARTITION BY l.organization_id ORDER BY l.attempts > 0, l.due_at) AS turn
    FROM answer_links l JOIN run_interrupts i ON i.id = l.interrupt_id WHERE l.due_at <= now()
  ), ranked AS (
    SELECT interrupt_id, address, due_at, is_retry, turn, row_number() OVER (PARTITION BY is_retry ORDER BY turn, due_at) AS place
    FROM due
    WHERE is_open AND turn <= ${PER_ORGANIZATION}
                              - (SELECT count(*) FROM unnest($1::uuid[]) AS busy(id) WHERE busy.id = due.organization_id)
  ), chosen AS (
    SELECT interrupt_id, address FROM ranked WHERE NOT is_retry OR place <= $3::int ORDER BY turn, due_at LIMIT $2::int
  ), locked AS (
    SELECT interrupt_id, address FROM answer_links WHERE (interrupt_id, address) IN (SELECT interrupt_id, address FROM chosen)
      AND due_at <= now() FOR UPDATE SKIP LOCKED
  ), closed AS (
    UPDATE answer_links l SET due_at = 'infinity' FROM due
    WHERE NOT due.is_open AND l.interrupt_id = due.interrupt_id AND l.address = due.address
  ), claimed AS (
    UPDATE answer_links l SET due_at = now() + make_interval(secs => ${CLAIM_SECONDS}), attempts = attempts + 1,
           -- The previous release counts attempts without it.
           first_attempt_at = CASE WHEN attempts = 0 THEN now() ELSE coalesce(first_attempt_at, now()) END
    FROM locked WHERE l.interrupt_id = locked.interrupt_id AND l.address = locked.address RETURNING l.*
  )
  SELECT c.organization_id AS "organizationId", c.root_run_pk AS "rootRunPk", c.interrupt_id AS "interruptId", c.address,
         c.channel, c.url, c.credential_id AS "credentialId", c.attempts, c.sent_count AS "sentCount", c.first_attempt_at AS "firstAttemptAt",
         i.question->>'title' AS title, i.question->>'message' AS message, r.workflow_name AS "workflowName",
         i.expires_at AS "expiresAt"
  FROM claimed c JOIN run_interrupts i ON i.id = c.interrupt_id JOIN runs r ON r.id = i.run_pk`;

/** Claims due messages of open questions, organizations in turn. Other processes do not see them until the claim expires. */
export function claimMessages(sql: Sql, { inFlight, limit, retryLimit }: ClaimLimits): Promise<DueMessage[]> {
  const busy = inFlight.map(({ organizationId }) => organizationId);
  return sql.query<DueMessage>(CLAIM, [busy, limit, retryLimit]);
}

/** The time of the reminder that follows a message; never after the last one. */
const NEXT_REMINDER = `
  CASE WHEN remind_seconds IS NULL OR sent_count + unsent_count + 1 >= ${MAX_MESSAGES} THEN 'infinity'
       ELSE now() + make_interval(secs => remind_seconds) END`;

/**
 * Adds the message of the link `l` to the ledger of effects: its number, and the place of the link among those of the question. The address of
 * a webhook is its secret, so its host stands for it.
 */
const composeLedgerRow = (outcome: 'done' | 'not_sent', from: string): string => `
  INSERT INTO run_effects (run_pk, step_id, attempt, number, organization_id, workflow_id, created_by, node_id, door, target, host,
                           credential_id, effect, outcome, error_code)
  SELECT r.id, i.step_id, l.sent_count + l.unsent_count,
         (SELECT count(*) FROM answer_links o WHERE o.interrupt_id = l.interrupt_id AND o.address < l.address),
         r.organization_id, r.workflow_id, r.created_by, i.node_id, 'message',
         jsonb_build_object('channel', l.channel, 'address', CASE WHEN l.channel = 'email' THEN l.address ELSE chat.host END),
         chat.host, l.credential_id, 'at_most_once', '${outcome}', l.error
  FROM ${from} l JOIN run_interrupts i ON i.id = l.interrupt_id JOIN runs r ON r.id = i.run_pk,
       LATERAL (SELECT lower(substring(l.url FROM '^[^:]+://(?:[^/?#]*@)?([^/?#]+)')) AS host) chat
  ON CONFLICT DO NOTHING`;

const RECORD_SENT = `
  WITH sent AS (
    UPDATE answer_links SET sent_at = now(), sent_count = sent_count + 1, attempts = 0, error = NULL, due_at = ${NEXT_REMINDER}
    WHERE interrupt_id = $1 AND address = $2 AND organization_id = $3 RETURNING *
  ) ${composeLedgerRow('done', 'sent')}`;

const RECORD_UNSENT = `
  WITH unsent AS (
    UPDATE answer_links SET error = $4, due_at = coalesce($5::timestamptz, ${NEXT_REMINDER}),
           attempts = CASE WHEN $5 IS NULL THEN 0 ELSE attempts END, unsent_count = unsent_count + ($5 IS NULL)::int
    WHERE interrupt_id = $1 AND address = $2 AND organization_id = $3 RETURNING *
  ) ${composeLedgerRow('not_sent', '(SELECT * FROM unsent WHERE $5 IS NULL)')}`;

/** Records that a message was sent; the next one is its reminder. */
export async function recordSent(
  sql: Sql,
  { organizationId, interruptId, address }: AnswerLink,
): Promise<void> {
  await sql.query(RECORD_SENT, [interruptId, address, organizationId]);
}

/** Records a failed attempt. @param dueMs time of the next one; null gives the message up, and its reminder is next */
export async function recordUnsent(
  sql: Sql,
  { organizationId, interruptId, address }: AnswerLink,
  { error, dueMs }: { readonly error: string; readonly dueMs: number | null },
): Promise<void> {
  const due = dueMs === null ? null : new Date(dueMs);
  await sql.query(RECORD_UNSENT, [interruptId, address, organizationId, error, due]);
}
