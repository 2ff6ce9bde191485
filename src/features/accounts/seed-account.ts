/** Seeds a new account: a starter workflow, a credential for the managed model, a default Composer model (SPEC API-jwt). */
import { randomUUID } from 'node:crypto';
import type { ProvisionDeps } from '../../platform/access/provision.ts';
import type { Config } from '../../base/config/config.ts';
import { MANAGED_INTEGRATION } from '../../platform/credentials/node-credentials.ts';
import { Vault } from '../../platform/credentials/vault/vault.ts';
import type { Db } from '../../base/db/client.ts';
import type { Logger } from '../../base/log.ts';
import { seedStarter } from '../workflows/starter.ts';

/** The Composer's default model, which a change of the settings may replace. */
const SET_COMPOSER_MODEL = `
  UPDATE organizations SET settings = settings || jsonb_build_object('composer', jsonb_build_object('model', $2::text))
  WHERE id = $1`;
const INSERT_MANAGED = `
  INSERT INTO credentials (id, organization_id, name, integration, auth_type, allowed_hosts, key_id, wrapped_key, ciphertext, created_by)
  VALUES ($1, $2, 'Managed model', $3, 'managed', '{}', $4, $5, $6, $7)`;

/**
 * Creates the function that seeds an account inside the transaction that creates it. Without a managed model it seeds the
 * starter workflow alone, and without an encryption key no credential.
 */
export function createAccountSeeder(deps: {
  readonly db: Pick<Db, 'query'>;
  readonly config: Pick<Config, 'managedLlm' | 'encryptionKeys'>;
  readonly log: Logger;
}): ProvisionDeps['seedAccount'] {
  const vault = new Vault(deps);
  const model = deps.config.managedLlm?.model ?? null;
  return async (tx, owner) => {
    await seedStarter(tx, owner, model);
    if (model === null) return;
    await tx.query(SET_COMPOSER_MODEL, [owner.organizationId, model]);
    if (!vault.canStore) return;
    const { organizationId, userId } = owner;
    const credentialId = randomUUID();
    const { keyId, wrappedKey, ciphertext } = vault.seal({ organizationId, credentialId }, {});
    const sealed = [keyId, wrappedKey, ciphertext];
    await tx.query(INSERT_MANAGED, [credentialId, organizationId, MANAGED_INTEGRATION, ...sealed, userId]);
  };
}
