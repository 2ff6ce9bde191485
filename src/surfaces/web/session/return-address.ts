/** Where a sign-in comes back to. */

/** The path below which the application is served. */
export const BASE = '/app';
/** Redirect address of the identity provider. */
export const CALLBACK = `${BASE}/callback`;

/**
 * A path of this application, or its start: what came from elsewhere is never followed (SPEC SEC-W02).
 * @param origin of the page
 */
export function safeReturn(path: string, origin: string): string {
  if (!path.startsWith('/') || path.startsWith('//') || path.startsWith('/\\')) return `${BASE}/`;
  const url = new URL(path, origin);
  const isOurs = url.origin === origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));
  return isOurs && url.pathname !== CALLBACK ? url.pathname + url.search : `${BASE}/`;
}
