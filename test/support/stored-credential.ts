/** Accounts of an organization for the engine's tests, sealed as the API seals them. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { createLog } from '../../src/base/log.ts';
import { toHostEntry } from '../../src/platform/credentials/vault/hosts.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';
import type { TestEngine } from './engine.ts';

/** A credential of the engine's organization, or of another. */
export async function storeCredential(
  engine: TestEngine,
  integration: string,
  authType: string,
  data: JsonObject,
  more: { hosts?: readonly string[]; organizationId?: string } = {},
): Promise<string> {
  const vault = new Vault({ db: engine.db, config: engine.config, log: createLog('silent', 'test') });
  const owner = { organizationId: more.organizationId ?? engine.organizationId, credentialId: randomUUID() };
  const sealed = vault.seal(owner, data);
  const address = data['base_url'] ?? data['server_url'];
  await engine.db.query(
    `INSERT INTO credentials (id, organization_id, name, integration, auth_type, allowed_hosts, key_id, wrapped_key, ciphertext)
     VALUES ($1, $2, 'x', $3, $4, $5, $6, $7, $8)`,
    [
      owner.credentialId,
      owner.organizationId,
      integration,
      authType,
      more.hosts ?? [toHostEntry(typeof address === 'string' ? address : '')],
      sealed.keyId,
      sealed.wrappedKey,
      sealed.ciphertext,
    ],
  );
  return owner.credentialId;
}
