/** Opens the OAuth client that an organization registered for one of its types. */
import { isObject, ownValue, type Json } from '../../language/graph/values/value.ts';
import type { TypeAuth } from './stored-type.ts';
import type { ProviderClient } from './oauth-party.ts';

/** @param secret the unsealed secret of the type @returns null when the type has no client */
export function toOwnClient(auth: TypeAuth, secret: Json): ProviderClient | null {
  if (auth.type !== 'oauth2' || auth.client_id === undefined || !isObject(secret)) return null;
  const read = (name: string): string | null => {
    const value = ownValue(secret, name);
    return typeof value === 'string' ? value : null;
  };
  return {
    clientId: auth.client_id,
    clientSecret: read('client_secret'),
    privateKey: read('private_key'),
    keyId: auth.key_id ?? null,
    origin: null,
    baseUrl: null,
  };
}
