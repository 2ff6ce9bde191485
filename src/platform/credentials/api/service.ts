/** Stores, lists, changes and deletes the credentials of an organization, and lists what uses one. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import type { Scope } from '../../access/caller.ts';
import { resolveOwnerScope } from '../../access/membership.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Prisma } from '../../../base/db/generated/client.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Logger } from '../../../base/log.ts';
import { conflict, invalid, notFound, refuseWith } from '../../../base/errors.ts';
import { listReferencesTo } from '../../../language/graph/template/references.ts';
import type { CredentialRef } from '../../../language/nodes/tools.ts';
import type { Integration } from '../../../language/nodes/integrations/integration.ts';
import { findType, lockType } from '../find-type.ts';
import { Vault } from '../vault/vault.ts';
import { determinesHost, readAccount, type CheckedAccount } from './account.ts';
import type { CredentialChange, NewCredential } from './schema.ts';
import { findMentioning, lockCredential, WITHOUT_SECRET, type CredentialRow } from './store.ts';

export interface CredentialDeps {
  readonly db: Db;
  readonly config: Config;
  readonly log: Logger;
}

/** Names in an error message at most. */
const NAMED = 5;

/** @param what the secrets that are to be stored @throws ApiError 503 without an encryption key */
export function requireVault(deps: CredentialDeps, what = 'Credentials'): Vault {
  const vault = new Vault(deps);
  if (vault.canStore) return vault;
  const detail = `${what} cannot be stored: no encryption key is configured (ENCRYPTION_KEYS)`;
  throw refuseWith(503, 'encryption_not_configured', detail);
}

/** Returns the columns of an account, with its data encrypted as the secret of this credential. */
export function sealAccount(
  vault: Vault,
  ref: CredentialRef,
  { data, masked, scopes, allowedHosts }: CheckedAccount,
) {
  const { keyId, wrappedKey, ciphertext } = vault.seal(ref, data);
  const sealed = { keyId, wrappedKey: new Uint8Array(wrappedKey), ciphertext: new Uint8Array(ciphertext) };
  return { ...sealed, masked, scopes: [...scopes], allowedHosts: [...allowedHosts] };
}

/**
 * @throws ApiError 403 when the body names an organization that the caller may not act in, 422 for an account that the
 *   catalog does not accept, 503 without an encryption key
 */
export async function createCredential(
  deps: CredentialDeps,
  scope: Scope,
  body: NewCredential,
): Promise<CredentialRow> {
  const vault = requireVault(deps);
  const { integration, auth_type: authType, data } = body;
  const id = randomUUID();
  const { organizationId } = await resolveOwnerScope(deps.db, scope, body.organization_id);
  return deps.db.prisma.$transaction(async (tx) => {
    const type = await lockType(tx, { organizationId, name: integration });
    const account = readAccount(type, { authType, data, allowedHosts: body.allowed_hosts ?? null });
    return tx.credential.create({
      ...WITHOUT_SECRET,
      data: {
        ...sealAccount(vault, { organizationId, credentialId: id }, account),
        id,
        organizationId,
        name: body.name,
        integration,
        authType,
        expiresAt: typeof body.expires_at === 'string' ? new Date(body.expires_at) : null,
        createdBy: scope.caller.userId,
      },
    });
  });
}

/** Lists the credentials, newest first. @param integration null: of all integrations */
export function listCredentials(
  { db }: Pick<CredentialDeps, 'db'>,
  { organizationId }: Scope,
  integration: string | null,
): Promise<CredentialRow[]> {
  return db.prisma.credential.findMany({
    ...WITHOUT_SECRET,
    where: { organizationId, ...(integration === null ? {} : { integration }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** @throws ApiError 404 */
export async function findCredential(
  { db }: CredentialDeps,
  scope: Scope,
  credentialId: string,
): Promise<CredentialRow> {
  const where = { id: credentialId, organizationId: scope.organizationId };
  const row = await db.prisma.credential.findFirst({ ...WITHOUT_SECRET, where });
  if (row === null) throw notFound('Credential');
  return row;
}

/** Columns that new data sets: the credential is active, and a renewal of the old tokens is void (vault/renewing-vault.ts). */
export const IN_USE = { status: 'active', statusMessage: null, renewingUntil: null } as const;

/** Adding hosts requires the secret, because an administrator could send the secret to a host of their own otherwise. */
function requireNarrower(row: CredentialRow, hosts: readonly string[]): void {
  if (hosts.every((host) => row.allowedHosts.includes(host))) return;
  const msg = 'Adding hosts needs the data of the credential, too';
  throw invalid([{ loc: ['body', 'allowed_hosts'], msg, type: 'data_required' }]);
}

function newAccount(
  type: Integration | null,
  row: CredentialRow,
  body: CredentialChange,
): CheckedAccount | null {
  if (body.data === undefined) {
    if (body.allowed_hosts !== undefined) requireNarrower(row, body.allowed_hosts);
    return null;
  }
  const given = { authType: row.authType, data: body.data };
  if (body.allowed_hosts !== undefined)
    return readAccount(type, { ...given, allowedHosts: body.allowed_hosts });
  // The allowed hosts stay, unless the data determines the host.
  const hosts = determinesHost(type) ? null : row.allowedHosts;
  return readAccount(type, { ...given, allowedHosts: hosts });
}

/**
 * Changes a credential. New data replaces the old as a whole and puts the credential back into use.
 * @throws ApiError 404, 422 as for a new one and for hosts that are added without the data, 503
 */
export async function changeCredential(
  deps: CredentialDeps,
  scope: Scope,
  { credentialId, body }: { readonly credentialId: string; readonly body: CredentialChange },
): Promise<CredentialRow> {
  const ref = { organizationId: scope.organizationId, credentialId };
  return deps.db.prisma.$transaction(async (tx) => {
    const row = await lockCredential(tx, ref);
    const type = await findType(tx, { ...ref, name: row.integration });
    const account = newAccount(type, row, body);
    const { name, allowed_hosts: allowedHosts, expires_at: expiresAt, status } = body;
    return tx.credential.update({
      ...WITHOUT_SECRET,
      where: { id: credentialId, organizationId: scope.organizationId },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(allowedHosts === undefined ? {} : { allowedHosts: [...allowedHosts] }),
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
        ...(account === null ? {} : { ...IN_USE, ...sealAccount(requireVault(deps), ref, account) }),
        ...(status === undefined ? {} : { status, statusMessage: null }),
        updatedAt: new Date(systemClock.now()),
      },
    });
  });
}

type CredentialUser =
  | {
      readonly kind: 'workflow';
      readonly workflowId: string;
      readonly name: string;
      /** Version of the deployment; null for the draft. */
      readonly version: string | null;
    }
  | { readonly kind: 'knowledge_base'; readonly name: string };

/** Lists the drafts and deployments whose nodes name the credential, and the knowledge bases that embed with it. */
export async function listCredentialUsers(
  prisma: Prisma.TransactionClient,
  { organizationId, credentialId }: CredentialRef,
): Promise<CredentialUser[]> {
  const mentioning = await findMentioning(prisma, { organizationId, credentialId });
  const workflows = mentioning
    .filter(({ definition }) =>
      listReferencesTo('credential', definition).some(({ id }) => id === credentialId),
    )
    .map(({ workflow_id: workflowId, name, version }) => {
      return { kind: 'workflow', workflowId, name, version } as const;
    });
  const bases = await prisma.knowledgeBase.findMany({
    where: { organizationId, credentialId },
    select: { name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return [...workflows, ...bases.map(({ name }) => ({ kind: 'knowledge_base', name }) as const)];
}

function nameUsers(users: readonly CredentialUser[]): string {
  const names = users.slice(0, NAMED).map((user) => {
    const name = JSON.stringify(user.name);
    if (user.kind === 'knowledge_base') return `knowledge base ${name}`;
    return user.version === null ? `workflow ${name}` : `deployment ${user.version} of ${name}`;
  });
  const more = users.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** Deletes a credential permanently. @throws ApiError 404; 409 naming the drafts and deployments that use it */
export async function deleteCredential(
  deps: CredentialDeps,
  scope: Scope,
  credentialId: string,
): Promise<void> {
  const { organizationId } = scope;
  await deps.db.prisma.$transaction(async (tx) => {
    // A deployment under way holds this lock, so its use of the credential is committed before it is looked for.
    await lockCredential(tx, { organizationId, credentialId });
    const users = await listCredentialUsers(tx, { organizationId, credentialId });
    if (users.length > 0)
      throw conflict('credential_in_use', `The credential is in use by ${nameUsers(users)}`);
    await tx.credential.deleteMany({ where: { id: credentialId, organizationId } });
  });
}
