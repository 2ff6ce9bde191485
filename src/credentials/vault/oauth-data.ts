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

/** What renews the access token and when it ends; null for one that cannot be renewed or does not end. */
export function renewalOf(
  data: JsonObject,
): { readonly refreshToken: string; readonly endsAt: number } | null {
  const refreshToken = ownValue(data, 'refresh_token');
  const endsAt = ownValue(data, 'token_expires_at');
  if (typeof refreshToken !== 'string' || typeof endsAt !== 'string') return null;
  const time = Date.parse(endsAt);
  return Number.isNaN(time) ? null : { refreshToken, endsAt: time };
}
