/** The links of a question, written with it; and a question as the person at its link finds it. */
import { IS_LINK_VALID } from '../../../../platform/access/still-allowed.ts';
import type { Sql } from '../../../../base/db/client.ts';
import type { AnswerRecipient } from '../../../../language/nodes/kind.ts';
import type { RunRef } from '../../engine.ts';
import { INTERRUPT_COLUMNS, type InterruptRow } from './questions.ts';

/** Adds links; their messages are sent when they are due. */
export async function addAnswerLinks(
  tx: Sql,
  { organizationId, rootRunPk, interruptId }: RunRef & { readonly interruptId: string },
  recipients: readonly AnswerRecipient[],
): Promise<void> {
  await tx.query(
    `INSERT INTO answer_links (interrupt_id, organization_id, root_run_pk, address, channel, url, credential_id, remind_seconds, due_at)
     SELECT $1, $2, $3, r.address, r.channel, r.url, r.credential, r.remind,
            -- The column rounds to milliseconds, and up would be after now.
            date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => r.after)
     FROM unnest($4::text[], $5::text[], $6::text[], $7::uuid[], $8::int[], $9::int[]) AS r(address, channel, url, credential, remind, after)
     ON CONFLICT DO NOTHING`,
    [
      interruptId,
      organizationId,
      rootRunPk,
      recipients.map(({ address }) => address),
      recipients.map(({ channel }) => channel),
      recipients.map(({ url }) => url),
      recipients.map(({ credentialId }) => credentialId),
      recipients.map(({ remindSeconds }) => remindSeconds),
      recipients.map(({ afterSeconds }) => afterSeconds),
    ],
  );
}

/** A question at a link. */
export interface LinkedQuestion extends InterruptRow {
  readonly workflow_name: string;
}

/** Finds the question of a link; null when the link was never sent, its person may not use it, or its organization is inactive. */
export async function findLinkedQuestion(
  sql: Sql,
  {
    organizationId,
    rootRunPk,
    interruptId,
    address,
  }: RunRef & { readonly interruptId: string; readonly address: string },
): Promise<LinkedQuestion | null> {
  const [found] = await sql.query<LinkedQuestion>(
    `SELECT ${INTERRUPT_COLUMNS}, r.workflow_name
     FROM answer_links l JOIN run_interrupts i ON i.id = l.interrupt_id JOIN runs r ON r.id = i.run_pk
     JOIN organizations o ON o.id = l.organization_id AND o.is_active
     WHERE l.interrupt_id = $1 AND l.address = $2 AND l.root_run_pk = $3 AND l.organization_id = $4 AND ${IS_LINK_VALID}`,
    [interruptId, address, rootRunPk, organizationId],
  );
  return found ?? null;
}
