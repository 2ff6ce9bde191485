/** Reads and writes the tokens in the data of an OAuth credential. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { ownValue } from '../../../language/graph/values/value.ts';
import type { Tokens } from '../oauth-client.ts';

/** Replaces the tokens in the data; without a new refresh token the old one stays. */
export function withTokens(
  data: JsonObject,
  { accessToken, refreshToken, expiresAt }: Omit<Tokens, 'scopes'>,
): JsonObject {
  const { token_expires_at: _ended, ...rest } = data;
  return {
    ...rest,
    access_token: accessToken,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(expiresAt === null ? {} : { token_expires_at: expiresAt.toISOString() }),
  };
}

/** @returns the refresh token and the expiry of the access token in ms since 1970, null when unknown; null without a refresh token */
export function readRenewal(
  data: JsonObject,
): { readonly refreshToken: string; readonly expiresAt: number | null } | null {
  const refreshToken = ownValue(data, 'refresh_token');
  if (typeof refreshToken !== 'string') return null;
  const stored = ownValue(data, 'token_expires_at');
  const time = typeof stored === 'string' ? Date.parse(stored) : Number.NaN;
  return { refreshToken, expiresAt: Number.isNaN(time) ? null : time };
}
