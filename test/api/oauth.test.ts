/**
 * An OAuth account would belong to somebody who did not begin its authorization, or lose its token when two processes
 * renew it.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountHttp } from '../../src/platform/credentials/account-http.ts';
import { Accounts } from '../../src/platform/credentials/node-credentials.ts';
import { RenewingVault } from '../../src/platform/credentials/vault/renewing-vault.ts';
import { Secrets } from '../../src/platform/credentials/vault/secrets.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';
import { createGuardedAgent } from '../../src/platform/outbound/guarded-agent.ts';
import { guardedHttp } from '../../src/platform/outbound/guarded-http.ts';
import { sink, type Heard, type Sink } from '../platform/outbound/support.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { APP_URL } from '../support/identity-provider.ts';
import { eventually } from '../support/waiting.ts';

const SECRET = 'CANARY-client-secret';
const ACCESS = 'gho-CANARY-access-0123';
const REFRESH = 'ghr-CANARY-refresh-0123';

let provider: Sink;
let api: ApiServer;
let tenant: Tenant;
/** Of the same organization. */
let colleague: Tenant;
let stranger: Tenant;
const answers: string[] = [];

beforeAll(async () => {
  provider = await sink();
  const github = {
    client_id: 'client-1',
    client_secret: SECRET,
    origin: provider.base,
    base_url: `${provider.base}/api/v3`,
  };
  const others = ['gmail', 'google_drive', 'hubspot', 'jira', 'microsoft_graph', 'quickbooks'].map((name) => {
    return [name, { client_id: 'client-1', client_secret: SECRET, origin: provider.base }] as const;
  });
  api = await startApi({ OAUTH_CLIENTS: JSON.stringify({ github, ...Object.fromEntries(others) }) });
  [tenant, colleague, stranger] = await Promise.all([api.tenant(), api.tenant(), api.tenant()]);
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  await api.deps.db.query(
    `INSERT INTO memberships (organization_id, user_id, role)
     SELECT $1, user_id, 'admin' FROM memberships WHERE organization_id = $2`,
    [tenant.org, colleague.org],
  );
});
beforeEach(() => {
  provider.heard.length = 0;
  gives({ access_token: ACCESS, refresh_token: REFRESH, expires_in: 3_600, scope: 'repo,read:org' });
});
afterAll(async () => {
  await api.close();
  await provider.close();
  expect(answers.filter((text) => text.includes('CANARY'))).toEqual([]);
});

function gives(body: unknown, status = 200): void {
  provider.answer = (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
async function call(path: string, body: object, who = tenant): Promise<Answer> {
  const answer = await who.call('POST', path, { body, org: tenant.org });
  answers.push(answer.text);
  return answer;
}
const start = (more: object = {}, who = tenant): Promise<Answer> =>
  call('/credentials/oauth/start', { integration: 'github', name: 'Our GitHub', ...more }, who);
const begin = async (more: object = {}): Promise<string> => (await start(more)).body.state;
const end = (state: string, more: object = { code: 'code-1' }, who = tenant): Promise<Answer> =>
  call('/credentials/oauth/callback', { state, ...more }, who);
const formOf = (heard: Heard | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(heard?.body ?? ''));

describe('an authorization', () => {
  test('sends the browser to the provider, and makes its code a credential', async () => {
    const started = await start();
    const url = new URL(started.body.authorization_url);
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.base}/login/oauth/authorize`);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: `${APP_URL}/oauth/callback`,
      scope: 'repo',
      state: started.body.state,
      code_challenge_method: 'S256',
    });

    const ended = await end(started.body.state);
    expect([ended.status, ended.body]).toMatchObject([
      201,
      {
        name: 'Our GitHub',
        integration: 'github',
        auth_type: 'oauth2',
        status: 'active',
        scopes: ['repo', 'read:org'],
        allowed_hosts: [`127.0.0.1:${provider.port}`],
        masked: { access_token: '****0123', refresh_token: '****0123' },
        expires_at: null,
      },
    ]);
    const [heard] = provider.heard;
    expect(heard).toMatchObject({ method: 'POST', url: '/login/oauth/access_token' });
    const { code_verifier: verifier = '', ...form } = formOf(heard);
    expect(form).toEqual({
      grant_type: 'authorization_code',
      code: 'code-1',
      redirect_uri: `${APP_URL}/oauth/callback`,
      client_id: 'client-1',
      client_secret: SECRET,
    });
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(query['code_challenge']);
  });

  // How the client proves itself, and where tokens are asked for, as each provider documents it.
  test.each([
    ['gmail', {}, '/token', 'body', 'gmail.googleapis.com'],
    ['google_drive', {}, '/token', 'body', 'www.googleapis.com'],
    ['hubspot', {}, '/oauth/v1/token', 'body', 'api.hubapi.com'],
    ['jira', { cloud_id: '1324a887-45db' }, '/oauth/token', 'body', 'api.atlassian.com'],
    ['microsoft_graph', {}, '/common/oauth2/v2.0/token', 'body', 'graph.microsoft.com'],
    ['quickbooks', { realm_id: '9130357' }, '/oauth2/v1/tokens/bearer', 'basic', 'quickbooks.api.intuit.com'],
  ])('of %s makes an account, whose token two at once renew once', async (name, data, path, proof, host) => {
    const begun = await start({ integration: name, data });
    expect(begun.status).toBe(200);
    gives({ access_token: ACCESS, refresh_token: REFRESH, expires_in: 0.001, token_type: 'bearer' });
    const ended = await end(begun.body.state);
    expect(ended.body).toMatchObject({ integration: name, allowed_hosts: [host] });
    gives({ access_token: `${ACCESS}-2`, refresh_token: `${REFRESH}-2`, expires_in: 3_600 });
    const vault = new RenewingVault(new Vault(api.deps), api.deps);
    const owner = { organizationId: tenant.org, credentialId: ended.body.credential_id };
    const found = await Promise.all([vault.find(owner), vault.find(owner)]);
    const renewed = { ...data, access_token: `${ACCESS}-2`, refresh_token: `${REFRESH}-2` };
    expect(found.map((one) => one?.data)).toMatchObject([renewed, renewed]);
    expect(provider.heard.map(({ url }) => url)).toEqual([path, path]);
    const [, second] = provider.heard;
    const { client_secret: inBody } = formOf(second);
    expect(inBody === SECRET ? 'body' : 'basic').toBe(proof);
    expect(second?.headers.authorization?.startsWith('Basic ') ?? false).toBe(proof === 'basic');
    // Authorized again, the account stays that of the same company.
    const again = await start({ integration: name, credential_id: owner.credentialId });
    expect((await end(again.body.state)).status).toBe(201);
    expect((await vault.find(owner))?.data).toMatchObject(data);
  });

  test.each([
    ['without a field that it needs', 'quickbooks', {}, 'realm_id'],
    ['with a field that leads elsewhere', 'quickbooks', { realm_id: '1/../2' }, 'realm_id'],
    ['with a field that it does not have', 'github', { realm_id: '1' }, 'realm_id'],
    ['with a secret of its own', 'quickbooks', { realm_id: '1', access_token: 'other' }, 'access_token'],
  ])('does not begin %s', async (_title, integration, data, field) => {
    const answer = await start({ integration, data });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(field);
    expect(answer.text).not.toContain('1/../2');
  });

  test('that is asked for scopes asks for these', async () => {
    const { body } = await start({ scopes: ['gist', 'user:email'] });
    expect(new URL(body.authorization_url).searchParams.get('scope')).toBe('gist user:email');
  });

  test('ends once', async () => {
    const state = await begin();
    const both = await Promise.all([end(state), end(state)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    expect(provider.heard).toHaveLength(1);
  });

  test('cannot be completed by another person or from another organization', async () => {
    const state = await begin();
    expect((await end(state, { code: 'c' }, colleague)).status).toBe(400);
    const elsewhere = await stranger.call('POST', '/credentials/oauth/callback', {
      body: { state, code: 'c' },
    });
    expect(elsewhere.status).toBe(400);
    expect(provider.heard).toEqual([]);
    expect((await end(state)).status).toBe(201);
  });

  test('that is too old, or was never begun, does not end', async () => {
    const state = await begin();
    await api.deps.db.query(`UPDATE oauth_authorizations SET expires_at = now() - interval '1 second'`);
    expect((await end(state)).status).toBe(400);
    expect((await end('made-up')).status).toBe(400);
    await begin();
    const [{ count } = { count: 0 }] = await api.deps.db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM oauth_authorizations WHERE expires_at < now()`,
    );
    expect(count).toBe(0);
  });

  test('that the user denies is over', async () => {
    const state = await begin();
    expect((await end(state, { error: 'access_denied' })).status).toBe(400);
    expect((await end(state)).status).toBe(400);
    expect(provider.heard).toEqual([]);
  });

  test.each([
    ['with a status of its own', { error: 'bad_verification_code', error_description: SECRET }, 200, 400],
    ['with an error', { error: 'invalid_grant' }, 400, 400],
    ['without a word', {}, 403, 400],
    ['by being broken', { error: 'server_error' }, 500, 503],
    ['with something else', { hello: 1 }, 200, 503],
  ])('that the provider refuses %s becomes no credential', async (_name, body, status, expected) => {
    gives(body, status);
    const answer = await end(await begin());
    expect(answer.status).toBe(expected);
    expect(answer.text).not.toContain('CANARY');
  });

  test('is not sent on by a redirect of the provider', async () => {
    const other = await sink();
    provider.answer = (_request, response) => response.writeHead(307, { location: `${other.base}/x` }).end();
    expect((await end(await begin())).status).toBe(503);
    expect(other.heard).toEqual([]);
    await other.close();
  });

  test('of a token that cannot be renewed ends with it', async () => {
    gives({ access_token: ACCESS, expires_in: '60' });
    const { body } = await end(await begin());
    expect(body.expires_at).not.toBeNull();
    expect(body.masked).not.toHaveProperty('refresh_token');
  });

  test('can renew an account, with its name', async () => {
    const { body: first } = await end(await begin());
    gives({ access_token: 'gho-CANARY-other-4567', scope: 'repo' });
    const again = await end(await begin({ credential_id: first.credential_id, name: undefined }));
    expect(again.body).toMatchObject({
      credential_id: first.credential_id,
      name: 'Our GitHub',
      masked: { access_token: '****4567' },
      scopes: ['repo'],
    });
  });

  test.each([
    ['an unknown integration', { integration: 'nope' }, 422],
    ['an integration without OAuth', { integration: 'openai' }, 422],
    ['no client', { integration: 'slack' }, 503],
    ['no name', { name: undefined }, 422],
    ['a scope with a space', { scopes: ['a b'] }, 422],
    ['a credential that is not there', { credential_id: '00000000-0000-4000-8000-000000000000' }, 404],
  ])('does not begin with %s', async (_name, more, status) => {
    expect((await start(more)).status).toBe(status);
  });
});

describe('renewal', () => {
  /** An account whose access token ends in so many seconds. */
  async function account(seconds: number): Promise<string> {
    gives({ access_token: ACCESS, refresh_token: REFRESH, expires_in: 3_600 });
    const { body } = await end(await begin());
    const owner = { organizationId: tenant.org, credentialId: body.credential_id as string };
    const vault = new Vault(api.deps);
    const found = await vault.find(owner);
    const ends = new Date(Date.now() + seconds * 1_000).toISOString();
    const sealed = vault.seal(owner, { ...found?.data, token_expires_at: ends });
    await api.deps.db.query(
      'UPDATE credentials SET key_id = $2, wrapped_key = $3, ciphertext = $4 WHERE id = $1',
      [owner.credentialId, sealed.keyId, sealed.wrappedKey, sealed.ciphertext],
    );
    provider.heard.length = 0;
    gives({
      access_token: 'gho-CANARY-second-89ab',
      refresh_token: 'ghr-CANARY-second-89ab',
      expires_in: 3_600,
    });
    return owner.credentialId;
  }
  const find = (credentialId: string) =>
    new RenewingVault(new Vault(api.deps), api.deps).find({ organizationId: tenant.org, credentialId });
  const shown = async (credentialId: string) =>
    (await tenant.call('GET', `/credentials/${credentialId}`)).body as Record<string, unknown>;

  test('a token that is good is used as it is', async () => {
    const id = await account(3_600);
    expect((await find(id))?.data).toMatchObject({ access_token: ACCESS });
    expect(provider.heard).toEqual([]);
  });

  test('a token that has ended is renewed once, however many ask', async () => {
    const id = await account(-1);
    const all = await Promise.all(Array.from({ length: 8 }, () => find(id)));
    expect(all.map((found) => found?.data['access_token'])).toEqual(all.map(() => 'gho-CANARY-second-89ab'));
    expect(provider.heard).toHaveLength(1);
    expect(formOf(provider.heard[0])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: REFRESH,
      client_id: 'client-1',
      client_secret: SECRET,
    });
    expect(await shown(id)).toMatchObject({
      masked: { access_token: '****89ab', refresh_token: '****89ab' },
    });
  });

  test('a provider that keeps the refresh token keeps ours', async () => {
    const id = await account(-1);
    gives({ access_token: 'gho-CANARY-third-cdef', expires_in: 3_600 });
    expect((await find(id))?.data).toMatchObject({
      access_token: 'gho-CANARY-third-cdef',
      refresh_token: REFRESH,
    });
  });

  test('trouble at the provider leaves a token in use while it lasts', async () => {
    const id = await account(30);
    gives({}, 503);
    expect((await find(id))?.data).toMatchObject({ access_token: ACCESS });
    expect(await shown(id)).toMatchObject({ status: 'active', status_message: null });
  });

  test('trouble at the provider behind the end of a token is for another try', async () => {
    const id = await account(-1);
    gives({}, 503);
    await expect(find(id)).rejects.toMatchObject({ code: 'credential_not_renewed', retryable: true });
    gives({ access_token: ACCESS, expires_in: 3_600 });
    expect((await find(id))?.state).toBe('active');
  });

  test('a grant that was withdrawn ends the credential, and its user can authorize it again', async () => {
    const id = await account(-1);
    gives({ error: 'invalid_grant' }, 400);
    expect((await find(id))?.state).toBe('expired');
    expect(await shown(id)).toMatchObject({
      status: 'expired',
      status_message: expect.stringContaining('Connect the account again'),
    });
    expect((await find(id))?.state).toBe('expired');
    expect(provider.heard).toHaveLength(1);
    gives({ access_token: ACCESS, refresh_token: REFRESH, expires_in: 3_600 });
    expect((await end(await begin({ credential_id: id }))).body).toMatchObject({
      status: 'active',
      status_message: null,
    });
  });

  describe('of a token that a service refuses before its end', () => {
    const SECOND = 'gho-CANARY-second-89ab';
    let service: Sink;
    beforeAll(async () => {
      service = await sink();
    });
    beforeEach(() => {
      service.heard.length = 0;
      refuses({ 'www-authenticate': 'Bearer error="invalid_token"' });
    });
    afterAll(() => service.close());

    /** Takes no token but the second. */
    function refuses(headers: Record<string, string>, status = 401): void {
      service.answer = ({ headers: { authorization } }, response) =>
        authorization === `Bearer ${SECOND}`
          ? response.end('done')
          : response.writeHead(status, headers).end('no');
    }
    const time = { now: 0 };
    const vaultNow = (clock = { monotonic: () => time.now }) =>
      new RenewingVault(new Vault(api.deps), { ...api.deps, clock });

    async function send(
      id: string,
      request: { readonly mayRepeat?: boolean; readonly method?: string } = {},
      vault = vaultNow(),
    ) {
      const guarded = createGuardedAgent([`127.0.0.1:${service.port}`], { keepAlive: false });
      const accounts = new Accounts(vault, new Secrets());
      await api.deps.db.query('UPDATE credentials SET allowed_hosts = $2 WHERE id = $1', [
        id,
        [`127.0.0.1:${service.port}`],
      ]);
      try {
        return await accountHttp(guardedHttp(guarded), accounts).send({
          method: 'GET',
          url: `${service.base}/x`,
          headers: {},
          body: null,
          signal: AbortSignal.timeout(20_000),
          credential: { organizationId: tenant.org, credentialId: id },
          ...request,
        });
      } finally {
        await guarded.agent.destroy();
      }
    }
    const tokens = (): (string | undefined)[] => service.heard.map(({ headers }) => headers.authorization);

    test.each([
      ['what may be repeated', { mayRepeat: true }, {}],
      ['an effect, where the service asks for a token', { method: 'POST' }, { 'www-authenticate': 'Bearer' }],
      [
        'an effect, where the service names the token',
        { method: 'POST' },
        { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' },
      ],
    ])('it is renewed once, and %s is sent again', async (_name, request, headers) => {
      const id = await account(3_600);
      refuses(headers);
      expect(await send(id, request)).toMatchObject({ status: 200, text: 'done' });
      expect(tokens()).toEqual([`Bearer ${ACCESS}`, `Bearer ${SECOND}`]);
      expect(provider.heard).toHaveLength(1);
      expect((await find(id))?.data).toMatchObject({ access_token: SECOND });
    });

    test.each([
      ['says nothing', {}],
      ['wants other rights', { 'www-authenticate': 'Bearer error="insufficient_scope"' }],
      ['wants something else', { 'www-authenticate': 'Basic realm="x"' }],
    ])(
      'an effect is not sent again where the 401 %s; the next one has the new token',
      async (_name, headers) => {
        const id = await account(3_600);
        refuses(headers);
        expect((await send(id, { method: 'POST' })).status).toBe(401);
        expect(tokens()).toEqual([`Bearer ${ACCESS}`]);
        expect((await send(id, { method: 'POST' })).status).toBe(200);
        expect(provider.heard).toHaveLength(1);
      },
    );

    test('a 403 renews nothing', async () => {
      const id = await account(3_600);
      refuses({}, 403);
      expect((await send(id, { mayRepeat: true })).status).toBe(403);
      expect(provider.heard).toEqual([]);
    });

    test('a token without a known end is renewed, too', async () => {
      gives({ access_token: ACCESS, refresh_token: REFRESH });
      const { body } = await end(await begin());
      provider.heard.length = 0;
      gives({ access_token: SECOND, expires_in: 3_600 });
      expect((await send(body.credential_id as string, { mayRepeat: true })).status).toBe(200);
    });

    test('several refused at once are renewed once', async () => {
      const id = await account(3_600);
      const vault = vaultNow();
      const all = await Promise.all(Array.from({ length: 5 }, () => send(id, { mayRepeat: true }, vault)));
      const others = await Promise.all([send(id, { mayRepeat: true }), send(id, { mayRepeat: true })]);
      expect([...all, ...others].filter(({ status }) => status !== 200)).toEqual([]);
      expect(provider.heard).toHaveLength(1);
    });

    test('a service that refuses the new token, too, is believed: the provider is asked once a minute', async () => {
      const id = await account(3_600);
      service.answer = (_request, response) => response.writeHead(401).end();
      const vault = vaultNow();
      const ask = async () => {
        expect((await send(id, { mayRepeat: true }, vault)).status).toBe(401);
        return provider.heard.length;
      };
      expect(await ask()).toBe(1);
      expect(tokens()).toHaveLength(2);
      gives({ access_token: 'gho-CANARY-third-0000', expires_in: 3_600 });
      service.heard.length = 0;
      time.now += 59_999;
      expect([await ask(), tokens()]).toEqual([1, [`Bearer ${SECOND}`]]);
      time.now += 1;
      expect(await ask()).toBe(2);
    });

    test('a grant that was withdrawn ends the credential, and the 401 stays the answer', async () => {
      const id = await account(3_600);
      gives({ error: 'invalid_grant' }, 400);
      expect((await send(id, { mayRepeat: true })).status).toBe(401);
      expect(await shown(id)).toMatchObject({ status: 'expired' });
    });

    test('trouble at the provider leaves the 401 as the answer', async () => {
      const id = await account(3_600);
      gives({}, 503);
      expect((await send(id, { mayRepeat: true })).status).toBe(401);
      expect(await shown(id)).toMatchObject({ status: 'active' });
    });
  });

  test('what a user stores meanwhile is not written over', async () => {
    const id = await account(-1);
    let letGo = (): void => undefined;
    provider.answer = (_request, response) => {
      letGo = () => response.end(JSON.stringify({ access_token: 'gho-CANARY-late-ffff', expires_in: 3_600 }));
    };
    const renewing = find(id);
    await eventually('the request of the renewal', 20_000, () => provider.heard[0]);
    await tenant.call('PATCH', `/credentials/${id}`, {
      body: { data: { access_token: 'gho-CANARY-own-eeee', base_url: `${provider.base}/api/v3` } },
    });
    letGo();
    await renewing;
    expect((await find(id))?.data).toMatchObject({ access_token: 'gho-CANARY-own-eeee' });
  });
});
