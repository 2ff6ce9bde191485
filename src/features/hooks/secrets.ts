/** The sealed part of a hook: the token of its address, and the secrets that its sender signs with. */
import { isObject, ownValue, type Json } from '../../language/graph/values/value.ts';
import type { Vault } from '../../platform/credentials/vault/vault.ts';

interface HookSecrets {
  readonly token: string;
  readonly secrets: readonly string[];
}

interface SealedHook {
  readonly hookId: string;
  readonly organizationId: string;
  readonly keyId: string;
  readonly wrappedKey: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** The vault binds a secret to its row: a hook's id stands where a credential's does. */
const toOwner = ({ organizationId, hookId }: Pick<SealedHook, 'organizationId' | 'hookId'>) => ({
  organizationId,
  credentialId: hookId,
});

/** Seals the secrets of a hook. @returns the columns that hold them */
export function sealHookSecrets(
  vault: Vault,
  hook: Pick<SealedHook, 'organizationId' | 'hookId'>,
  { token, secrets }: HookSecrets,
) {
  const { keyId, wrappedKey, ciphertext } = vault.seal(toOwner(hook), { token, secrets: [...secrets] });
  return { keyId, wrappedKey: new Uint8Array(wrappedKey), ciphertext: new Uint8Array(ciphertext) };
}

const isText = (value: Json): value is string => typeof value === 'string';

/** Opens the secrets of a hook. @throws UnreadableError when their key is not configured or they were changed */
export function readHookSecrets(vault: Vault, hook: SealedHook): HookSecrets {
  const data = vault.unseal(toOwner(hook), {
    keyId: hook.keyId,
    wrappedKey: Buffer.from(hook.wrappedKey),
    ciphertext: Buffer.from(hook.ciphertext),
  });
  const token = ownValue(data, 'token');
  const secrets = ownValue(data, 'secrets');
  if (!isObject(data) || typeof token !== 'string' || !Array.isArray(secrets))
    throw new Error('the sealed part of a hook has another shape');
  return { token, secrets: secrets.filter(isText) };
}
