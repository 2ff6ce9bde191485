/** A row of credentials as clients see it. */
import type { CredentialRow } from './store.ts';

export function presentCredential(row: CredentialRow): object {
  return {
    credential_id: row.id,
    organization_id: row.organization_id,
    name: row.name,
    integration: row.integration,
    auth_type: row.auth_type,
    scope: 'organization',
    status: row.status,
    status_message: row.status_message,
    masked: row.masked,
    scopes: row.scopes,
    allowed_hosts: row.allowed_hosts,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_tested_at: row.last_tested_at?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
