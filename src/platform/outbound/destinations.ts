/**
 * Decides which addresses the service may call for a tenant (SPEC SEC-F): public unicast on web ports. The operator
 * exempts others as `host:port`.
 */
import ipaddr from 'ipaddr.js';

/** Ranges that ipaddr.js considers public but that reach cloud-internal services. */
const DENIED_V4: readonly [string, number][] = [
  ['168.63.129.16', 32], // Azure's platform address
  ['192.88.99.0', 24], // 6to4 relays (RFC 7526)
  ['192.0.0.0', 24], // IETF protocol assignments (RFC 6890)
];
/** All public IPv6 in use; the rest is local, mapped, translated or reserved. */
const GLOBAL_V6 = { address: '2000::', bits: 3 };

const DENIED_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'metadata',
  'metadata.google.internal',
  'kubernetes',
]);
const DENIED_SUFFIXES = ['.localhost', '.internal', '.local', '.localdomain', '.svc', '.home.arpa'];

/** True for an address that is public and unicast. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (ip.range() !== 'unicast') return false;
  if (ip instanceof ipaddr.IPv6) return ip.match(ipaddr.IPv6.parse(GLOBAL_V6.address), GLOBAL_V6.bits);
  return !DENIED_V4.some(([range, bits]) => ip.match(ipaddr.IPv4.parse(range), bits));
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function isPublicName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name !== '' && !DENIED_NAMES.has(name) && !DENIED_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

const isWebPort = (port: number): boolean => port === 80 || port === 443 || (port >= 8000 && port <= 9999);

/** @returns the port of a URL, by default that of its scheme */
export function resolvePort(url: { readonly protocol: string; readonly port: string }): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Returns the `host:port` of a URL, as in OUTBOUND_ALLOW. @throws TypeError for a text that is no URL */
export function toHostPort(url: string): string {
  const parsed = new URL(url);
  return `${parsed.hostname}:${resolvePort(parsed)}`;
}

export interface Destinations {
  /** True if the operator exempts this host and port as written in the URL. */
  isExempt(hostname: string, port: number): boolean;
  /** Checks a URL before its name is resolved; the addresses are checked when connecting. */
  allows(url: URL): boolean;
}

/** @param exempt `host:port` entries, as in OUTBOUND_ALLOW */
export function destinations(exempt: readonly string[]): Destinations {
  const listed = new Set(exempt.map((entry) => entry.toLowerCase()));
  const isExempt = (hostname: string, port: number): boolean => {
    const host = withoutBrackets(hostname).toLowerCase();
    return listed.has(`${host}:${port}`) || listed.has(`[${host}]:${port}`);
  };
  return {
    isExempt,
    allows(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
      if (url.username !== '' || url.password !== '') return false;
      const port = resolvePort(url);
      if (isExempt(url.hostname, port)) return true;
      const host = withoutBrackets(url.hostname);
      return isWebPort(port) && (ipaddr.isValid(host) ? isPublicAddress(host) : isPublicName(host));
    },
  };
}
