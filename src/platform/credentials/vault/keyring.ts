/** The keys that wrap data keys: the first configured key writes, all can read. */
import type { EncryptionKey } from '../../../base/config/config.ts';

export interface Keyring {
  readonly writing: EncryptionKey;
  readonly ids: readonly string[];
  find(keyId: string): EncryptionKey | undefined;
}

/** @returns null without a configured key, which only development and test allow */
export function keyring(keys: readonly EncryptionKey[]): Keyring | null {
  const [writing] = keys;
  if (writing === undefined) return null;
  return {
    writing,
    ids: keys.map(({ id }) => id),
    find: (keyId) => keys.find(({ id }) => id === keyId),
  };
}
