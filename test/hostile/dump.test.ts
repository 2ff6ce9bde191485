/** A stolen database would reveal secrets of the service or its organizations (SPEC SEC-Z10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireKeys } from '../../src/platform/credentials/vault/rotation.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

const SECRET = 'sk-canary-of-a-credential';
let api: ApiServer;
let tenant: Tenant;
/** The same rows, served with secrets of somebody else's making. */
let elsewhere: ApiServer;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  elsewhere = await startApi({
    DATABASE_URL: api.deps.config.databaseUrl,
    AUTH_JWKS_URL: api.identity.jwksUrl,
    AUTH_ISSUER: api.identity.issuer,
    API_KEY_SECRET: 'a secret that the service does not have',
    // The name of a key is no secret; its bytes are.
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 8).toString('base64')}`,
  });
});
afterAll(async () => {
  await elsewhere.close();
  await api.close();
});

test('SEC-Z10: no key opens anything there, and no credential can be read', async () => {
  const { key } = (await tenant.call('POST', '/api-keys', { body: { name: 'x' } })).body;
  const account = { name: 'x', integration: 'openai', auth_type: 'api_key', data: { api_key: SECRET } };
  const made = await tenant.call('POST', '/credentials', { body: account });
  const ref = { organizationId: tenant.org, credentialId: String(made.body.credential_id) };
  expect((await api.call('GET', '/auth/me', { token: key })).status).toBe(200);
  expect((await new Vault(api.deps).find(ref))?.data).toEqual({ api_key: SECRET });

  expect((await elsewhere.call('GET', '/auth/me', { token: key })).status).toBe(401);
  await expect(new Vault(elsewhere.deps).find(ref)).rejects.toThrow();
  const config = { ...elsewhere.deps.config, encryptionKeys: [], env: 'production' as const };
  await expect(requireKeys({ ...elsewhere.deps, config })).rejects.toThrow('ENCRYPTION_KEYS');
  const [row] = await api.deps.db.query<{ text: string }>(
    'SELECT c::text AS text FROM credentials c WHERE id = $1',
    [ref.credentialId],
  );
  expect(row?.text).not.toContain(SECRET);
  expect(row?.text).not.toContain(Buffer.from(SECRET).toString('hex'));
});
