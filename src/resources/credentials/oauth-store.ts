/** The queries of authorizations that are under way. */
import type { Sql } from '../../db/client.ts';
import type { Sealed } from '../../credentials/vault/envelope.ts';

export interface Authorization {
  readonly stateHash: Buffer;
  readonly organizationId: string;
  readonly userId: string;
  /** The credential that it becomes, or renews. */
  readonly credentialId: string;
  readonly renews: boolean;
  readonly integration: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly sealed: Sealed;
}

/** Keeps an authorization for so long, and forgets those that nobody has finished. @returns its end */
export async function insertAuthorization(sql: Sql, made: Authorization, minutes: number): Promise<Date> {
  await sql.query('DELETE FROM oauth_authorizations WHERE expires_at < now()');
  const { sealed } = made;
  const rows = await sql.query<{ expires_at: Date }>(
    `INSERT INTO oauth_authorizations (state_hash, organization_id, user_id, credential_id, renews, integration, name,
                                       scopes, key_id, wrapped_key, ciphertext, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12 * interval '1 minute') RETURNING expires_at`,
    [
      made.stateHash,
      made.organizationId,
      made.userId,
      made.credentialId,
      made.renews,
      made.integration,
      made.name,
      made.scopes,
      sealed.keyId,
      sealed.wrappedKey,
      sealed.ciphertext,
      minutes,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the authorization was not inserted');
  return row.expires_at;
}

interface Row {
  readonly credential_id: string;
  readonly renews: boolean;
  readonly integration: string;
  readonly name: string;
  readonly scopes: string[];
  readonly key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
}

/** Takes an authorization away: it is there once, and for the user and the organization that began it alone. */
export async function takeAuthorization(
  sql: Sql,
  of: Pick<Authorization, 'stateHash' | 'organizationId' | 'userId'>,
): Promise<Authorization | null> {
  const [row] = await sql.query<Row>(
    `DELETE FROM oauth_authorizations
     WHERE state_hash = $1 AND organization_id = $2 AND user_id = $3 AND expires_at > now()
     RETURNING credential_id, renews, integration, name, scopes, key_id, wrapped_key, ciphertext`,
    [of.stateHash, of.organizationId, of.userId],
  );
  if (row === undefined) return null;
  const { credential_id: credentialId, renews, integration, name, scopes } = row;
  const sealed = { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
  return { ...of, credentialId, renews, integration, name, scopes, sealed };
}
