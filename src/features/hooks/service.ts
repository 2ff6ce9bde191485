/** Creates, lists, changes, rotates and deletes the webhooks of a workflow, and repeats their deliveries. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readCursorPage, type CursorPage, type PageQuery } from '../../platform/http/cursor-page.ts';
import { pageByTime } from '../../base/db/keyset.ts';
import type { Scope } from '../../platform/access/caller.ts';
import type { Vault } from '../../platform/credentials/vault/vault.ts';
import { Prisma, type Hook, type HookDelivery } from '../../base/db/generated/client.ts';
import { conflict, invalid, notFound } from '../../base/errors.ts';
import { requireWorkflow } from '../../engine/runs/ledger/read/require-objects.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { findSignatureMismatch } from '../../language/nodes/triggers/webhook.ts';
import { requireChangeable, requireDeletable } from '../../platform/http/defined-row.ts';
import { toHookRequest } from './hook-request.ts';
import { deliver, type DeliveryResult } from './deliver.ts';
import { hashToken, type HookDeps } from './receive.ts';
import { readHookSecrets, sealHookSecrets } from './secrets.ts';
import { findHook } from './store.ts';
import { decodeStandardSecret } from './verification.ts';
import { requireStartDepth } from '../../engine/runs/accept/limits.ts';
import { requireVault } from '../../platform/credentials/api/service.ts';
import type { HookChange, NewHook } from './schema.ts';

/** Webhooks of one workflow: more senders share one with a filter, or call the API. */
export const MAX_HOOKS = 20;
const TOKEN_BYTES = 24;

interface HookKey {
  readonly workflowId: string;
  readonly hookId: string;
}

export interface FoundHook {
  readonly row: Hook;
  readonly vault: Vault;
}

/** Creates the secret part of an address. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** @throws ApiError 422 for a verification without a secret, and for a secret that nothing verifies */
function requireSecrets(verification: string, secrets: readonly string[]): void {
  const refuse = (msg: string): never => {
    throw invalid([{ loc: ['body', 'secrets'], msg, type: 'secrets_mismatch' }]);
  };
  if (verification === 'none') {
    if (secrets.length > 0) refuse('Must be empty for a webhook without verification');
    return;
  }
  if (secrets.length === 0) refuse(`A secret is required for the verification ${verification}`);
  if (verification === 'basic' && !secrets.every((secret) => secret.includes(':')))
    refuse('Must have the form user:password');
  if (verification === 'standard' && !secrets.every((secret) => decodeStandardSecret(secret) !== null))
    refuse('Must be 24 to 64 bytes in base64, usually with the prefix whsec_');
}

/** @throws ApiError 422 for `hmac` without a signature, and for a signature that nothing reads */
function requireSignature(verification: string, signature: object | null): void {
  const msg = findSignatureMismatch(verification, signature);
  if (msg !== null) throw invalid([{ loc: ['body', 'signature'], msg, type: 'signature_mismatch' }]);
}

/** JSON columns hold `null` as JSON, because SQL's null would mean no value. */
const toColumn = (value: Json | undefined): Prisma.InputJsonValue =>
  (value ?? Prisma.JsonNull) as Prisma.InputJsonValue;

/** @throws ApiError 404 without such a workflow; 409 at the limit; 422 for the secrets; 503 without an encryption key */
export async function createHook(
  deps: HookDeps,
  { organizationId, caller }: Scope,
  { workflowId, body }: { readonly workflowId: string; readonly body: NewHook },
): Promise<FoundHook> {
  const vault = requireVault(deps, 'Webhooks');
  requireSecrets(body.verification, body.secrets);
  requireSignature(body.verification, body.signature ?? null);
  const hookId = randomUUID();
  const token = createToken();
  const row = await deps.db.prisma.$transaction(async (tx) => {
    // The lock makes concurrent creations count one another.
    const workflows = await tx.$queryRaw<object[]>`
      SELECT 1 FROM workflows WHERE id = ${workflowId}::uuid AND organization_id = ${organizationId}::uuid
      FOR NO KEY UPDATE`;
    if (workflows.length === 0) throw notFound('Workflow');
    if ((await tx.hook.count({ where: { workflowId, organizationId } })) >= MAX_HOOKS)
      throw conflict(
        'hook_limit_reached',
        `A workflow can have at most ${MAX_HOOKS} webhooks. Delete one first`,
      );
    return tx.hook.create({
      data: {
        ...sealHookSecrets(vault, { organizationId, hookId }, { token, secrets: body.secrets }),
        id: hookId,
        organizationId,
        workflowId,
        name: body.name,
        enabled: body.enabled,
        verification: body.verification,
        signature: toColumn(body.signature as Json | undefined),
        methods: [...new Set(body.methods)],
        filter: toColumn(body.filter),
        mapping: toColumn(body.mapping),
        threadId: body.thread_id ?? null,
        deduplicateBy: body.deduplicate_by,
        idHeader: body.id_header ?? null,
        response: body.response as Prisma.InputJsonValue,
        tokenHash: new Uint8Array(hashToken(token)),
        createdBy: caller.userId,
      },
    });
  });
  return { row, vault };
}

/** Lists the hooks of a workflow, newest first. @throws ApiError 404 without such a workflow */
export async function listHooks(
  deps: HookDeps,
  scope: Scope,
  workflowId: string,
): Promise<{ readonly rows: readonly Hook[]; readonly vault: Vault }> {
  await requireWorkflow(deps.db, scope, workflowId);
  const rows = await deps.db.prisma.hook.findMany({
    where: { workflowId, organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return { rows, vault: requireVault(deps, 'Webhooks') };
}

/** @throws ApiError 404 */
export async function getHook(
  deps: HookDeps,
  { organizationId }: Scope,
  { workflowId, hookId }: HookKey,
): Promise<FoundHook> {
  const row = await deps.db.prisma.hook.findFirst({ where: { id: hookId, workflowId, organizationId } });
  if (row === null) throw notFound('Webhook', 'hook');
  return { row, vault: requireVault(deps, 'Webhooks') };
}

/**
 * Changes the supplied fields; new secrets replace the old ones.
 * @throws ApiError 404; 409 for what the definition of the workflow decides; 422 for the secrets
 */
export async function changeHook(
  deps: HookDeps,
  scope: Scope,
  { body, ...key }: HookKey & { readonly body: HookChange },
): Promise<FoundHook> {
  const { row, vault } = await getHook(deps, scope, key);
  requireChangeable('webhook', row, body, ['enabled', 'secrets']);
  const before = readHookSecrets(vault, { ...row, hookId: row.id });
  const verification = body.verification ?? row.verification;
  const kept = verification === 'hmac' ? row.signature : null;
  const signature = (body.signature === undefined ? kept : body.signature) as Json;
  requireSignature(verification, signature as object | null);
  const secrets = body.secrets ?? (verification === 'none' ? [] : before.secrets);
  const isSealed = body.secrets === undefined && body.verification === undefined;
  // Other fields of a hook can be changed whose secrets were stored before a check of today.
  if (!isSealed) requireSecrets(verification, secrets);
  const changed = await deps.db.prisma.hook.update({
    where: { id: row.id, organizationId: scope.organizationId },
    data: {
      ...(isSealed
        ? {}
        : sealHookSecrets(vault, { ...row, hookId: row.id }, { token: before.token, secrets })),
      name: body.name ?? row.name,
      enabled: body.enabled ?? row.enabled,
      verification,
      signature: toColumn(signature),
      ...(body.methods === undefined ? {} : { methods: [...new Set(body.methods)] }),
      ...(body.filter === undefined ? {} : { filter: toColumn(body.filter ?? undefined) }),
      ...(body.mapping === undefined ? {} : { mapping: toColumn(body.mapping ?? undefined) }),
      ...(body.thread_id === undefined ? {} : { threadId: body.thread_id }),
      deduplicateBy: body.deduplicate_by ?? row.deduplicateBy,
      idHeader: body.id_header === undefined ? row.idHeader : body.id_header,
      ...(body.response === undefined ? {} : { response: body.response as Prisma.InputJsonValue }),
      updatedAt: new Date(deps.clock.now()),
    },
  });
  return { row: changed, vault };
}

/** Gives the hook a new address; the previous one stays valid for a while. @throws ApiError 404 */
export async function rotateHook(
  deps: HookDeps,
  scope: Scope,
  { keepPreviousSeconds, ...key }: HookKey & { readonly keepPreviousSeconds: number },
): Promise<FoundHook> {
  const { row, vault } = await getHook(deps, scope, key);
  const { secrets } = readHookSecrets(vault, { ...row, hookId: row.id });
  const token = createToken();
  const rotated = await deps.db.prisma.hook.update({
    where: { id: row.id, organizationId: scope.organizationId },
    data: {
      ...sealHookSecrets(vault, { ...row, hookId: row.id }, { token, secrets }),
      tokenHash: new Uint8Array(hashToken(token)),
      previousTokenHash: row.tokenHash,
      previousTokenUntil: new Date(deps.clock.now() + keepPreviousSeconds * 1_000),
      updatedAt: new Date(deps.clock.now()),
    },
  });
  return { row: rotated, vault };
}

/**
 * Listens for a test event, or stops. Requests to a disabled hook, or without a live version, are recorded without a run meanwhile.
 * @param seconds null: stop
 * @throws ApiError 404
 */
export async function listenForTest(
  deps: HookDeps,
  scope: Scope,
  { seconds, ...key }: HookKey & { readonly seconds: number | null },
): Promise<FoundHook> {
  const { row, vault } = await getHook(deps, scope, key);
  const listeningUntil = seconds === null ? null : new Date(deps.clock.now() + seconds * 1_000);
  const listening = await deps.db.prisma.hook.update({
    where: { id: row.id, organizationId: scope.organizationId },
    data: { listeningUntil },
  });
  return { row: listening, vault };
}

/** Deletes the hook with its log; its runs stay. @throws ApiError 404; 409 while the live version has its trigger */
export async function deleteHook(
  deps: HookDeps,
  scope: Scope,
  { workflowId, hookId }: HookKey,
): Promise<void> {
  const { row } = await getHook(deps, scope, { workflowId, hookId });
  requireDeletable('webhook', row);
  const where = { id: hookId, workflowId, organizationId: scope.organizationId };
  if ((await deps.db.prisma.hook.deleteMany({ where })).count === 0) throw notFound('Webhook', 'hook');
}

/** Lists the deliveries of a hook, newest first. @throws ApiError 404 */
export async function listHookDeliveries(
  deps: HookDeps,
  scope: Scope,
  { key, query }: { readonly key: HookKey; readonly query: PageQuery },
): Promise<{ readonly hook: Hook; readonly page: CursorPage<HookDelivery> }> {
  const { row: hook } = await getHook(deps, scope, key);
  const { organizationId, caller } = scope;
  const page = await readCursorPage(deps.config.auth, query, {
    name: `hook-deliveries/${organizationId}/${caller.userId}/${hook.id}`,
    read(read) {
      const { behind, ...rest } = pageByTime(read, 'receivedAt');
      const where = { hookId: hook.id, organizationId, AND: behind };
      return deps.db.prisma.hookDelivery.findMany({ where, ...rest });
    },
    readPosition: ({ receivedAt, id }) => ({ place: receivedAt.getTime(), rowId: id }),
  });
  return { hook, page };
}

/**
 * Delivers a stored request again, under the filter and the mapping of today.
 * @throws ApiError 404; 409 when the request was deleted; 422 for a run that is too deep; as deliver
 */
export async function redeliver(
  deps: HookDeps,
  scope: Scope,
  { deliveryId, ...key }: HookKey & { readonly deliveryId: string },
): Promise<DeliveryResult> {
  const { organizationId } = scope;
  const hook = await findHook(deps.db, { organizationId, ...key });
  if (hook === null) throw notFound('Webhook', 'hook');
  const where = { id: deliveryId, hookId: key.hookId, organizationId };
  const delivery = await deps.db.prisma.hookDelivery.findFirst({ where });
  if (delivery === null) throw notFound('Webhook delivery', 'hook_delivery');
  if (delivery.request === null)
    throw conflict(
      'values_deleted',
      'The request is no longer stored: the inputs and outputs of its run were deleted',
    );
  if (delivery.outcome === 'rejected')
    throw conflict('delivery_rejected', 'The request could not be read, so it cannot start a run');
  const request = toHookRequest(delivery.request as Json);
  const depth = requireStartDepth(scope);
  return deliver(deps, hook, { request, depth, duplicateKey: null, redeliveryOf: delivery.id });
}
