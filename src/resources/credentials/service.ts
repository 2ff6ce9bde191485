/** Credentials of an organization: store, list, change, delete; and what definitions that name them may count on. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../access/caller.ts';
import type { Sql, Db } from '../../db/client.ts';
import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import { ApiError, conflict, invalid, notFound } from '../../errors.ts';
import { credentialReferences } from '../../graph/credential-references.ts';
import type { CredentialRef } from '../../nodes/tools.ts';
import { Vault } from '../../credentials/vault/vault.ts';
import { hasHostOfItsOwn, readAccount, type Account } from './account.ts';
import type { CredentialChange, NewCredential } from './schema.ts';
import {
  basesUsing,
  definitionsMentioning,
  deleteCredentialRow,
  insertCredential,
  listCredentials,
  selectCredential,
  updateCredential,
  type CredentialRow,
  type StoredAccount,
} from './store.ts';

export interface CredentialDeps {
  readonly db: Db;
  readonly config: Config;
  readonly log: Logger;
}

/** Names of users in a refusal: enough to find them, not a page of them. */
const NAMED = 5;

/** @throws ApiError 503 without an encryption key */
export function vaultFor(deps: CredentialDeps): Vault {
  const vault = new Vault(deps);
  if (vault.canStore) return vault;
  const detail = 'Credentials cannot be stored: no encryption key is configured (ENCRYPTION_KEYS)';
  throw new ApiError({ shape: 'A', status: 503, detail });
}

/** An account with its data sealed as the secret of this credential. */
export function stored(vault: Vault, ref: CredentialRef, account: Account): StoredAccount {
  const sealed = vault.seal(ref, account.data);
  return { ...account, sealed };
}

/** @throws ApiError 422 for an account that the catalog does not take, 503 without an encryption key */
export async function createCredential(
  deps: CredentialDeps,
  scope: Scope,
  body: NewCredential,
): Promise<CredentialRow> {
  const vault = vaultFor(deps);
  const { integration, auth_type: authType, data } = body;
  const account = readAccount({ integration, authType, data, allowedHosts: body.allowed_hosts ?? null });
  const id = randomUUID();
  const row = await insertCredential(deps.db, {
    ...stored(vault, { organizationId: scope.organizationId, credentialId: id }, account),
    id,
    organizationId: scope.organizationId,
    name: body.name,
    integration,
    authType,
    expiresAt: typeof body.expires_at === 'string' ? new Date(body.expires_at) : null,
    createdBy: scope.caller.userId,
  });
  if (row === undefined) throw new Error('the credential was not inserted');
  return row;
}

/** Newest first. @param integration null: of all integrations */
export function listOwn(
  deps: Pick<CredentialDeps, 'db'>,
  scope: Scope,
  integration: string | null,
): Promise<CredentialRow[]> {
  return listCredentials(deps.db, scope.organizationId, integration);
}

/** @throws ApiError 404 */
export async function findCredential(
  { db }: CredentialDeps,
  scope: Scope,
  credentialId: string,
): Promise<CredentialRow> {
  const row = await selectCredential(db, { organizationId: scope.organizationId, credentialId });
  if (row === null) throw notFound('Credential');
  return row;
}

/** Hosts are added only by who knows the secret; otherwise an administrator could send it to a host of theirs. */
function requireNarrower(row: CredentialRow, hosts: readonly string[]): void {
  if (hosts.every((host) => row.allowed_hosts.includes(host))) return;
  const msg = 'Adding hosts needs the data of the credential, too';
  throw invalid([{ loc: ['body', 'allowed_hosts'], msg, type: 'data_required' }]);
}

function newAccount(row: CredentialRow, body: CredentialChange): Account | null {
  if (body.data === undefined) {
    if (body.allowed_hosts !== undefined) requireNarrower(row, body.allowed_hosts);
    return null;
  }
  const { integration, auth_type: authType } = row;
  const given = { integration, authType, data: body.data };
  if (body.allowed_hosts !== undefined) return readAccount({ ...given, allowedHosts: body.allowed_hosts });
  // Where the data says no host of its own, the ones that were allowed stay.
  const hosts = hasHostOfItsOwn(integration) ? null : row.allowed_hosts;
  return readAccount({ ...given, allowedHosts: hosts });
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
  return deps.db.transaction(async (tx) => {
    const row = await selectCredential(tx, ref, true);
    if (row === null) throw notFound('Credential');
    const account = newAccount(row, body);
    const { expires_at: expiresAt } = body;
    await updateCredential(tx, row.id, {
      name: body.name,
      allowedHosts: account?.allowedHosts ?? body.allowed_hosts,
      expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
      ...(account === null
        ? {}
        : {
            account: stored(vaultFor(deps), ref, account),
            status: 'active',
            statusMessage: null,
          }),
      ...(body.status === undefined ? {} : { status: body.status, statusMessage: null }),
    });
    return (await selectCredential(tx, ref)) ?? row;
  });
}

export type CredentialUser =
  | {
      readonly kind: 'workflow';
      readonly workflowId: string;
      readonly name: string;
      /** Of the deployment; null for the draft. */
      readonly version: string | null;
    }
  | { readonly kind: 'knowledge_base'; readonly name: string };

/** Drafts and deployments with a node that names the credential, and knowledge bases that are embedded with it. */
export async function usersOf(sql: Sql, row: CredentialRow): Promise<CredentialUser[]> {
  const mentioning = await definitionsMentioning(sql, row.organization_id, row.id);
  const workflows = mentioning
    .filter(({ definition }) =>
      credentialReferences(definition).some(({ credentialId }) => credentialId === row.id),
    )
    .map(({ workflow_id: workflowId, name, version }) => {
      return { kind: 'workflow', workflowId, name, version } as const;
    });
  const bases = await basesUsing(sql, row.organization_id, row.id);
  return [...workflows, ...bases.map(({ name }) => ({ kind: 'knowledge_base', name }) as const)];
}

function namesOf(users: readonly CredentialUser[]): string {
  const names = users.slice(0, NAMED).map((user) => {
    const name = JSON.stringify(user.name);
    if (user.kind === 'knowledge_base') return `knowledge base ${name}`;
    return user.version === null ? `workflow ${name}` : `deployment ${user.version} of ${name}`;
  });
  const more = users.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/**
 * Deletes a credential for good.
 * @throws ApiError 404; 409 naming the drafts and deployments that use it
 */
export async function deleteCredential(
  deps: CredentialDeps,
  scope: Scope,
  credentialId: string,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    // Deploying holds the row, too: what is being deployed with it is seen here.
    const row = await selectCredential(tx, { organizationId: scope.organizationId, credentialId }, true);
    if (row === null) throw notFound('Credential');
    const users = await usersOf(tx, row);
    if (users.length > 0) throw conflict(`The credential is in use by ${namesOf(users)}`);
    await deleteCredentialRow(tx, row.id);
  });
}
