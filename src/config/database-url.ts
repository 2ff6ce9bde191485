/** The address of the database, and its password where that comes apart. */

/**
 * A password inside a URL must be percent-encoded, which compose and most secret stores cannot do: DATABASE_PASSWORD is
 * taken as it is and replaces the URL's.
 * @throws TypeError for what is no URL
 */
export function databaseUrl(address: string, password: string | undefined): string {
  if (password === undefined || password === '') return address;
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}
