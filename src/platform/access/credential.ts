/** Reads the credential of a request (SPEC API-authentication, resolution order). Verifies nothing. */
import { unauthenticated } from '../../base/errors.ts';
import { API_KEY_PREFIX } from './api-key.ts';

type Credential =
  | { readonly kind: 'api_key'; readonly key: string }
  | { readonly kind: 'jwt'; readonly token: string };

/** The headers of a request; names in lower case, as in Node. */
export type CredentialHeaders = Readonly<Record<string, string | string[] | undefined>>;

const text = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

/**
 * Reads the bearer token; without one, an X-API-KEY header with the key prefix. The scheme name is case-insensitive (RFC 9110,
 * section 11.1).
 * @throws ApiError 401 without either
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
