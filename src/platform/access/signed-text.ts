/**
 * Texts that are signed for one purpose and given to the outside as a token, such as the address at which a run is answered. A
 * token is the same for the same text, so it can be computed again and is stored nowhere.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../base/config/config.ts';

const TOKEN = /^([A-Za-z0-9_-]{1,2000})\.[A-Za-z0-9_-]{43}$/;

/** A text signed for one purpose is none for another: each has its own key, derived from the secret. */
function sign(secret: string, purpose: string, text: string): string {
  const key = createHmac('sha256', secret).update(`signed-text\n${purpose}`).digest();
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Signs a text. @returns a token for the path of a URL */
export function signText(secret: string, purpose: string, text: string): string {
  return `${Buffer.from(text).toString('base64url')}.${sign(secret, purpose, text)}`;
}

/**
 * Reads a signed text with either secret, while API_KEY_SECRET is replaced.
 * @param read returns null for what another secret has signed
 */
export function readWithSecrets<Text>(
  { apiKeySecret, otherApiKeySecret }: Pick<Config['auth'], 'apiKeySecret' | 'otherApiKeySecret'>,
  read: (secret: string) => Text | null,
): Text | null {
  return read(apiKeySecret) ?? (otherApiKeySecret === null ? null : read(otherApiKeySecret));
}

/** Reads the text of a token; null when it was not signed for this purpose. */
export function readSignedText(secret: string, purpose: string, token: string): string | null {
  const [, encoded] = TOKEN.exec(token) ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64url').toString();
  // As texts: other letters at an end may stand for the same bytes, and a token has one form.
  const [given, right] = [Buffer.from(token), Buffer.from(signText(secret, purpose, text))];
  return given.length === right.length && timingSafeEqual(given, right) ? text : null;
}
