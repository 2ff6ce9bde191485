/** Names that a credential may have in a request; as patterns of JSON Schema, which have no look-ahead. */

/** Any token of RFC 9110 (5.6.2); `isReservedHeader` excludes some. */
export const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$";

/** Visible ASCII and spaces: a control character would begin another header. */
export const HEADER_PREFIX = '^[ -~]{0,64}$';

/** Characters that no encoding changes, so that the name arrives as it is written. */
export const PARAMETER_NAME = '^[A-Za-z0-9._~-]{1,128}$';

/** A token (RFC 6265, 4.1.1). */
export const COOKIE_NAME = HEADER_NAME;

const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  // A placement of its own, which keeps the node's cookies.
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // The service's own header (access/run-depth.ts).
  'x-run-depth',
]);

/**
 * True for headers of the connection and of bodies, which the service sets: a credential that set one could break the framing
 * of its request (RFC 9110, 7.6.1; RFC 9112, 6).
 */
export const isReservedHeader = (name: string): boolean => RESERVED.has(name.toLowerCase());
