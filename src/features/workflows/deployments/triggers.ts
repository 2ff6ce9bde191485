/** The triggers of a workflow follow its live version: webhooks and schedules of `config.triggers` go live and down with it. */
import type { Sql } from '../../../base/db/client.ts';
import { putDefinedSchedules } from '../../../engine/schedules/defined-schedules.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { listTriggers } from '../../../language/nodes/triggers/triggers.ts';
import type { CredentialDeps } from '../../../platform/credentials/api/service.ts';
import { putDefinedHooks } from '../../hooks/defined-hooks.ts';

/**
 * Puts the triggers of the version that is live now, in the transaction that has made it so.
 * @param definition null: no version is live
 * @throws ApiError 409 at the limit of webhooks; 503 without an encryption key, if there is a new webhook
 */
export async function putTriggers(
  deps: CredentialDeps,
  tx: Sql,
  of: { readonly organizationId: string; readonly workflowId: string; readonly userId: string },
  definition: JsonObject | null,
): Promise<void> {
  const triggers = definition === null ? [] : listTriggers(definition);
  await putDefinedHooks(
    deps,
    tx,
    of,
    triggers.filter((trigger) => trigger.type === 'webhook'),
  );
  await putDefinedSchedules(
    tx,
    of,
    triggers.filter((trigger) => trigger.type === 'schedule'),
  );
}
