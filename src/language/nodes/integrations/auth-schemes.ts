/** Auth schemes of catalog entries and the schemas of their credentials. */
import type { JsonObject } from '../../graph/values/value.ts';
import type { AuthScheme, OAuthProvider, Placement } from './integration.ts';

/** Visible ASCII, which fits a header. Shorter secrets could not be redacted: ordinary text contains them. */
export const describeToken = (title: string): JsonObject => ({
  type: 'string',
  title,
  minLength: 4,
  maxLength: 8192,
  pattern: '^[!-~]+$',
  'x-secret': true,
});

/** An http(s) URL without user and query, so that it contains no secret. */
export const describeAddress = (title: string): JsonObject => ({
  type: 'string',
  title,
  format: 'uri',
  maxLength: 2048,
  pattern: '^https?://[^/?#@\\s]+(/[^?#@\\s]*)?$',
});

/** Describes an object with exactly these fields. */
export function describeFields(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/** An API key and its placement. @param more optional fields */
export function apiKey(placement: Placement, more: JsonObject = {}): AuthScheme {
  return {
    type: 'api_key',
    required: true,
    scopes: [],
    schema: describeFields({ api_key: describeToken('API key'), ...more }, ['api_key']),
    placements: [placement],
  };
}

/** An access token, sent as `Authorization: Bearer`. @param more optional fields */
export function bearer(scopes: readonly string[], more: JsonObject = {}): AuthScheme {
  return {
    type: 'bearer',
    required: true,
    scopes,
    schema: describeFields({ access_token: describeToken('Access token'), ...more }, ['access_token']),
    placements: [{ kind: 'bearer', field: 'access_token' }],
  };
}

/** A private key as PEM text (RFC 7468). */
const PRIVATE_KEY: JsonObject = {
  type: 'string',
  title: 'Private key',
  'x-multiline': true,
  minLength: 64,
  maxLength: 16_384,
  pattern: '^\\s*-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\\s]+-----END [A-Z ]*PRIVATE KEY-----\\s*$',
  'x-secret': true,
};

const describeText = (title: string): JsonObject => ({
  type: 'string',
  title,
  minLength: 1,
  maxLength: 1024,
  pattern: '^[ -~]+$',
});

/** The token that the vault keeps beside the secret of a grant without a person; nobody types it. */
const ISSUED: JsonObject = {
  access_token: { ...describeToken('Access token'), readOnly: true },
  token_expires_at: { type: 'string', title: 'End of the access token', maxLength: 64, readOnly: true },
};

/** Tokens that the service requests by itself, with the secret of the credential. */
export function ownGrant(provider: OAuthProvider, scopes: readonly string[]): AuthScheme {
  const bySignature = provider.grant === 'jwt_bearer' || provider.clientAuthentication === 'private_key_jwt';
  const key = { private_key: PRIVATE_KEY, key_id: describeText('Id of the key') };
  const fields: JsonObject =
    provider.grant === 'jwt_bearer'
      ? {
          issuer: describeText('Issuer (email of the service account, or client id)'),
          ...key,
          subject: describeText('Act as user'),
        }
      : {
          client_id: describeText('Client id'),
          ...(bySignature ? key : { client_secret: describeToken('Client secret') }),
        };
  const required =
    provider.grant === 'jwt_bearer'
      ? ['issuer', 'private_key']
      : ['client_id', bySignature ? 'private_key' : 'client_secret'];
  return {
    type: 'service_account',
    required: true,
    scopes,
    schema: describeFields({ ...fields, ...ISSUED }, required),
    placements: [{ kind: 'bearer', field: 'access_token' }],
    oauth: provider,
  };
}

/** Google's and others' service accounts, beside people who sign in. */
export const serviceAccount = (provider: OAuthProvider, scopes: readonly string[]): AuthScheme =>
  ownGrant({ ...provider, grant: 'jwt_bearer' }, scopes);

/**
 * Tokens that an OAuth provider issues and refreshes.
 * @param more optional fields @param asked fields that a person gives before the provider is asked, such as the id of a company
 */
export function oauth2(
  provider: OAuthProvider,
  scopes: readonly string[],
  more: JsonObject = {},
  asked: JsonObject = {},
): AuthScheme {
  const renewal = {
    refresh_token: describeToken('Refresh token'),
    token_expires_at: { type: 'string', title: 'End of the access token', maxLength: 64 },
  };
  const scheme = bearer(scopes, { ...renewal, ...more, ...asked });
  const required = ['access_token', ...Object.keys(asked)];
  return { ...scheme, schema: { ...scheme.schema, required }, type: 'oauth2', oauth: provider };
}
