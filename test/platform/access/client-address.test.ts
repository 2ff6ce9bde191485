/** A caller could choose the address that limits and lockouts count, or every caller would be the proxy. */
import { expect, test } from 'vitest';
import { TrustedProxies } from '../../../src/platform/access/client-address.ts';
import { readConfig } from '../../../src/base/config/config.ts';

const behind = (networks: string): TrustedProxies =>
  new TrustedProxies(readConfig({ DATABASE_URL: 'postgres://x', TRUSTED_PROXIES: networks }).trustedProxies);
const PROXIES = behind('10.0.0.0/8, 192.0.2.7, 2001:db8::/32');

test.each([
  ['a stranger', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['a proxy that is seen as IPv6', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['a proxy of IPv6', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
  [
    'two proxies, behind what the client has written',
    '10.1.2.3',
    '1.1.1.1, 198.51.100.1, 192.0.2.7',
    '198.51.100.1',
  ],
  ['a proxy that adds the port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['a proxy that adds the port to IPv6', '10.1.2.3', '[2001:db9::1]:4711', '2001:db9::1'],
  ['a proxy behind no address', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
  ['a proxy without the header', '10.1.2.3', undefined, '10.1.2.3'],
  ['proxies alone', '10.1.2.3', '10.9.9.9', '10.9.9.9'],
])('%s', (_, peer, forwarded, address) => {
  expect(PROXIES.findClient(peer, { 'x-forwarded-for': forwarded }).address).toBe(address);
});

test('a scheme is read from proxies alone, and only http or https', () => {
  const schemeFrom = (peer: string, proto: string): unknown =>
    PROXIES.findClient(peer, { 'x-forwarded-proto': proto }).scheme;
  expect(schemeFrom('10.1.2.3', 'HTTPS, http')).toBe('https');
  expect(schemeFrom('10.1.2.3', 'javascript')).toBeNull();
  expect(schemeFrom('203.0.113.9', 'https')).toBeNull();
});

test.each(['10.0.0.0/33', 'proxy', '10.0.0', '::/129', '10.0.0.0/'])('%s is no network', (network) => {
  expect(() => behind(network)).toThrow('TRUSTED_PROXIES: must be a list of addresses and CIDR blocks');
});
