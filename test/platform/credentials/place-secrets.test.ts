/** A secret would be sent to a place that others read, or break the request that it belongs to. */
import { describe, expect, test } from 'vitest';
import { accountHttp } from '../../../src/platform/credentials/account-http.ts';
import { Accounts } from '../../../src/platform/credentials/node-credentials.ts';
import { place } from '../../../src/platform/credentials/vault/placement.ts';
import { Secrets } from '../../../src/platform/credentials/vault/secrets.ts';
import { isReservedHeader } from '../../../src/language/nodes/integrations/place-names.ts';
import { describeFields, describeToken } from '../../../src/language/nodes/integrations/auth-schemes.ts';
import { http } from '../../../src/language/nodes/integrations/http.ts';
import type { Integration, Placement } from '../../../src/language/nodes/integrations/integration.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import type { HttpRequest } from '../../../src/language/nodes/tools.ts';

const fields = describeFields(
  { api_key: describeToken('Key'), second: describeToken('Second'), shop: { type: 'string' } },
  ['api_key'],
);

function typeWith(placements: readonly Placement[], baseUrl: string | null): Integration {
  const auth = [{ type: 'api_key', required: true, scopes: [], schema: fields, placements } as const];
  return { ...http, name: 'custom-odd', baseUrl, auth };
}

/** Sends a request with an account of a type, and returns what leaves. */
async function send(
  type: Integration,
  data: JsonObject,
  request: Partial<HttpRequest>,
): Promise<{ sent: HttpRequest; secrets: Secrets; hops: string[] }> {
  const secrets = new Secrets();
  const hosts = ['api.test', 'mine.api.test', '{api_key}.api.test'];
  const found = {
    integration: type.name,
    type,
    ownClient: null,
    authType: 'api_key',
    allowedHosts: hosts,
    data,
  } as const;
  const accounts = new Accounts({ find: () => Promise.resolve({ ...found, state: 'active' }) }, secrets);
  const out: HttpRequest[] = [];
  const hops: string[] = [];
  const port = accountHttp(
    {
      send(sent) {
        out.push(sent);
        sent.admitHop?.({ method: 'GET', host: new URL(sent.url).host });
        return Promise.resolve({ status: 200, headers: {}, text: '' });
      },
    },
    accounts,
  );
  await port.send({
    method: 'GET',
    url: 'https://api.test/',
    headers: {},
    body: null,
    signal: new AbortController().signal,
    credential: { organizationId: 'o', credentialId: 'c' },
    admitHop: ({ host }) => hops.push(host),
    ...request,
  });
  const [sent] = out;
  if (sent === undefined) throw new Error('nothing was sent');
  return { sent, secrets, hops };
}

describe('a secret is placed', () => {
  test('several at once: a header with its prefix, a second header, a parameter and a cookie', async () => {
    const type = typeWith(
      [
        { kind: 'header', name: 'Odd-Key', field: 'api_key', prefix: 'Token ' },
        { kind: 'header', name: 'Odd-App', field: 'second' },
        { kind: 'query', name: 'key', field: 'api_key' },
        { kind: 'cookie', name: 'sid', field: 'second' },
      ],
      null,
    );
    const data = { api_key: 'se&cret', second: 'other' };
    const url = 'https://api.test/a?q=1%202&key=theirs';
    const { sent } = await send(type, data, { url, headers: { 'ODD-KEY': 'mine', cookie: 'a=1' } });
    expect(sent.url).toBe('https://api.test/a?q=1%202&key=se%26cret');
    expect(sent.headers).toEqual({
      'odd-key': 'Token se&cret',
      'odd-app': 'other',
      cookie: 'a=1; sid=other',
    });
  });

  test('none for an optional field that was left out', async () => {
    const type = typeWith([{ kind: 'header', name: 'odd', field: 'second' }], null);
    expect((await send(type, { api_key: 'secret' }, {})).sent.headers).toEqual({});
  });

  test('in the path, and only where the base URL has it: an input with the same name stays a text', async () => {
    const type = typeWith([], 'https://api.test/bot{api_key}');
    const data = { api_key: '123:secret' };
    const url = new URL('https://api.test/bot{api_key}/say/{api_key}?text={api_key}').href;
    const { sent, secrets } = await send(type, data, { url });
    expect(sent.url).toBe('https://api.test/bot123:secret/say/%7Bapi_key%7D?text={api_key}');
    expect(secrets.text(`GET ${sent.url}`)).not.toContain('secret');
    const beside = new URL('https://api.test/bot{api_key}s/say').href;
    expect((await send(type, data, { url: beside })).sent.url).toBe(beside);
  });

  test('in the host, which redirects are admitted without', async () => {
    const type = typeWith([], 'https://{api_key}.api.test/v1');
    const { sent, hops } = await send(
      type,
      { api_key: 'secret' },
      { url: 'https://{api_key}.api.test/v1/me' },
    );
    expect(sent.url).toBe('https://secret.api.test/v1/me');
    expect(hops).toEqual(['{api_key}.api.test']);
  });
});

test('a field that is no secret is part of the base URL that nodes show', () => {
  const type = typeWith([], 'https://{shop}.api.test/v1');
  const data = { api_key: 'secret', shop: 'mine' };
  expect(place(type, 'api_key', data)).toMatchObject({
    baseUrl: 'https://mine.api.test/v1',
    sentBaseUrl: null,
  });
});

test.each([
  ['https://{shop}.api.test', 'evil.test/'],
  ['https://{shop}.api.test', 'a.b'],
  ['https://{shop}.api.test', ''],
  ['https://api.test/{shop}', '..'],
  ['https://api.test/{shop}', 'a/b'],
  ['https://api.test/{shop}', 'a?b'],
])('a value that would lead elsewhere fits no base URL: %s with %j', (baseUrl, shop) => {
  expect(place(typeWith([], baseUrl), 'api_key', { api_key: 'secret', shop })).toBeNull();
});

test.each(['Host', 'content-length', 'Transfer-Encoding', 'cookie', 'X-Run-Depth'])(
  'a credential cannot set %s',
  (name) => expect(isReservedHeader(name)).toBe(true),
);

test('the key of an HTTP account may have any other header, and a text before it', () => {
  const data = { header_name: 'Odd_Key', prefix: 'Token ', api_key: 'secret' };
  expect(place(http, 'api_key', data)?.headers).toEqual({ odd_key: 'Token secret' });
  expect(place(http, 'query', { name: 'key', api_key: 'secret' })?.query).toEqual({ key: 'secret' });
  expect(place(http, 'cookie', { name: 'sid', api_key: 'secret' })?.cookies).toEqual({ sid: 'secret' });
});
