/** `npm run demo` would ignore the host or the identity provider of its environment. */
import { afterEach, expect, test, vi } from 'vitest';
import {
  hasProvider,
  findReachableHost,
  buildServiceEnvironment,
  type Addresses,
} from '../../../src/processes/local/environment.ts';

afterEach(() => vi.unstubAllEnvs());

const at: Addresses = {
  databaseUrl: 'postgresql://x@127.0.0.1/x',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: null,
  issuer: null,
  model: null,
  port: 8000,
  realtimePort: 3001,
  appUrl: 'http://127.0.0.1:8000',
};

test('HOST and the identity provider are those of the environment where they are set', () => {
  const secrets = { API_KEY_SECRET: 'x'.repeat(32), ENCRYPTION_KEYS: 'k:v' };
  const given = {
    ...secrets,
    HOST: '0.0.0.0',
    AUTH_JWKS_URL: 'https://id.test/keys',
    AUTH_ISSUER: 'https://id.test',
  };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  expect(hasProvider()).toBe(true);
  expect(buildServiceEnvironment(at)).toMatchObject(given);
  vi.stubEnv('AUTH_ISSUER', '');
  vi.stubEnv('HOST', '');
  // Half of a provider is none.
  expect(hasProvider()).toBe(false);
  const issuer = {
    issuer: 'http://own',
    jwksUrl: 'http://own/keys',
    mint: async () => '',
    stop: async () => undefined,
  };
  expect(buildServiceEnvironment({ ...at, issuer })).toMatchObject({
    HOST: '127.0.0.1',
    AUTH_ISSUER: 'http://own',
    AUTH_JWKS_URL: 'http://own/keys',
  });
});

test.each([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '[::1]'],
  ['10.0.0.5', '10.0.0.5'],
])('a service on %j is reached at %s', (host, reached) => {
  vi.stubEnv('HOST', host);
  expect(findReachableHost()).toBe(reached);
});
