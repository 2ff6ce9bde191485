/** Problems of the URLs of an integration type. */

/** As in `allowed_hosts`: a secret goes over plain http only where the port is named. */
function findOriginProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'Must be a URL';
  const { protocol, port, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && port !== ''))
    return 'Must be https, or http with a port';
  return username !== '' || password !== '' || hash !== '' ? 'Must have no user and no fragment' : null;
}

/** @returns null for an address of a provider */
export const findUrlProblem = (text: string): string | null => findOriginProblem(text);

/** @returns null for a base URL, whose fields stand in braces */
export function findBaseUrlProblem(text: string): string | null {
  const filled = text.replaceAll(/\{[a-z][a-z0-9_]*\}/g, 'x');
  if (/[{}?\s\\]/.test(filled)) return 'Must have no query, and only names of fields in braces';
  const host = /^[a-z]+:\/\/([^/]*)/.exec(text)?.[1] ?? '';
  // The end of a host name decides whose it is.
  if (/\}[^.]*$/.test(host)) return 'A field in the host must stand before a dot';
  return findOriginProblem(filled);
}
