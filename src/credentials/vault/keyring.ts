/** The keys that wrap the data keys of credentials: the first one configured writes, all of them can read. */
import type { EncryptionKey } from '../../config/config.ts';

export interface Keyring {
  readonly writing: EncryptionKey;
  readonly ids: readonly string[];
  find(keyId: string): EncryptionKey | undefined;
}

/** @returns null when no key is configured (development and test alone may be so) */
export function keyring(keys: readonly EncryptionKey[]): Keyring | null {
  const [writing] = keys;
  if (writing === undefined) return null;
  return {
    writing,
    ids: keys.map(({ id }) => id),
    find: (keyId) => keys.find(({ id }) => id === keyId),
  };
}
