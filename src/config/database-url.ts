/** The address of the database, and its password where that comes apart. */

/**
 * A password inside a URL must be percent-encoded, which compose and most secret stores cannot do: DATABASE_PASSWORD is
 * taken as it is and replaces the URL's.
 * @returns an empty text where no address is set
 * @throws TypeError for what is no URL
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
