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

/** The tokens in the data of a credential; null: none, or unknown. */
interface StoredTokens {
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  /** End of the access token, in ms since 1970. */
  readonly expiresAt: number | null;
}

export function readRenewal(data: JsonObject): StoredTokens {
  const read = (name: string): string | null => {
    const value = ownValue(data, name);
    return typeof value === 'string' ? value : null;
  };
  const time = Date.parse(read('token_expires_at') ?? '');
  return {
    accessToken: read('access_token'),
    refreshToken: read('refresh_token'),
    expiresAt: Number.isNaN(time) ? null : time,
  };
}
