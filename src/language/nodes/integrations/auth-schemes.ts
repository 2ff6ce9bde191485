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

/** Tokens that an OAuth provider issues and refreshes. @param more optional fields */
export function oauth2(
  provider: OAuthProvider,
  scopes: readonly string[],
  more: JsonObject = {},
): AuthScheme {
  const renewal = {
    refresh_token: describeToken('Refresh token'),
    token_expires_at: { type: 'string', title: 'End of the access token', maxLength: 64 },
  };
  return { ...bearer(scopes, { ...renewal, ...more }), type: 'oauth2', oauth: provider };
}
