/** The sealed part of an endpoint: the secret that signs its requests, and the previous one during a rotation. */
import { ownValue, type Json } from '../../language/graph/values/value.ts';
import type { Vault } from '../../platform/credentials/vault/vault.ts';

interface EndpointKey {
  readonly organizationId: string;
  readonly endpointId: string;
}

interface SealedEndpoint extends EndpointKey {
  readonly keyId: string;
  readonly wrappedKey: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** The vault binds a secret to its row: an endpoint's id stands where a credential's does. */
const toOwner = ({ organizationId, endpointId }: EndpointKey) => ({
  organizationId,
  credentialId: endpointId,
});

/** Seals the secrets of an endpoint, the current one first. @returns the columns that hold them */
export function sealEndpointSecrets(vault: Vault, key: EndpointKey, secrets: readonly string[]) {
  const { keyId, wrappedKey, ciphertext } = vault.seal(toOwner(key), { secrets: [...secrets] });
  return { keyId, wrappedKey: new Uint8Array(wrappedKey), ciphertext: new Uint8Array(ciphertext) };
}

const isText = (value: Json): value is string => typeof value === 'string';

/**
 * Opens the secrets of an endpoint, the current one first.
 * @throws UnreadableError when their key is not configured or they were changed
 */
export function readEndpointSecrets(vault: Vault, endpoint: SealedEndpoint): readonly string[] {
  const data = vault.unseal(toOwner(endpoint), {
    keyId: endpoint.keyId,
    wrappedKey: Buffer.from(endpoint.wrappedKey),
    ciphertext: Buffer.from(endpoint.ciphertext),
  });
  const secrets = ownValue(data, 'secrets');
  if (!Array.isArray(secrets)) throw new Error('the sealed part of an endpoint has another shape');
  return secrets.filter(isText);
}
