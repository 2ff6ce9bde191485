/** A credential would be sent to a host that it was not stored for. */
import { expect, test } from 'vitest';
import { allowsHost, toHostEntry, readHost } from '../../../../src/platform/credentials/vault/hosts.ts';

test.each([
  ['https://api.example.com/v1', 'api.example.com'],
  ['https://api.example.com:8443/v1', 'api.example.com:8443'],
  ['http://api.example.com/v1', 'api.example.com:80'],
  ['http://127.0.0.1:9999/v1', '127.0.0.1:9999'],
  ['https://[2606:4700::1111]/x', '[2606:4700::1111]'],
])('the host of %s is %s, and it allows the address', (url, host) => {
  expect(toHostEntry(url)).toBe(host);
  expect(readHost(host)).toBe(host);
  expect(allowsHost([host], url)).toBe(true);
});

test.each([
  ['api.example.com', 'http://api.example.com/'],
  ['api.example.com', 'https://api.example.com:8443/'],
  ['api.example.com', 'https://api.example.com.evil.test/'],
  ['api.example.com', 'https://evil.test/api.example.com'],
  ['api.example.com', 'https://x.api.example.com/'],
  ['api.example.com:8443', 'https://api.example.com/'],
])('%s does not allow %s', (host, url) => {
  expect(allowsHost([host], url)).toBe(false);
});

test.each(['', 'https://a.b', 'a b', 'a/b', 'user@a.b', '*.a.b', 'a.b:port', '-a', 'a.b:'])(
  '%s is no host',
  (text) => {
    expect(readHost(text)).toBeNull();
  },
);
