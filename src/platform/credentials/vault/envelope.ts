/**
 * Envelope encryption of a secret: AES-256-GCM under its own random data key, which is wrapped by one of the deployment's
 * keys. Both ciphertexts are bound to organization, credential and field, so rows cannot be swapped.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../../base/config/config.ts';
import type { Keyring } from './keyring.ts';

const NONCE_BYTES = 12;
// Node accepts a tag truncated to 4 bytes unless the length is set (SPEC SEC-Z04).
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export interface Owner {
  readonly organizationId: string;
  readonly credentialId: string;
}

/** The stored form; each buffer is nonce, tag and ciphertext. */
export interface Envelope {
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
}

/** A secret cannot be decrypted: its key is not configured, or the stored bytes were changed. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** Additional authenticated data: a value that is moved to another row or field does not decrypt (SPEC SEC-Z04). */
const bindTo = (owner: Owner, field: string): Buffer =>
  Buffer.from(`v1|${owner.organizationId}|${owner.credentialId}|${field}`);
/** Binds the key's id as well: only the named key unwraps a data key. */
const keyField = (keyId: string): string => `key:${keyId}`;

function encrypt(key: Buffer, plain: Buffer, bound: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Buffer, sealed: Buffer, bound: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(bound);
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new UnreadableError('The stored secret is damaged or belongs to another credential');
  }
}

function requireKey(keys: Keyring, keyId: string): EncryptionKey {
  const key = keys.find(keyId);
  if (key === undefined)
    throw new UnreadableError(`The encryption key ${JSON.stringify(keyId)} is not configured`);
  return key;
}

function wrap(key: EncryptionKey, dataKey: Buffer, owner: Owner): Pick<Envelope, 'keyId' | 'wrappedKey'> {
  return { keyId: key.id, wrappedKey: encrypt(key.key, dataKey, bindTo(owner, keyField(key.id))) };
}

function unwrap(keys: Keyring, sealed: Omit<Envelope, 'ciphertext'>, owner: Owner): Buffer {
  const key = requireKey(keys, sealed.keyId);
  return decrypt(key.key, sealed.wrappedKey, bindTo(owner, keyField(key.id)));
}

/** Encrypts a text under the writing key. */
export function seal(keys: Keyring, owner: Owner, text: string): Envelope {
  const dataKey = randomBytes(KEY_BYTES);
  return {
    ...wrap(keys.writing, dataKey, owner),
    ciphertext: encrypt(dataKey, Buffer.from(text), bindTo(owner, 'data')),
  };
}

/** Decrypts with the key that the row names. @throws UnreadableError */
export function open(keys: Keyring, owner: Owner, sealed: Envelope): string {
  return decrypt(unwrap(keys, sealed, owner), sealed.ciphertext, bindTo(owner, 'data')).toString('utf8');
}

/** Wraps the data key with the writing key; the ciphertext of the secret does not change. @throws UnreadableError */
export function rewrap(
  keys: Keyring,
  owner: Owner,
  sealed: Omit<Envelope, 'ciphertext'>,
): Pick<Envelope, 'keyId' | 'wrappedKey'> {
  return wrap(keys.writing, unwrap(keys, sealed, owner), owner);
}
