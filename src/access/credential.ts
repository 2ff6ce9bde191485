/** Which credential a request carries (SPEC API-authentication, resolution order). Verifies nothing. */
import { unauthenticated } from '../errors.ts';
import { API_KEY_PREFIX } from './api-key.ts';

export type Credential =
  | { readonly kind: 'api_key'; readonly key: string }
  | { readonly kind: 'jwt'; readonly token: string };

/** The part of a request that credentials are read from; names in lower case, as Node gives them. */
export type CredentialHeaders = Readonly<Record<string, string | string[] | undefined>>;

const text = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

/**
 * A bearer token decides alone when there is one; X-API-KEY is looked at only otherwise, and only with the prefix.
 * The scheme's name is case-insensitive (RFC 9110, section 11.1).
 * @throws ApiError 401 when there is neither
 */
export function readCredential(headers: CredentialHeaders): Credential {
  const bearer = /^bearer +(\S.*)$/i.exec(text(headers['authorization']).trim())?.[1];
  if (bearer !== undefined) {
    return bearer.startsWith(API_KEY_PREFIX)
      ? { kind: 'api_key', key: bearer }
      : { kind: 'jwt', token: bearer };
  }
  const key = text(headers['x-api-key']).trim();
  if (key.startsWith(API_KEY_PREFIX)) return { kind: 'api_key', key };
  throw unauthenticated(
    'credential_missing',
    'Authentication required. Provide Authorization: Bearer token or X-API-KEY header.',
  );
}
