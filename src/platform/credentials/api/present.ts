/** A credential as the API returns it. */
import { readStatus, type CredentialRow } from './store.ts';

export function presentCredential(row: CredentialRow): object {
  return {
    credential_id: row.id,
    organization_id: row.organizationId,
    name: row.name,
    integration: row.integration,
    auth_type: row.authType,
    scope: 'organization',
    status: readStatus(row),
    status_message: row.statusMessage,
    masked: row.masked,
    scopes: row.scopes,
    allowed_hosts: row.allowedHosts,
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    last_tested_at: row.lastTestedAt?.toISOString() ?? null,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
