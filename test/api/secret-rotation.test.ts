/**
 * If this fails, the replacement of a secret refuses keys, addresses or cursors while some processes have the new one already, or
 * on the way back. Each stage of src/README.md (Keys) is a process; two that follow each other serve the same database together.
 */
import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRunDepth, signRunDepth } from '../../src/platform/access/run-depth.ts';
import { readWithSecrets } from '../../src/platform/access/signed-text.ts';
import { buildAnswerUrl, readAnswerToken } from '../../src/features/answers/link.ts';
import { signRelayTicket, readRelayTicket } from '../../src/features/canvas/server/relay-ticket.ts';
import { readConfig, type Config } from '../../src/base/config/config.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { drain, listen, readPort } from '../../src/platform/http/server.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { buildCallbackUrl, readCallbackToken } from '../../src/engine/runs/accept/callback-address.ts';
import { encryptionCodec } from '../../temporal/codec/payload-codec.ts';
import { deployWorkflow, hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const [FIRST, SECOND] = [1, 2].map((byte) => `k${byte}:${Buffer.alloc(32, byte).toString('base64')}`);

/** The stages of the replacement, in their order. */
const STAGES: readonly Record<string, string>[] = [
  { API_KEY_SECRET: OLD, HEALTH_API_KEY: OLD, METRICS_TOKEN: OLD, ENCRYPTION_KEYS: `${FIRST}` },
  {
    API_KEY_SECRET: NEW,
    API_KEY_SECRET_PREVIOUS: OLD,
    HEALTH_API_KEY: NEW,
    HEALTH_API_KEY_PREVIOUS: OLD,
    METRICS_TOKEN: NEW,
    METRICS_TOKEN_PREVIOUS: OLD,
    ENCRYPTION_KEYS: `${FIRST},${SECOND}`,
  },
  {
    API_KEY_SECRET: NEW,
    API_KEY_SECRET_PREVIOUS: OLD,
    ROTATION_READY: '1',
    HEALTH_API_KEY: NEW,
    METRICS_TOKEN: NEW,
    ENCRYPTION_KEYS: `${SECOND},${FIRST}`,
  },
  { API_KEY_SECRET: NEW, HEALTH_API_KEY: NEW, METRICS_TOKEN: NEW, ENCRYPTION_KEYS: `${SECOND}` },
];

interface Instance {
  readonly config: Config;
  readonly url: string;
}

let api: ApiServer;
let tenant: Tenant;
let workflow: string;
let instances: Instance[];
const servers: Awaited<ReturnType<typeof listen>>[] = [];
beforeAll(async () => {
  api = await startApi({ API_KEY_SECRET: OLD });
  tenant = await api.tenant();
  workflow = await deployWorkflow(tenant, hello('Rotated'));
  const { config: usual } = api.deps;
  instances = await Promise.all(
    STAGES.map(async (stage) => {
      const { auth, healthApiKeys, metricsTokens, encryptionKeys } = readConfig({
        APP_ENV: 'test',
        DATABASE_URL: usual.databaseUrl,
        AUTH_JWKS_URL: usual.auth.jwksUrl,
        AUTH_ISSUER: usual.auth.issuer,
        APP_URL: usual.appUrl,
        ...stage,
      });
      const config = { ...usual, auth, healthApiKeys, metricsTokens, encryptionKeys };
      const server = await listen(createApp({ ...api.deps, config }, allRoutes()), '127.0.0.1', 0);
      servers.push(server);
      return { config, url: `http://127.0.0.1:${readPort(server)}` };
    }),
  );
});
afterAll(async () => {
  await Promise.all(servers.map((server) => drain(server, 1_000)));
  await api.close();
});

async function call(
  { url }: Instance,
  path: string,
  {
    body,
    token = tenant.token,
    headers = { authorization: `Bearer ${token}` },
  }: { body?: object; token?: string; headers?: object } = {},
) {
  const answer = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-organization-id': tenant.org,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : null };
}

async function makeKey(at: Instance): Promise<string> {
  const { token } = await api.tenant();
  return (await call(at, '/api-keys', { token, body: { name: 'A key' } })).body.key;
}
const useKey = async (at: Instance, key: string): Promise<number> =>
  (await call(at, '/auth/me', { headers: { authorization: `Bearer ${key}` } })).status;

const openCodec = ({ config }: Instance) => {
  const [writes, ...others] = config.encryptionKeys;
  if (writes === undefined) throw new Error('there is no key');
  return encryptionCodec([writes, ...others]);
};

/** What is made by one process and read by another: its maker, and whether a process takes it. */
const TEXTS: readonly [string, (by: Config) => string, (at: Config, text: string) => boolean][] = [
  [
    'the address of a callback',
    ({ auth }) =>
      buildCallbackUrl(
        { secret: auth.apiKeySecret, origin: 'http://a.test' },
        { organizationId: randomUUID(), rootRunPk: randomUUID(), visit: 1, nodeId: 'wait' },
      ),
    ({ auth }, url) =>
      readWithSecrets(auth, (secret) => readCallbackToken(secret, url.split('/').at(-1) ?? '')) !== null,
  ],
  [
    'an answer link',
    ({ auth }) =>
      buildAnswerUrl(
        { secret: auth.apiKeySecret, origin: 'http://a.test' },
        {
          organizationId: randomUUID(),
          rootRunPk: randomUUID(),
          interruptId: 'q',
          address: 'ann@example.test',
        },
      ),
    ({ auth }, url) =>
      readWithSecrets(auth, (secret) => readAnswerToken(secret, url.split('/').at(-1) ?? '')) !== null,
  ],
  [
    'the ticket of a relayed canvas client',
    ({ auth }) =>
      signRelayTicket(auth, {
        scope: {
          caller: {
            userId: randomUUID(),
            subject: 's',
            email: 'ann@example.test',
            role: 'USER',
            via: { kind: 'jwt', sessionId: null, isEmailVerified: true },
          },
          organizationId: randomUUID(),
          role: 'owner',
          subscription: { plan: 'free', overrides: {}, isSuspended: false },
        },
        clientId: undefined,
        capabilities: new Set(),
        tokenEndsAtMs: 0,
        isRelayed: false,
      }),
    ({ auth }, ticket) => readRelayTicket(auth, ticket) !== null,
  ],
  [
    'the depth of the run that makes a request',
    ({ auth }) => signRunDepth(auth.apiKeySecret, { depth: 3, nowMs: 0 }),
    ({ auth }, header) => readWithSecrets(auth, (secret) => readRunDepth(secret, header, 1)) === 3,
  ],
];

describe.each([
  [0, 1],
  [1, 2],
  [2, 3],
])('while processes of the stages %i and %i serve together', (earlier, later) => {
  const orders = () => {
    const [former, next] = [instances[earlier], instances[later]] as [Instance, Instance];
    return [
      [former, next],
      [next, former],
    ] as const;
  };

  test.each(TEXTS)('%s is read by both, whoever has made it', (_, make, isTaken) => {
    for (const [by, at] of orders())
      expect([isTaken(at.config, make(by.config)), isTaken(by.config, make(by.config))]).toEqual([
        true,
        true,
      ]);
  });

  test('an API key is taken by both, in turns, whoever has made it', async () => {
    for (const [by, at] of orders()) {
      const key = await makeKey(by);
      for (const turn of [at, by, at, by]) expect(await useKey(turn, key)).toBe(200);
    }
  });

  test('a key that both use at once is refused by neither', async () => {
    const key = await makeKey(orders()[0][0]);
    const uses = Array.from({ length: 20 }, (_, n) => useKey(orders()[n % 2 === 0 ? 0 : 1][0], key));
    expect(new Set(await Promise.all(uses))).toEqual(new Set([200]));
  });

  test('a list goes on at the other process', async () => {
    for (const [by, at] of orders()) {
      const { body } = await call(by, '/audit-log?limit=1');
      expect((await call(at, `/audit-log?limit=1&cursor=${body.next_cursor}`)).status).toBe(200);
    }
  });

  test('a webhook that one has sealed is opened by the other', async () => {
    for (const [by, at] of orders()) {
      const { body } = await call(by, `/workflows/${workflow}/hooks`, { body: { name: 'x' } });
      expect((await call(at, `/workflows/${workflow}/hooks/${body.id}`)).body.url).toBe(body.url);
    }
  });

  test('a payload of Temporal is decoded by the other', async () => {
    for (const [by, at] of orders()) {
      const sealed = await openCodec(by).encode([defaultPayloadConverter.toPayload('x')]);
      const [opened] = await openCodec(at).decode(sealed);
      expect(opened === undefined ? null : defaultPayloadConverter.fromPayload(opened)).toBe('x');
    }
  });

  test("one of the operator's keys opens the metrics and the health report of both", async () => {
    // Scrapers get the new one once every process has it.
    const key = later === 1 ? OLD : NEW;
    for (const [at] of orders())
      for (const [path, headers] of [
        ['/metrics', { authorization: `Bearer ${key}` }],
        ['/metrics', { 'x-health-api-key': key }],
        ['/system/health/oauth', { 'x-health-api-key': key }],
      ] as const)
        expect([path, (await call(at, path, { headers })).status]).toEqual([path, 200]);
  });
});

test('a key that the old process knows works there again on the way back from every stage', async () => {
  const [zero, one, two, three] = instances as [Instance, Instance, Instance, Instance];
  const key = await makeKey(zero);
  for (const at of [one, two, three, two, one, zero]) expect(await useKey(at, key)).toBe(200);
});

test('without the operator having said that all are ready, a new process stores nothing under the new secret', async () => {
  const [zero, one] = instances as [Instance, Instance];
  const key = await makeKey(one);
  const read = () =>
    api.deps.db.query('SELECT fingerprint FROM api_keys WHERE key_hint = $1', [key.slice(9, 17)]);
  const before = await read();
  expect([await useKey(one, key), await useKey(zero, key)]).toEqual([200, 200]);
  expect(await read()).toEqual(before);
});

test('a key that was not used once all are ready ends with the former secret', async () => {
  const [zero, , two, three] = instances as [Instance, Instance, Instance, Instance];
  const [used, unused] = [await makeKey(zero), await makeKey(zero)];
  expect(await useKey(two, used)).toBe(200);
  expect([await useKey(three, used), await useKey(three, unused)]).toEqual([200, 401]);
});
