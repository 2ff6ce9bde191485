/** Builds the database URL from DATABASE_URL and DATABASE_PASSWORD. */

/**
 * Replaces the URL's password with DATABASE_PASSWORD, which is not percent-encoded, because compose and most secret stores
 * cannot encode it.
 * @returns an empty string without DATABASE_URL
 * @throws TypeError for an invalid URL
 */
export function databaseUrl(env: {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_PASSWORD?: string | undefined;
}): string {
  const { DATABASE_URL: address = '', DATABASE_PASSWORD: password = '' } = env;
  if (address === '' || password === '') return address;
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}
