/** A run could call an address of the internal network (SPEC SEC-F). */
import { expect, test } from 'vitest';
import { destinations, isPublicAddress } from '../../../src/platform/outbound/destinations.ts';

const allowed = destinations(['127.0.0.1:9100', '[::1]:9100', 'wiki.internal:81']);

test.each([
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.0.192',
  '0.0.0.0',
  '127.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '192.88.99.1',
  '240.0.0.1',
  '192.0.2.1',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'nonsense',
  '',
])('SEC-F04, SEC-F06: %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
test.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://localhost./',
  'http://a.localhost/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://db.svc/',
  'http://printer.local/',
  'http://wiki.internal/',
  'http://wiki.internal:82/',
  'http://user:pass@example.com/',
  'http://user@example.com/',
  'http://8.8.8.8:22/',
  'http://8.8.8.8:25/',
  'http://8.8.8.8:5432/',
  'http://8.8.8.8:6379/',
  'http://8.8.8.8:7233/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'data:text/plain,x',
  'ws://example.com/',
  'http://127.0.0.1:9101/',
  'http://user:x@127.0.0.1:9100/',
])('SEC-F01 to SEC-F13: %s is refused', (url) => {
  expect(allowed.allows(new URL(url))).toBe(false);
});
test.each([
  'https://example.com/',
  'http://example.com:8080/',
  'https://8.8.8.8/',
  'http://127.0.0.1:9100/x',
  'http://[::1]:9100/',
  'http://wiki.internal:81/',
])('%s may be called', (url) => {
  expect(allowed.allows(new URL(url))).toBe(true);
});
