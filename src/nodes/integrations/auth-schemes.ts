/** Schemas of the secrets that credentials hold, as the entries of the catalog use them. */
import type { JsonObject } from '../../graph/value.ts';
import type { AuthScheme, OAuthProvider, Placement } from './integration.ts';

/** A value that fits a header as it is: visible ASCII. Shorter ones could not be told from ordinary text in outputs. */
export const token = (title: string): JsonObject => ({
  type: 'string',
  title,
  minLength: 4,
  maxLength: 8192,
  pattern: '^[!-~]+$',
  'x-secret': true,
});

/** An http(s) address without query: nothing secret fits into it. */
export const address = (title: string): JsonObject => ({
  type: 'string',
  title,
  format: 'uri',
  maxLength: 2048,
  pattern: '^https?://[^/?#@\\s]+(/[^?#@\\s]*)?$',
});

/** The schema of an object with these fields and no others. */
export function fields(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/** An API key, and where it goes. `more` adds fields that are not needed. */
export function apiKey(placement: Placement, more: JsonObject = {}): AuthScheme {
  return {
    type: 'api_key',
    required: true,
    scopes: [],
    schema: fields({ api_key: token('API key'), ...more }, ['api_key']),
    placement,
  };
}

/** An access token that is sent as `Authorization: Bearer`. */
export function bearer(scopes: readonly string[], more: JsonObject = {}): AuthScheme {
  return {
    type: 'bearer',
    required: true,
    scopes,
    schema: fields({ access_token: token('Access token'), ...more }, ['access_token']),
    placement: { kind: 'bearer', field: 'access_token' },
  };
}

/** Tokens that a provider gives and renews. `more` as for a bearer. */
export function oauth2(
  provider: OAuthProvider,
  scopes: readonly string[],
  more: JsonObject = {},
): AuthScheme {
  const renewal = {
    refresh_token: token('Refresh token'),
    token_expires_at: { type: 'string', title: 'End of the access token', maxLength: 64 },
  };
  return { ...bearer(scopes, { ...renewal, ...more }), type: 'oauth2', oauth: provider };
}
