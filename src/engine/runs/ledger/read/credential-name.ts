/** Reads the name of a credential, for people who are asked about a request with it. */
import type { Sql } from '../../../../base/db/client.ts';
import type { RunRef } from '../../engine.ts';

/** @returns null when the organization no longer has it */
export async function readCredentialName(
  sql: Sql,
  { organizationId }: Pick<RunRef, 'organizationId'>,
  credentialId: string,
): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(
    'SELECT name FROM credentials WHERE organization_id = $1 AND id = $2',
    [organizationId, credentialId],
  );
  return row?.name ?? null;
}
