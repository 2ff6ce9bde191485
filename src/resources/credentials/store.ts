/** The queries of credentials, all within one organization; none of them reads what is secret. */
import type { Sql } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { CredentialRef } from '../../nodes/tools.ts';
import type { Sealed } from '../../credentials/vault/envelope.ts';

export interface CredentialRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly integration: string;
  readonly auth_type: string;
  readonly status: 'active' | 'expired' | 'error' | 'revoked';
  readonly status_message: string | null;
  readonly masked: Record<string, string>;
  readonly scopes: string[];
  readonly allowed_hosts: string[];
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_tested_at: Date | null;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `
  id, organization_id, name, integration, auth_type,
  CASE WHEN status <> 'revoked' AND expires_at <= now() THEN 'expired' ELSE status END AS status,
  status_message, masked, scopes, allowed_hosts, expires_at, last_used_at, last_tested_at, created_by, created_at,
  updated_at`;

export interface StoredAccount {
  readonly sealed: Sealed;
  readonly masked: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly allowedHosts: readonly string[];
}

export async function insertCredential(
  sql: Sql,
  made: StoredAccount & {
    readonly id: string;
    readonly organizationId: string;
    readonly name: string;
    readonly integration: string;
    readonly authType: string;
    readonly expiresAt: Date | null;
    readonly createdBy: string;
  },
): Promise<CredentialRow | undefined> {
  const { sealed } = made;
  const [row] = await sql.query<CredentialRow>(
    `INSERT INTO credentials (id, organization_id, name, integration, auth_type, masked, scopes, allowed_hosts,
                              key_id, wrapped_key, ciphertext, expires_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $11, $12, $13) RETURNING ${COLUMNS}`,
    [
      made.id,
      made.organizationId,
      made.name,
      made.integration,
      made.authType,
      JSON.stringify(made.masked),
      made.scopes,
      made.allowedHosts,
      sealed.keyId,
      sealed.wrappedKey,
      sealed.ciphertext,
      made.expiresAt,
      made.createdBy,
    ],
  );
  return row;
}

/** Newest first. */
export function listCredentials(
  sql: Sql,
  organizationId: string,
  integration: string | null,
): Promise<CredentialRow[]> {
  return sql.query<CredentialRow>(
    `SELECT ${COLUMNS} FROM credentials WHERE organization_id = $1 AND ($2::text IS NULL OR integration = $2)
     ORDER BY created_at DESC, id DESC`,
    [organizationId, integration],
  );
}

/** @param lock holds the row until the transaction ends */
export async function selectCredential(
  sql: Sql,
  { organizationId, credentialId }: CredentialRef,
  lock = false,
): Promise<CredentialRow | null> {
  const rows = await sql.query<CredentialRow>(
    `SELECT ${COLUMNS} FROM credentials WHERE organization_id = $1 AND id = $2 ${lock ? 'FOR UPDATE' : ''}`,
    [organizationId, credentialId],
  );
  return rows[0] ?? null;
}

export interface Change {
  readonly name?: string | undefined;
  readonly status?: 'active' | 'error' | 'revoked' | undefined;
  readonly statusMessage?: string | null | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly account?: StoredAccount | undefined;
}

/** Changes what is given; the rest stays. */
export async function updateCredential(sql: Sql, credentialId: string, change: Change): Promise<void> {
  const { account } = change;
  const values: Record<string, unknown> = {
    name: change.name,
    status: change.status,
    status_message: change.statusMessage,
    allowed_hosts: change.allowedHosts ?? account?.allowedHosts,
    expires_at: change.expiresAt,
    scopes: account?.scopes,
    masked: account === undefined ? undefined : JSON.stringify(account.masked),
    key_id: account?.sealed.keyId,
    wrapped_key: account?.sealed.wrappedKey,
    ciphertext: account?.sealed.ciphertext,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const sets = given.map(([column], index) => `${column} = $${index + 2}`);
  // New data ends what is being done with the old: its renewal (ports/renewing-vault.ts).
  const fixed =
    account === undefined ? ['updated_at = now()'] : ['updated_at = now()', 'renewing_until = NULL'];
  await sql.query(`UPDATE credentials SET ${[...sets, ...fixed].join(', ')} WHERE id = $1`, [
    credentialId,
    ...given.map(([, value]) => value),
  ]);
}

/** What a test of the credential found; null leaves the status as it is. */
export async function noteTest(
  sql: Sql,
  credentialId: string,
  found: { readonly status: 'active' | 'error'; readonly message: string | null } | null,
): Promise<void> {
  await sql.query(
    `UPDATE credentials SET last_tested_at = now(), status = coalesce($2, status),
            status_message = CASE WHEN $2::text IS NULL THEN status_message ELSE $3 END
     WHERE id = $1 AND status <> 'revoked'`,
    [credentialId, found?.status ?? null, found?.message ?? null],
  );
}

export async function deleteCredentialRow(sql: Sql, credentialId: string): Promise<void> {
  await sql.query('DELETE FROM credentials WHERE id = $1', [credentialId]);
}

export interface DefinitionRow {
  readonly workflow_id: string;
  readonly name: string;
  /** Of a deployment; null for the draft. */
  readonly version: string | null;
  readonly definition: JsonObject;
}

/** Drafts and deployments in whose text the credential's id occurs somewhere; drafts first. */
export function definitionsMentioning(
  sql: Sql,
  organizationId: string,
  credentialId: string,
): Promise<DefinitionRow[]> {
  return sql.query<DefinitionRow>(
    `SELECT id AS workflow_id, name, NULL AS version, workflow_schema AS definition FROM workflows
     WHERE organization_id = $1 AND workflow_schema::text ILIKE '%' || $2 || '%'
     UNION ALL
     SELECT workflow_id, name, version, workflow_schema FROM deployments
     WHERE organization_id = $1 AND workflow_schema::text ILIKE '%' || $2 || '%'`,
    [organizationId, credentialId],
  );
}

/** Knowledge bases that are embedded on the account. */
export function basesUsing(
  sql: Sql,
  organizationId: string,
  credentialId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return sql.query(
    'SELECT id, name FROM knowledge_bases WHERE organization_id = $1 AND credential_id = $2 ORDER BY name, id',
    [organizationId, credentialId],
  );
}
