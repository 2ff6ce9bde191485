/** Webhooks and their deliveries as the API returns them. */
import { systemClock } from '../../base/clock.ts';
import type { Hook, HookDelivery } from '../../base/db/generated/client.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import { presentTrigger } from '../../platform/http/defined-row.ts';
import { toHookRequest, type HookRequest } from './hook-request.ts';
import { readHookSecrets } from './secrets.ts';
import type { OutcomeCounts } from './store.ts';
import { HookTemplateError, mapToInput } from './templates.ts';
import type { Vault } from '../../platform/credentials/vault/vault.ts';

const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

const isFuture = (at: Date | null): boolean => at !== null && at.getTime() > systemClock.now();

interface HookFacts {
  readonly vault: Vault;
  /** Where the API is served. */
  readonly origin: string;
  readonly recent: OutcomeCounts;
}

/** Presents a hook with its address, and without its secrets. */
export function presentHook(row: Hook, { vault, origin, recent }: HookFacts): object {
  const { token, secrets } = readHookSecrets(vault, { ...row, hookId: row.id });
  return {
    id: row.id,
    organization_id: row.organizationId,
    workflow_id: row.workflowId,
    name: row.name,
    trigger: presentTrigger(row),
    enabled: row.enabled,
    url: new URL(`/hooks/${token}`, origin).href,
    previous_url_until: isFuture(row.previousTokenUntil) ? moment(row.previousTokenUntil) : null,
    verification: row.verification,
    signature: row.signature,
    secret_count: secrets.length,
    methods: row.methods,
    filter: row.filter,
    mapping: row.mapping,
    thread_id: row.threadId,
    deduplicate_by: row.deduplicateBy,
    id_header: row.idHeader,
    response: row.response,
    rejected_count: row.rejectedCount,
    last_rejected_at: moment(row.lastRejectedAt),
    last_rejected_reason: row.lastRejectedReason,
    last_delivery_at: moment(row.lastDeliveryAt),
    recent_deliveries: recent,
    listening_until: isFuture(row.listeningUntil) ? moment(row.listeningUntil) : null,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The input that the hook makes of a stored request today; null when its mapping cannot be rendered. */
function mapStored(mapping: Json, request: HookRequest): JsonObject | null {
  try {
    return mapToInput(mapping, request);
  } catch (error) {
    if (error instanceof HookTemplateError) return null;
    throw error;
  }
}

/** @param stored a WebhookResponse as JSON */
function presentStored(stored: JsonObject): JsonObject {
  const { contentType = null, ...response } = stored;
  return { ...response, content_type: contentType };
}

export function presentHookDelivery(row: HookDelivery, { mapping }: Pick<Hook, 'mapping'>): object {
  const request = toHookRequest(row.request as Json);
  return {
    id: row.id,
    hook_id: row.hookId,
    received_at: row.receivedAt.toISOString(),
    outcome: row.outcome,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    run_pk: row.runPk,
    run_id: row.runId,
    redelivery_of: row.redeliveryOf,
    request,
    input: row.request === null || row.outcome === 'rejected' ? null : mapStored(mapping as Json, request),
    response: row.response === null ? null : presentStored(row.response as JsonObject),
  };
}
