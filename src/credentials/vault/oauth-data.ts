/** The data of an OAuth account, as its credential holds it. */
import type { JsonObject } from '../../graph/value.ts';
import { ownValue } from '../../graph/value.ts';

export interface GivenTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

/** The data with these tokens in place of what it had; a refresh token that is not given anew stays. */
export function withTokens(
  data: JsonObject,
  { accessToken, refreshToken, expiresAt }: GivenTokens,
): JsonObject {
  const { token_expires_at: _ended, ...rest } = data;
  return {
    ...rest,
    access_token: accessToken,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(expiresAt === null ? {} : { token_expires_at: expiresAt.toISOString() }),
  };
}

/** What renews the access token, and when that ends as far as is known; null for one that cannot be renewed. */
export function renewalOf(
  data: JsonObject,
): { readonly refreshToken: string; readonly endsAt: number | null } | null {
  const refreshToken = ownValue(data, 'refresh_token');
  if (typeof refreshToken !== 'string') return null;
  const endsAt = ownValue(data, 'token_expires_at');
  const time = typeof endsAt === 'string' ? Date.parse(endsAt) : Number.NaN;
  return { refreshToken, endsAt: Number.isNaN(time) ? null : time };
}
