/**
 * Stores the secrets of credentials encrypted and reads them by (organization, credential). A data key that an older key
 * wrapped is rewrapped when it is read.
 */
import type { Db } from '../../../base/db/client.ts';
import type { EncryptionKey } from '../../../base/config/config.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { findIntegration } from '../../../language/nodes/integrations/catalog.ts';
import type { Integration } from '../../../language/nodes/integrations/integration.ts';
import type { Logger } from '../../../base/log.ts';
import type { ProviderClient } from '../oauth-party.ts';
import { toOwnClient } from '../own-client.ts';
import { toIntegration, TYPE_AS_JSON, type TypeDescription } from '../stored-type.ts';
import { UnreadableError, open, rewrap, seal, type Owner, type Envelope } from './envelope.ts';
import { keyring, type Keyring } from './keyring.ts';

/** A credential with its secret; only in memory, for a single use. */
export interface OpenCredential {
  readonly integration: string;
  /** The type of the account, which says where its secrets belong; null: it no longer exists. */
  readonly type: Integration | null;
  /** The OAuth client that the organization registered for the type; null: none. */
  readonly ownClient: ProviderClient | null;
  readonly authType: string;
  readonly allowedHosts: readonly string[];
  readonly state: 'active' | 'revoked' | 'expired';
  readonly data: JsonObject;
}

interface Row {
  readonly integration: string;
  readonly auth_type: string;
  readonly allowed_hosts: string[];
  readonly status: string;
  readonly is_expired: boolean;
  readonly key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
  /** Of a type that the organization made; the columns of its secret are null without a client. */
  readonly own_type: TypeDescription | null;
  readonly type_id: string | null;
  readonly type_key_id: string | null;
  readonly type_wrapped_key: Buffer | null;
  readonly type_ciphertext: Buffer | null;
}

const FIND = `
  SELECT c.integration, c.auth_type, c.allowed_hosts, c.status, coalesce(c.expires_at <= now(), false) AS is_expired,
         c.key_id, c.wrapped_key, c.ciphertext, CASE WHEN t.id IS NOT NULL THEN ${TYPE_AS_JSON} END AS own_type,
         t.id AS type_id, t.key_id AS type_key_id, t.wrapped_key AS type_wrapped_key, t.ciphertext AS type_ciphertext
  FROM credentials c LEFT JOIN integration_types t ON t.organization_id = c.organization_id AND t.name = c.integration
  WHERE c.organization_id = $1 AND c.id = $2`;

/** Updated at most once a minute, to limit row writes. */
const USED = `
  UPDATE credentials SET last_used_at = now()
  WHERE organization_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

/** The tables with sealed secrets: the columns organization_id, id, key_id, wrapped_key and ciphertext. */
export const SEALED_TABLES = [
  'credentials',
  'integration_types',
  'hooks',
  'notification_endpoints',
  'held_effects',
  'files',
] as const;
type SealedTable = (typeof SEALED_TABLES)[number];

const rewrapStatement = (table: SealedTable): string => `
  UPDATE ${table} SET key_id = $3, wrapped_key = $4
  WHERE organization_id = $1 AND id = $2 AND key_id = $5 AND wrapped_key = $6 RETURNING 1`;

export class Vault {
  readonly #db: Pick<Db, 'query'>;
  readonly #log: Logger;
  readonly #keys: Keyring | null;

  constructor(deps: {
    readonly db: Pick<Db, 'query'>;
    readonly log: Logger;
    readonly config: { readonly encryptionKeys: readonly EncryptionKey[] };
  }) {
    this.#db = deps.db;
    this.#log = deps.log;
    this.#keys = keyring(deps.config.encryptionKeys);
  }

  /** False without a configured encryption key. */
  get canStore(): boolean {
    return this.#keys !== null;
  }

  /** Encrypts the data of a credential. @throws UnreadableError without a configured key */
  seal(owner: Owner, data: JsonObject): Envelope {
    return seal(this.#requireKeys(), owner, JSON.stringify(data));
  }

  /** Decrypts a sealed value. @throws UnreadableError when its key is not configured or it was changed */
  unseal(owner: Owner, sealed: Envelope): JsonObject {
    return JSON.parse(open(this.#requireKeys(), owner, sealed)) as JsonObject;
  }

  /**
   * Opens a credential; null when the organization does not have it.
   * @throws UnreadableError when its key is not configured or it was changed
   */
  async find(owner: Owner): Promise<OpenCredential | null> {
    const [row] = await this.#db.query<Row>(FIND, [owner.organizationId, owner.credentialId]);
    if (row === undefined) return null;
    const sealed = { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
    const data = this.unseal(owner, sealed);
    await this.#touch(owner, sealed);
    return {
      integration: row.integration,
      type: row.own_type === null ? findIntegration(row.integration) : toIntegration(row.own_type),
      ownClient: this.#openClient(owner.organizationId, row),
      authType: row.auth_type,
      allowedHosts: row.allowed_hosts,
      state: row.status === 'revoked' ? 'revoked' : row.is_expired ? 'expired' : 'active',
      data,
    };
  }

  #openClient(organizationId: string, row: Row): ProviderClient | null {
    const {
      type_id: id,
      type_key_id: keyId,
      type_wrapped_key: wrappedKey,
      type_ciphertext: ciphertext,
    } = row;
    if (row.own_type === null || id === null) return null;
    if (keyId === null || wrappedKey === null || ciphertext === null) return null;
    const secret = this.unseal({ organizationId, credentialId: id }, { keyId, wrappedKey, ciphertext });
    return toOwnClient(row.own_type.auth, secret);
  }

  #requireKeys(): Keyring {
    if (this.#keys === null) throw new UnreadableError('No encryption key is configured');
    return this.#keys;
  }

  /** Records the use and rewraps an old data key; a failure of either must not fail the use. */
  async #touch(owner: Owner, sealed: Envelope): Promise<void> {
    try {
      await this.#db.query(USED, [owner.organizationId, owner.credentialId]);
      await this.rewrap(owner, sealed);
    } catch (error) {
      this.#log.warn(
        { err: error, credential_id: owner.credentialId },
        'could not record the use of a credential',
      );
    }
  }

  /**
   * Wraps the data key of a row with the writing key, unless it already is.
   * @returns whether this call changed the row; false when another process was faster
   * @throws UnreadableError
   */
  async rewrap(
    owner: Owner,
    sealed: Omit<Envelope, 'ciphertext'>,
    table: SealedTable = 'credentials',
  ): Promise<boolean> {
    const keys = this.#requireKeys();
    if (sealed.keyId === keys.writing.id) return false;
    const { keyId, wrappedKey } = rewrap(keys, owner, sealed);
    const changed = await this.#db.query(rewrapStatement(table), [
      owner.organizationId,
      owner.credentialId,
      keyId,
      wrappedKey,
      sealed.keyId,
      sealed.wrappedKey,
    ]);
    return changed.length > 0;
  }
}
