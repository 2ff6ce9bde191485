/**
 * The schedules that a definition names. Its live version decides when they fire and with what; their history and whether they are
 * enabled outlive it.
 */
import type { Sql } from '../../base/db/client.ts';
import type { ScheduleTrigger } from '../../language/nodes/triggers/schedule.ts';

/** The workflow that is deployed. */
interface Deployed {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly userId: string;
}

type Defined = ScheduleTrigger & { readonly id: string };

const CHANGE = `
  UPDATE schedules SET name = $4, cron_expression = $5, timezone = $6, input = $7::json, config = $8::json, overlap_policy = $9,
    catchup_window_seconds = $10, enabled = coalesce(enabled_when_live, enabled), enabled_when_live = NULL, updated_at = now()
  WHERE organization_id = $1 AND workflow_id = $2 AND trigger_id = $3
  RETURNING id`;
const INSERT = `
  INSERT INTO schedules (organization_id, workflow_id, trigger_id, name, cron_expression, timezone, input, config, overlap_policy,
                         catchup_window_seconds, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7::json, $8::json, $9, $10, $11)`;

function toParameters({ organizationId, workflowId }: Deployed, trigger: Defined): unknown[] {
  const { thread_id: threadId = null } = trigger;
  return [
    organizationId,
    workflowId,
    trigger.id,
    trigger.name ?? trigger.id,
    trigger.cron_expression,
    trigger.timezone,
    JSON.stringify(trigger.input ?? {}),
    JSON.stringify(threadId === null ? {} : { thread_id: threadId }),
    trigger.overlap_policy,
    trigger.catchup_window_seconds,
  ];
}

/**
 * Puts the schedules that the live version of a workflow names, in the transaction that makes it live and has locked the workflow.
 * The database tells the outbox, which tells Temporal.
 * @param triggers those of the live version; none when no version is live
 */
export async function putDefinedSchedules(
  tx: Sql,
  of: Deployed,
  triggers: readonly Defined[],
): Promise<void> {
  for (const trigger of triggers) {
    const parameters = toParameters(of, trigger);
    const changed = await tx.query(CHANGE, parameters);
    if (changed.length === 0) await tx.query(INSERT, [...parameters, of.userId]);
  }
}
