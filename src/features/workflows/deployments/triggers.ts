/** The triggers of a workflow follow its live version: webhooks and schedules of `config.triggers` go live and down with it. */
import type { Sql } from '../../../base/db/client.ts';
import { putDefinedSchedules } from '../../../engine/schedules/defined-schedules.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { listTriggers } from '../../../language/nodes/triggers/triggers.ts';
import type { CredentialDeps } from '../../../platform/credentials/api/service.ts';
import { putDefinedHooks } from '../../hooks/defined-hooks.ts';

/** The workflow whose version has changed, and who has changed it. */
interface Deployed {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly userId: string;
}

/** Disables the rows of triggers that are no longer live. One that is disabled, by hand or after too many failures, stays so. */
const takeDown = (
  tx: Sql,
  table: 'hooks' | 'schedules',
  { organizationId, workflowId }: Deployed,
  live: readonly { readonly id: string }[],
): Promise<unknown> =>
  tx.query(
    `UPDATE ${table} SET enabled_when_live = enabled, enabled = false, updated_at = now()
     WHERE organization_id = $1 AND workflow_id = $2 AND trigger_id IS NOT NULL AND enabled_when_live IS NULL
       AND NOT trigger_id = ANY($3::text[])`,
    [organizationId, workflowId, live.map(({ id }) => id)],
  );

/**
 * Puts the triggers of the version that is live now, in the transaction that has made it so.
 * @param definition null: no version is live
 * @throws ApiError 409 at the limit of webhooks; 503 without an encryption key, if there is a new webhook
 */
export async function putTriggers(
  deps: CredentialDeps,
  tx: Sql,
  of: Deployed,
  definition: JsonObject | null,
): Promise<void> {
  const triggers = definition === null ? [] : listTriggers(definition);
  const webhooks = triggers.filter((trigger) => trigger.type === 'webhook');
  const schedules = triggers.filter((trigger) => trigger.type === 'schedule');
  await takeDown(tx, 'hooks', of, webhooks);
  await putDefinedHooks(deps, tx, of, webhooks);
  await takeDown(tx, 'schedules', of, schedules);
  await putDefinedSchedules(tx, of, schedules);
}
