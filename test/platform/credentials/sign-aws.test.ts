/** A service of AWS would refuse every request of an account, or take one that was changed on its way. */
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { http } from '../../../src/language/nodes/integrations/http.ts';
import type { HttpRequest } from '../../../src/language/nodes/tools.ts';
import { accountHttp } from '../../../src/platform/credentials/account-http.ts';
import { Accounts } from '../../../src/platform/credentials/node-credentials.ts';
import { signAws } from '../../../src/platform/credentials/sign-aws.ts';
import { Secrets } from '../../../src/platform/credentials/vault/secrets.ts';
import { createGuardedAgent } from '../../../src/platform/outbound/guarded-agent.ts';
import { guardedHttp } from '../../../src/platform/outbound/guarded-http.ts';
import { sink, type Heard } from '../outbound/support.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const signing = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: SECRET,
  sessionToken: '',
  region: 'us-east-1',
  service: 'service',
};
const AT = Date.parse('2015-08-30T12:36:00Z');
const request = { method: 'GET', url: 'https://example.amazonaws.com/', headers: {}, body: null };
const form = 'application/x-www-form-urlencoded; charset=utf-8';

/** Signatures that AWS publishes in its test suite and in "Signature Version 4 signing process". */
test.each<[Partial<HttpRequest>, { readonly service?: string }, string, string]>([
  [{}, {}, 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    { url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1' },
    {},
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    { method: 'POST' },
    {},
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    {
      url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
      headers: { 'Content-Type': form },
    },
    { service: 'iam' },
    'content-type;host;x-amz-date',
    '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  ],
])('%o has the published signature', async (given, of, names, signature) => {
  const headers = await signAws({ ...request, ...given }, { ...signing, ...of }, AT);
  const scope = `20150830/us-east-1/${of.service ?? 'service'}/aws4_request`;
  expect(headers['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  );
});

/** Checks a signature as a service does, by what arrived. */
function isGenuine({ method, url, headers, body }: Heard, service: string): boolean {
  const authorization = headers.authorization ?? '';
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '';
  const scope = /Credential=[^/]+\/([^,]+)/.exec(authorization)?.[1] ?? '';
  const [path = '', query = ''] = url.split('?');
  const encoded = service === 's3' ? path : path.replaceAll('%', '%25');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}`);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const canonical = [method, encoded, query, ...lines, '', names, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  let key: string | Buffer = `AWS4${SECRET}`;
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  return authorization.endsWith(`Signature=${createHmac('sha256', key).update(text).digest('hex')}`);
}

const streamed = {
  size: 4,
  async *open() {
    yield Buffer.from('ab');
    yield Buffer.from('cd');
  },
};

test.each<[string, string, Partial<HttpRequest>]>([
  ['a read', 'dynamodb', { method: 'GET' }],
  ['a text', 'sqs', { method: 'POST', body: 'Action=SendMessage', headers: { 'content-type': form } }],
  ['bytes', 's3', { method: 'PUT', body: Buffer.from('bytes') }],
  [
    'a stream',
    's3',
    { method: 'PUT', body: streamed, headers: { authorization: 'mine', 'x-amz-acl': 'private' } },
  ],
])(
  '%s for %s arrives with a signature that a service accepts, of temporary keys, too',
  async (_, service, given) => {
    const server = await sink();
    const guarded = createGuardedAgent([`127.0.0.1:${server.port}`], { keepAlive: false });
    const data = {
      access_key_id: 'AKIDEXAMPLE',
      secret_access_key: SECRET,
      session_token: 'FwoGZXIvYXdzE',
      region: 'us-east-1',
      service,
    };
    const found = { integration: 'http', type: http, ownClient: null, authType: 'aws_sigv4', data } as const;
    const allowedHosts = [`127.0.0.1:${server.port}`];
    const vault = { find: () => Promise.resolve({ ...found, allowedHosts, state: 'active' as const }) };
    const secrets = new Secrets();
    const port = accountHttp(guardedHttp(guarded), new Accounts(vault, secrets));
    await port.send({
      method: 'GET',
      url: `${server.base}/a%20b/c?a=1&b=2`,
      headers: {},
      body: null,
      signal: new AbortController().signal,
      credential: { organizationId: 'o', credentialId: 'c' },
      ...given,
    });
    const [heard] = server.heard;
    if (heard === undefined) throw new Error('nothing arrived');
    expect(isGenuine(heard, service)).toBe(true);
    expect(heard.headers['x-amz-security-token']).toBe('FwoGZXIvYXdzE');
    expect(isGenuine({ ...heard, body: `${heard.body}x` }, service)).toBe(false);
    expect(isGenuine({ ...heard, url: '/other' }, service)).toBe(false);
    expect(JSON.stringify(heard.headers)).not.toContain(SECRET);
    expect(secrets.text(`a ${SECRET} b`)).toBe('a *** b');
    await Promise.all([guarded.agent.destroy(), server.close()]);
  },
);
