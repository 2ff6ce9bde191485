/**
 * The webhooks that a definition names. Its live version decides what they do; their addresses, their secrets and whether they are
 * enabled outlive it.
 */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../base/db/client.ts';
import { conflict } from '../../base/errors.ts';
import type { WebhookTrigger } from '../../language/nodes/triggers/webhook.ts';
import { requireVault, type CredentialDeps } from '../../platform/credentials/api/service.ts';
import { hashToken } from './receive.ts';
import { sealHookSecrets } from './secrets.ts';
import { createToken, MAX_HOOKS } from './service.ts';

/** The workflow that is deployed. */
interface Deployed {
  readonly organizationId: string;
  readonly workflowId: string;
  readonly userId: string;
}

type Defined = WebhookTrigger & { readonly id: string };

const FIELDS = `name = $4, verification = $5, signature = $6::json, methods = $7, filter = $8::json, mapping = $9::json, thread_id = $10,
  deduplicate_by = $11, id_header = $12, response = $13::json`;
const CHANGE = `
  UPDATE hooks SET ${FIELDS}, enabled = coalesce(enabled_when_live, enabled), enabled_when_live = NULL, updated_at = now()
  WHERE organization_id = $1 AND workflow_id = $2 AND trigger_id = $3
  RETURNING id`;
const INSERT = `
  INSERT INTO hooks (organization_id, workflow_id, trigger_id, name, verification, signature, methods, filter, mapping, thread_id,
                     deduplicate_by, id_header, response, id, key_id, wrapped_key, ciphertext, token_hash, created_by)
  VALUES ($1, $2, $3, $4, $5, $6::json, $7, $8::json, $9::json, $10, $11, $12, $13::json, $14, $15, $16, $17, $18, $19)`;

const toJson = (value: unknown): string => JSON.stringify(value ?? null);

function toParameters({ organizationId, workflowId }: Deployed, trigger: Defined): unknown[] {
  return [
    organizationId,
    workflowId,
    trigger.id,
    trigger.name ?? trigger.id,
    trigger.verification,
    toJson(trigger.signature),
    [...new Set(trigger.methods)],
    toJson(trigger.filter),
    toJson(trigger.mapping),
    trigger.thread_id ?? null,
    trigger.deduplicate_by,
    trigger.id_header ?? null,
    toJson(trigger.response),
  ];
}

/** @throws ApiError 409 at the limit of webhooks; 503 without an encryption key */
async function insertHook(deps: CredentialDeps, tx: Sql, of: Deployed, trigger: Defined): Promise<void> {
  const { organizationId, workflowId, userId } = of;
  const [stored] = await tx.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM hooks WHERE organization_id = $1 AND workflow_id = $2',
    [organizationId, workflowId],
  );
  if ((stored?.count ?? 0) >= MAX_HOOKS)
    throw conflict(
      'hook_limit_reached',
      `A workflow can have at most ${MAX_HOOKS} webhooks, so the trigger ${trigger.id} has no place. Delete one first`,
    );
  const hookId = randomUUID();
  const token = createToken();
  const sealed = sealHookSecrets(
    requireVault(deps, 'Webhooks'),
    { organizationId, hookId },
    { token, secrets: [] },
  );
  await tx.query(INSERT, [
    ...toParameters(of, trigger),
    hookId,
    sealed.keyId,
    Buffer.from(sealed.wrappedKey),
    Buffer.from(sealed.ciphertext),
    hashToken(token),
    userId,
  ]);
}

/**
 * Puts the webhooks that the live version of a workflow names, in the transaction that makes it live and has locked the workflow.
 * @param triggers those of the live version; none when no version is live
 * @throws ApiError 409 at the limit of webhooks; 503 without an encryption key
 */
export async function putDefinedHooks(
  deps: CredentialDeps,
  tx: Sql,
  of: Deployed,
  triggers: readonly Defined[],
): Promise<void> {
  for (const trigger of triggers) {
    const changed = await tx.query(CHANGE, toParameters(of, trigger));
    if (changed.length === 0) await insertHook(deps, tx, of, trigger);
  }
}
