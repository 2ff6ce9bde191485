/**
 * A type that an organization makes would send a secret to the wrong place or organization, show it, or let its tokens be
 * requested twice.
 */
import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RenewingVault } from '../../src/platform/credentials/vault/renewing-vault.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';
import { integrations } from '../../src/language/nodes/integrations/catalog.ts';
import { sink, type Heard, type Sink } from '../platform/outbound/support.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { APP_URL } from '../support/identity-provider.ts';

const SECRET = 'CANARY-secret-0123456789';
const TOKEN = 'CANARY-token-0123456789';
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();

let service: Sink;
let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
const answers: string[] = [];

beforeAll(async () => {
  service = await sink();
  api = await startApi({ OUTBOUND_ALLOW: `127.0.0.1:${service.port}` });
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
});
beforeEach(() => {
  service.heard.length = 0;
  gives({ access_token: TOKEN, token_type: 'bearer' });
});
afterAll(async () => {
  await api.close();
  await service.close();
  const keyLine = PEM.split('\n')[1] ?? PEM;
  expect(answers.filter((text) => text.includes('CANARY') || text.includes(keyLine))).toEqual([]);
});

function gives(body: unknown, status = 200): void {
  service.answer = (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
let made = 0;
async function call(method: string, path: string, body?: object, who = tenant): Promise<Answer> {
  const answer = await who.call(method, path, body === undefined ? {} : { body });
  answers.push(answer.text);
  return answer;
}
async function makeType(more: object, who = tenant): Promise<{ id: string; name: string }> {
  made += 1;
  const body = { name: `custom-type-${made}`, display_name: 'Odd service', base_url: service.base, ...more };
  const answer = await call('POST', '/integration-types', body, who);
  expect(answer.text).toContain('"id"');
  return answer.body;
}
async function makeCredential(integration: string, authType: string, data: object): Promise<string> {
  const body = { name: 'x', integration, auth_type: authType, data };
  const answer = await call('POST', '/credentials', body);
  expect(answer.status).toBe(201);
  return answer.body.credential_id as string;
}
const formOf = (heard: Heard | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(heard?.body ?? ''));
const find = (credentialId: string) =>
  new RenewingVault(new Vault(api.deps), api.deps).find({ organizationId: tenant.org, credentialId });

const key = (placements: object[], fields: object[] = [{ name: 'api_key', title: 'Key' }]) => ({
  auth: { type: 'key', fields, placements },
});
const odd = key([{ in: 'header', name: 'Odd-Key', field: 'api_key', prefix: 'Token ' }]);

test('no entry of the catalog has a name that an organization may choose', () => {
  expect(integrations.filter(({ name }) => name.startsWith('custom-'))).toEqual([]);
});

describe('a type', () => {
  test('says where the secret of its credentials goes, and is offered beside the catalog', async () => {
    const { name } = await makeType({ ...odd, test: { path: '/me?full=1' } });
    const id = await makeCredential(name, 'api_key', { api_key: SECRET });
    expect((await call('POST', `/credentials/${id}/test`)).body).toMatchObject({ success: true });
    expect(service.heard).toMatchObject([{ url: '/me?full=1', headers: { 'odd-key': `Token ${SECRET}` } }]);
    expect((await call('GET', `/integrations/${name}`)).body).toMatchObject({ name, connected: true });
    const { integrations: all } = (await call('GET', '/integrations')).body;
    expect(all.map((one: { name: string }) => one.name)).toContain(name);
  });

  test('with the secret in its base URL: the test is sent there, and no answer has it', async () => {
    const { name } = await makeType({
      ...key([]),
      base_url: `${service.base}/bot{api_key}`,
      test: { path: '/getMe' },
    });
    service.answer = ({ url }, response) => response.writeHead(404).end(`no such path: ${url}`);
    const id = await makeCredential(name, 'api_key', { api_key: SECRET });
    await call('POST', `/credentials/${id}/test`);
    expect(service.heard[0]?.url).toBe(`/bot${SECRET}/getMe`);
  });

  test('is of its organization alone', async () => {
    const { id, name } = await makeType(odd);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await call(method, `/integration-types/${id}`, method === 'PATCH' ? {} : undefined, stranger))
          .status,
      ).toBe(404);
    const body = { name: 'x', integration: name, auth_type: 'api_key', data: { api_key: SECRET } };
    expect((await call('POST', '/credentials', body, stranger)).body.detail[0].type).toBe(
      'unknown_integration',
    );
    expect((await call('GET', `/integrations/${name}`, undefined, stranger)).status).toBe(404);
  });

  test('with the same name is another one in another organization', async () => {
    const { name } = await makeType(odd);
    expect((await call('POST', '/integration-types', { name, display_name: 'x', ...odd })).status).toBe(409);
    expect(
      (await call('POST', '/integration-types', { name, display_name: 'x', ...odd }, stranger)).status,
    ).toBe(201);
  });

  test('that credentials have keeps where their secrets go, and is not deleted', async () => {
    const { id, name } = await makeType(odd);
    const credential = await makeCredential(name, 'api_key', { api_key: SECRET });
    const path = `/integration-types/${id}`;
    for (const body of [
      { base_url: 'https://evil.test' },
      { auth: { type: 'bearer' } },
      { allowed_hosts: ['evil.test'] },
    ])
      expect((await call('PATCH', path, body)).body.detail).toContain('has this type');
    expect((await call('PATCH', path, { display_name: 'Other' })).body.display_name).toBe('Other');
    expect((await call('DELETE', path)).status).toBe(409);
    await call('DELETE', `/credentials/${credential}`);
    expect((await call('PATCH', path, { auth: { type: 'bearer' } })).body.auth).toEqual({ type: 'bearer' });
    expect((await call('DELETE', path)).status).toBe(200);
  });

  test('whose secret is a cookie refuses one that would end the cookie', async () => {
    const { name } = await makeType(key([{ in: 'cookie', name: 'session', field: 'api_key' }]));
    const make = (secret: string) =>
      call('POST', '/credentials', {
        name: 'x',
        integration: name,
        auth_type: 'api_key',
        data: { api_key: secret },
      });
    for (const secret of ['secret;b', 'secret,b', 'secret"b', 'secret\\b']) {
      const { status, body } = await make(secret);
      expect([status, body.detail[0].type]).toEqual([422, 'cookie_value']);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
    expect((await make("!#$%&'()*+-./:<=>?@[]^_`{|}~")).status).toBe(201);
  });

  test('that names hosts is a wall for its credentials', async () => {
    const { name } = await makeType({ ...odd, allowed_hosts: ['files.test'] });
    const body = { name: 'x', integration: name, auth_type: 'api_key', data: { api_key: SECRET } };
    const own = `127.0.0.1:${service.port}`;
    expect((await call('POST', '/credentials', body)).body.allowed_hosts).toEqual([own, 'files.test']);
    const beyond = { ...body, allowed_hosts: [own, 'evil.test'] };
    expect((await call('POST', '/credentials', beyond)).body.detail[0].type).toBe('host_not_allowed');
  });

  test('is refused beyond the plan', async () => {
    const free = await api.tenant();
    await api.deps.db.query(`UPDATE organizations SET plan = 'free' WHERE id = $1`, [free.org]);
    for (let count = 0; count < 5; count += 1) await makeType(odd, free);
    const body = { name: 'custom-more', display_name: 'x', ...odd };
    expect((await call('POST', '/integration-types', body, free)).status).toBe(403);
  });
});

const field = (name: string, more: object = {}) => ({ name, title: name, ...more });
const grant = { type: 'oauth2', grant: 'client_credentials', token_url: 'https://id.test/token' };
test.each([
  ['a name of the catalog', { name: 'slack' }],
  ['a header of the connection', key([{ in: 'header', name: 'Host', field: 'api_key' }])],
  ['a header that is no token', key([{ in: 'header', name: 'a b', field: 'api_key' }])],
  [
    'a prefix that begins another header',
    key([{ in: 'header', name: 'a', field: 'api_key', prefix: 'x\r\nb: ' }]),
  ],
  ['a field that is placed nowhere', key([])],
  ['a place without its field', key([{ in: 'query', name: 'k', field: 'other' }])],
  ['no secret', key([{ in: 'query', name: 'k', field: 'a' }], [field('a', { secret: false })])],
  ['a base URL with an unknown field', { ...odd, base_url: 'https://a.test/{other}' }],
  ['a base URL whose host ends with a field', { ...odd, base_url: 'https://a.{api_key}' }],
  ['a base URL with a query', { ...odd, base_url: 'https://a.test/?a=1' }],
  ['plain http without a port', { ...odd, base_url: 'http://a.test' }],
  ['a user in the base URL', { ...odd, base_url: 'https://u:p@a.test' }],
  ['a client of the organization for a grant of credentials', { auth: { ...grant, client_id: 'x' } }],
  [
    'an authorization without its address',
    { auth: { ...grant, grant: 'authorization_code', client_id: 'x' } },
  ],
  [
    'eleven fields',
    key(
      [],
      Array.from({ length: 11 }, (_, index) => field(`f${index}`)),
    ),
  ],
])('a type with %s is refused', async (_name, more) => {
  const body = { name: 'custom-bad', display_name: 'x', base_url: 'https://a.test', ...odd, ...more };
  expect((await call('POST', '/integration-types', body)).status).toBe(422);
});

describe('tokens', () => {
  const oauth = (more: object) => ({
    auth: { type: 'oauth2', token_url: `${service.base}/token`, scopes: ['a', 'b'], ...more },
  });

  test('of an authorization come from the client of the organization, with the extra parameters', async () => {
    const { name } = await makeType(
      oauth({
        grant: 'authorization_code',
        authorization_url: `${service.base}/authorize`,
        authorization_parameters: { access_type: 'offline', state: 'theirs' },
        scope_separator: ',',
        client_authentication: 'basic',
        client_id: 'client 1',
        client_secret: SECRET,
      }),
    );
    const started = (await call('POST', '/credentials/oauth/start', { integration: name, name: 'x' })).body;
    const query = Object.fromEntries(new URL(started.authorization_url).searchParams);
    expect(query).toMatchObject({
      client_id: 'client 1',
      scope: 'a,b',
      access_type: 'offline',
      state: started.state,
    });
    // A list of scopes, no refresh token and no end, as some providers answer.
    gives({ access_token: TOKEN, scope: ['a'] });
    const ended = await call('POST', '/credentials/oauth/callback', { state: started.state, code: 'code-1' });
    expect(ended.body).toMatchObject({ integration: name, scopes: ['a'], status: 'active' });
    expect(service.heard[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from(`client+1:${SECRET.replaceAll('-', '%2D')}`).toString('base64')}`,
    );
    expect(formOf(service.heard[0])).toMatchObject({
      code: 'code-1',
      redirect_uri: `${APP_URL}/oauth/callback`,
    });
    expect(formOf(service.heard[0])).not.toHaveProperty('client_secret');
  });

  test('of a client are requested when they are needed, once by two vaults at once, and kept', async () => {
    const { name } = await makeType(
      oauth({ grant: 'client_credentials', token_parameters: { audience: 'https://api.test' } }),
    );
    const id = await makeCredential(name, 'service_account', {
      client_id: 'client-1',
      client_secret: SECRET,
    });
    expect(service.heard).toEqual([]);
    const all = await Promise.all(Array.from({ length: 6 }, () => find(id)));
    expect(all.map((found) => found?.data['access_token'])).toEqual(all.map(() => TOKEN));
    expect(service.heard.map(formOf)).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'client-1',
        client_secret: SECRET,
        scope: 'a b',
        audience: 'https://api.test',
      },
    ]);
    // Without `expires_in` a token is used until it is rejected.
    await find(id);
    expect(service.heard).toHaveLength(1);
  });

  test('of a client that the provider refuses fail with its reason, and are requested again', async () => {
    const { name } = await makeType(oauth({ grant: 'client_credentials' }));
    const id = await makeCredential(name, 'service_account', {
      client_id: 'client-1',
      client_secret: SECRET,
    });
    gives({ error: 'invalid_client' });
    await expect(find(id)).rejects.toMatchObject({
      code: 'credential_refused',
      message: expect.stringContaining('invalid_client'),
    });
    expect((await call('GET', `/credentials/${id}`)).body).toMatchObject({ status: 'error' });
    gives({ access_token: TOKEN, expires_in: '3600' });
    expect((await find(id))?.data).toMatchObject({ access_token: TOKEN });
    expect((await call('GET', `/credentials/${id}`)).body).toMatchObject({ status: 'active' });
  });

  test('of a service account are given for an assertion that its key signs', async () => {
    const { name } = await makeType(oauth({ grant: 'jwt_bearer' }));
    const data = { issuer: 'robot@test', private_key: PEM, key_id: 'k1', subject: 'ada@test' };
    const id = await makeCredential(name, 'service_account', data);
    await find(id);
    const { assertion, ...rest } = formOf(service.heard[0]);
    expect(rest).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' });
    const { payload, protectedHeader } = await jwtVerify(assertion ?? '', pair.publicKey, {
      issuer: 'robot@test',
      audience: `${service.base}/token`,
      subject: 'ada@test',
    });
    expect(payload).toMatchObject({ scope: 'a b' });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'k1' });
  });

  test('of a client with a key are given for a signed assertion of the client', async () => {
    const { name } = await makeType(
      oauth({ grant: 'client_credentials', client_authentication: 'private_key_jwt' }),
    );
    const id = await makeCredential(name, 'service_account', { client_id: 'client-1', private_key: PEM });
    await find(id);
    const form = formOf(service.heard[0]);
    const { payload } = await jwtVerify(form['client_assertion'] ?? '', pair.publicKey, {
      issuer: 'client-1',
    });
    expect(payload.sub).toBe('client-1');
    expect(form).not.toHaveProperty('client_secret');
  });
});
