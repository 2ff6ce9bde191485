/**
 * Secrets of credentials in the database: sealed when they are stored, opened only by (organization, credential). What
 * an older key has wrapped is wrapped anew when it is read.
 */
import type { Db } from '../../db/client.ts';
import type { EncryptionKey } from '../../config/config.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { Logger } from '../../log.ts';
import { UnreadableError, open, rewrap, seal, type Owner, type Sealed } from './envelope.ts';
import { keyring, type Keyring } from './keyring.ts';

/** A credential with its secret. Lives in memory alone, as long as one use of it. */
export interface OpenCredential {
  readonly integration: string;
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
}

const FIND = `
  SELECT integration, auth_type, allowed_hosts, status, coalesce(expires_at <= now(), false) AS is_expired,
         key_id, wrapped_key, ciphertext
  FROM credentials WHERE organization_id = $1 AND id = $2`;

/** Once a minute is exact enough for people, and costs a row write a minute at most. */
const USED = `
  UPDATE credentials SET last_used_at = now()
  WHERE organization_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

const REWRAPPED = `
  UPDATE credentials SET key_id = $3, wrapped_key = $4
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

  /** False when no encryption key is configured: then nothing can be stored. */
  get canStore(): boolean {
    return this.#keys !== null;
  }

  /** Encrypts the data of a credential. @throws UnreadableError when no key is configured */
  seal(owner: Owner, data: JsonObject): Sealed {
    return seal(this.#ring(), owner, JSON.stringify(data));
  }

  /** Decrypts what `seal` gave. @throws UnreadableError when its key is not configured or it was tampered with */
  unseal(owner: Owner, sealed: Sealed): JsonObject {
    return JSON.parse(open(this.#ring(), owner, sealed)) as JsonObject;
  }

  /**
   * Opens a credential; null when the organization has none of that id.
   * @throws UnreadableError when its key is not configured or it was tampered with
   */
  async find(owner: Owner): Promise<OpenCredential | null> {
    const [row] = await this.#db.query<Row>(FIND, [owner.organizationId, owner.credentialId]);
    if (row === undefined) return null;
    const sealed = { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
    const data = this.unseal(owner, sealed);
    await this.#touch(owner, sealed);
    return {
      integration: row.integration,
      authType: row.auth_type,
      allowedHosts: row.allowed_hosts,
      state: row.status === 'revoked' ? 'revoked' : row.is_expired ? 'expired' : 'active',
      data,
    };
  }

  #ring(): Keyring {
    if (this.#keys === null) throw new UnreadableError('No encryption key is configured');
    return this.#keys;
  }

  /** Notes the use, and moves an old key's work to the new one. Neither may fail the use. */
  async #touch(owner: Owner, sealed: Sealed): Promise<void> {
    try {
      await this.#db.query(USED, [owner.organizationId, owner.credentialId]);
      await this.rewrap(owner, sealed);
    } catch (error) {
      this.#log.warn(
        { err: error, credential_id: owner.credentialId },
        'the use of a credential was not noted',
      );
    }
  }

  /**
   * Wraps the data key with the key that writes, unless it is already.
   * @returns true if the row was changed; false when another process was faster
   * @throws UnreadableError
   */
  async rewrap(owner: Owner, sealed: Omit<Sealed, 'ciphertext'>): Promise<boolean> {
    const keys = this.#ring();
    if (sealed.keyId === keys.writing.id) return false;
    const { keyId, wrappedKey } = rewrap(keys, owner, sealed);
    const changed = await this.#db.query(REWRAPPED, [
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
