/** If this fails, a webhook starts nothing, starts a run twice, shows a secret, or lets a stranger in. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_HOOK_BODY_BYTES } from '../../src/features/hooks/hook-request.ts';
import { MAX_FORM_FIELDS } from '../../src/platform/http/form.ts';
import { Janitor } from '../../src/engine/runs/outbox/janitor.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';
import { setTerms } from '../support/money.ts';

const SECRET = 'a secret that only two know';
/** Encodes a secret of Standard Webhooks of a number of bytes. */
const encode = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

let api: ApiServer;
/** The faults of the API, as it logs them. */
const faults: string[] = [];
let tenant: Tenant;
let workflow: string;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'error' }, { write: (line) => void faults.push(line) });
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  workflow = await deployWorkflow(tenant, hello('Hooked'));
});

interface Hook {
  readonly id: string;
  readonly url: string;
}

const create = (more: object = {}): Promise<Answer> =>
  tenant.call('POST', `/workflows/${workflow}/hooks`, { body: { name: 'Orders', ...more } });
async function createHook(more: object = {}): Promise<Hook> {
  const { status, body } = await create(more);
  expect(status === 201 ? status : body).toBe(201);
  return body;
}
const change = (hook: Hook, body: object): Promise<Answer> =>
  tenant.call('PATCH', `/workflows/${workflow}/hooks/${hook.id}`, { body });
const read = async (hook: Hook): Promise<Record<string, unknown>> =>
  (await tenant.call('GET', `/workflows/${workflow}/hooks/${hook.id}`)).body;
const listDeliveries = async (hook: Hook): Promise<Answer['body'][]> =>
  (await tenant.call('GET', `/workflows/${workflow}/hooks/${hook.id}/deliveries`)).body.deliveries;

interface Received {
  readonly status: number;
  readonly body: Answer['body'];
}

/** Sends a request to the address of a hook, as a stranger. */
async function send(
  { url }: Pick<Hook, 'url'>,
  content: unknown,
  { headers = {}, method = 'POST', query = '' }: { headers?: object; method?: string; query?: string } = {},
): Promise<Received> {
  const isRaw =
    typeof content === 'string' ||
    content instanceof Uint8Array ||
    content instanceof FormData ||
    content instanceof URLSearchParams;
  const answer = await fetch(`${api.url}${new URL(url).pathname}${query}`, {
    method,
    headers: { ...(isRaw ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(content === null ? {} : { body: isRaw ? content : JSON.stringify(content) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const readRuns = (): Promise<{ run_id: string; input: object; trigger_type: string }[]> =>
  api.deps.db.query(
    'SELECT run_id, input, trigger_type FROM runs WHERE organization_id = $1 ORDER BY created_at, id',
    [tenant.org],
  );

test('a hook of an earlier release keeps GET where its sender is verified, or uses it', async () => {
  const file = new URL(
    '../../prisma/migrations/20261128040000_methods_of_hooks/migration.sql',
    import.meta.url,
  );
  const update = readFileSync(file, 'utf8').split(';')[1] ?? '';
  const every = ['GET', 'POST', 'PUT'];
  const [signed, unused, previewed, queried, pinged] = await Promise.all([
    createHook({ verification: 'bearer', secrets: [SECRET] }),
    createHook(),
    createHook({ methods: every, deduplicate_by: 'none' }),
    createHook({ methods: every, deduplicate_by: 'none' }),
    createHook({ methods: every, deduplicate_by: 'none' }),
  ]);
  for (const hook of [previewed, queried]) await send(hook, { a: 1 });
  for (const hook of [previewed, pinged]) await send(hook, null, { method: 'GET' });
  await send(queried, null, { method: 'GET', query: '?a=1' });
  await api.deps.db.query(`UPDATE hooks SET methods = '{POST,PUT}'`);
  await api.deps.db.query(update);
  const takesGet = await Promise.all(
    [signed, unused, previewed, queried, pinged].map(async (hook) =>
      ((await read(hook))['methods'] as string[]).includes('GET'),
    ),
  );
  expect(takesGet).toEqual([true, false, false, true, true]);
});

describe('a request', () => {
  test('starts the live deployment with its body as input, and stands in the log of the hook', async () => {
    const hook = await createHook();
    const { status, body } = await send(hook, { text: 'an order' });
    expect([status, body.status]).toEqual([202, 'accepted']);
    expect(await readRuns()).toEqual([
      { run_id: body.run_id, input: { text: 'an order' }, trigger_type: 'webhook' },
    ]);
    expect(await listDeliveries(hook)).toMatchObject([
      { id: body.delivery_id, outcome: 'started', run_id: body.run_id, input: { text: 'an order' } },
    ]);
    const { runs } = (await tenant.call('GET', '/workflow-runs?trigger_type=webhook')).body;
    expect(runs.map((run: { run_id: string }) => run.run_id)).toEqual([body.run_id]);
  });

  test('is redacted before its mapping, which might give a named value another name', async () => {
    const hook = await createHook({ mapping: { number: '{{body.customer.ssn}}', n: '{{body.n}}' } });
    await tenant.call('PATCH', '/retention', { body: { redacted_paths: ['customer.ssn'] } });
    const ids = { customer: { ssn: 'CANARY 078-05-1120' }, n: 1 };
    const first = await send(hook, ids, { headers: { 'idempotency-key': 'one' } });
    expect(first.status).toBe(202);
    expect((await readRuns())[0]?.input).toEqual({ number: '[redacted]', n: 1 });
    expect((await send(hook, ids, { headers: { 'idempotency-key': 'one' } })).body.run_id).toBe(
      first.body.run_id,
    );
    const rows = await api.deps.db.query<{ text: string }>(
      `SELECT d::text AS text FROM hook_deliveries d WHERE organization_id = $1
       UNION ALL SELECT r::text FROM runs r WHERE organization_id = $1`,
      [tenant.org],
    );
    expect(rows.map(({ text }) => text).join()).not.toContain('CANARY');
  });

  test.each([
    [
      'a form',
      new URLSearchParams([
        ['a', '1'],
        ['b', 'x'],
        ['b', 'y'],
      ]),
      { a: '1', b: ['x', 'y'] },
    ],
    ['text', 'plain words', { body: 'plain words' }],
    ['a list', [1, 2], { body: [1, 2] }],
  ])('reads %s', async (_, content, input) => {
    await send(await createHook(), content);
    expect((await readRuns()).map((run) => run.input)).toEqual([input]);
  });

  test('reads the fields of a multipart body, and of its files the name, the type and the size', async () => {
    const form = new FormData();
    form.set('title', 'Zoë');
    form.set('file', new File(['12345'], 'a.txt', { type: 'text/plain' }));
    await send(await createHook(), form);
    expect((await readRuns()).map((run) => run.input)).toEqual([
      { title: 'Zoë', file: { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 5 } },
    ]);
  });

  test('may be a POST or a PUT, and a GET where the hook says so; other methods are 405, and counted', async () => {
    const hook = await createHook({ deduplicate_by: 'none' });
    expect(await read(hook)).toMatchObject({ methods: ['POST', 'PUT'] });
    expect((await send(hook, null, { method: 'GET', query: '?a=1' })).status).toBe(405);
    expect(await read(hook)).toMatchObject({
      rejected_count: 1,
      last_rejected_reason: 'method_not_allowed',
    });
    await send(hook, { b: 2 }, { method: 'PUT' });
    await change(hook, { methods: ['GET'] });
    await send(hook, null, { method: 'GET', query: '?a=1' });
    expect((await send(hook, { b: 3 })).status).toBe(405);
    expect((await readRuns()).map((run) => run.input)).toEqual([{ b: 2 }, { a: '1' }]);
    expect((await send(hook, { b: 2 }, { method: 'PATCH' })).status).toBe(405);
  });

  test.each(['GET', 'HEAD'])(
    'of a link preview by %s starts nothing and captures nothing',
    async (method) => {
      const hook = await createHook();
      await tenant.call('POST', `/workflows/${workflow}/hooks/${hook.id}/listen`, { body: {} });
      const answer = await fetch(`${api.url}${new URL(hook.url).pathname}`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([
        method === 'HEAD' ? 200 : 405,
        'POST, PUT',
      ]);
      expect([await readRuns(), await listDeliveries(hook)]).toEqual([[], []]);
    },
  );

  test('by HEAD starts nothing where GET does, and finds no unknown address', async () => {
    const hook = await createHook({ methods: ['GET'], deduplicate_by: 'none' });
    const head = ({ url }: Pick<Hook, 'url'>) =>
      fetch(`${api.url}${new URL(url).pathname}?a=1`, { method: 'HEAD' });
    expect((await head(hook)).status).toBe(200);
    expect((await head({ url: `${api.url}/hooks/unknown` })).status).toBe(404);
    expect([await readRuns(), await listDeliveries(hook)]).toEqual([[], []]);
  });

  test.each([[[]], [['HEAD']], [['POST', 'PUT', 'GET', 'POST']], ['POST']])(
    'has no hook whose methods are %j',
    async (methods) => {
      expect((await create({ methods })).status).toBe(422);
    },
  );

  test('has 1 MiB at most', async () => {
    expect(MAX_HOOK_BODY_BYTES).toBe(1_048_576);
    const hook = await createHook({ deduplicate_by: 'none' });
    const pad = (bytes: number): string => 'x'.repeat(bytes);
    expect((await send(hook, pad(1_048_576))).status).toBe(202);
    expect((await send(hook, pad(1_048_577))).status).toBe(413);
  });

  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const FORM_TYPE = 'application/x-www-form-urlencoded';
  const nest = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

  test.each<[string, string | Uint8Array<ArrayBuffer>, object, object]>([
    ['half an emoji', '{"a":"x\\ud83d","\\ude00":1}', JSON_TYPE, { a: 'x\uFFFD', '\uFFFD': 1 }],
    ['NUL in a text and a key', '{"a\\u0000":"\\u0000"}', JSON_TYPE, { 'a\uFFFD': '\uFFFD' }],
    [
      'ordinary keys of other languages',
      '{"constructor":{"prototype":1},"length":{"toString":null}}',
      JSON_TYPE,
      { constructor: { prototype: 1 }, length: { toString: null } },
    ],
    ['blanks that are no JSON', ' \n', JSON_TYPE, { q: '1' }],
    ['text that is no JSON', '{"a":', JSON_TYPE, { body: '{"a":' }],
    ['a number beyond every double', '{"a":1e400}', JSON_TYPE, { a: '1e400' }],
    [
      'JSON in ISO-8859-1',
      Buffer.from('{"name":"Zoë"}', 'latin1'),
      { 'Content-Type': 'application/json; charset=ISO-8859-1' },
      { name: 'Zoë' },
    ],
    [
      'a form in ISO-8859-1, with escapes and without',
      Buffer.from('name=Zo%EB+b&ort=Köln&n', 'latin1'),
      { 'Content-Type': `${FORM_TYPE}; charset=ISO-8859-1` },
      { name: 'Zoë b', ort: 'Köln', n: '' },
    ],
    ['a form with NUL', 'a=%00&b=%ff', { 'Content-Type': FORM_TYPE }, { a: '\uFFFD', b: '\uFFFD' }],
    ['bytes that are no UTF-8', Buffer.from('"é"', 'latin1'), JSON_TYPE, { body: '\uFFFD' }],
    [
      'bytes that are no text',
      Buffer.from([0x89, 0x50, 0, 0xff]),
      { 'Content-Type': 'image/png' },
      { base64: 'iVAA/w==', media_type: 'image/png', size: 4 },
    ],
    ['63 levels', nest(63), JSON_TYPE, { body: JSON.parse(nest(63)) }],
  ])('API-events: takes %s', async (_, content, headers, input) => {
    const { status } = await send(await createHook(), content, { headers, query: '?q=1' });
    expect([status, (await readRuns()).map((run) => run.input)]).toEqual([202, [input]]);
  });

  test('API-events: takes names that its query repeats or writes with brackets', async () => {
    const hook = await createHook({ mapping: { query: '{{query}}' } });
    await send(hook, { n: 1 }, { query: '?tag=a&tag=b&x[y]=%00' });
    expect((await readRuns()).map((run) => run.input)).toEqual([
      { query: { tag: ['a', 'b'], 'x[y]': '\uFFFD' } },
    ]);
  });

  test.each<[string, string, object, string]>([
    ['with the key that changes objects', '{"a":[{"__proto__": {"a": 1}}]}', JSON_TYPE, 'key_forbidden'],
    ['with that key in a form', '__proto__=1', { 'Content-Type': FORM_TYPE }, 'key_forbidden'],
    ['nested 64 levels', nest(64), JSON_TYPE, 'json_depth'],
    ['that is no multipart', 'x', { 'Content-Type': 'multipart/form-data' }, 'multipart_invalid'],
  ])(
    'API-events: %s is 422, starts nothing, is counted, and is in the log',
    async (_, text, headers, code) => {
      const hook = await createHook();
      const { status, body } = await send(hook, text, { headers });
      expect([status, body.detail[0].type, await readRuns()]).toEqual([422, code, []]);
      const [delivery] = await listDeliveries(hook);
      expect(delivery).toMatchObject({
        outcome: 'rejected',
        error: { code },
        input: null,
        run_id: null,
        request: { method: 'POST', body: text },
      });
      expect(await read(hook)).toMatchObject({ rejected_count: 1, last_rejected_reason: code });
      const again = `/workflows/${workflow}/hooks/${hook.id}/deliveries/${delivery.id}/redeliver`;
      expect((await tenant.call('POST', again)).status).toBe(409);
    },
  );

  test('that cannot be read leaves nothing of its content where the organization redacts values', async () => {
    const hook = await createHook();
    await tenant.call('PATCH', '/retention', { body: { redacted_paths: ['ssn'] } });
    await send(hook, '{"ssn":"CANARY","__proto__":1}', { headers: JSON_TYPE, query: '?ssn=CANARY' });
    const [delivery] = await listDeliveries(hook);
    expect(delivery.outcome).toBe('rejected');
    expect(JSON.stringify(delivery)).not.toContain('CANARY');
  });

  test('beyond the size is counted', async () => {
    const hook = await createHook();
    await send(hook, 'x'.repeat(MAX_HOOK_BODY_BYTES + 1));
    expect(await read(hook)).toMatchObject({ rejected_count: 1, last_rejected_reason: 'body_too_large' });
  });

  test('beside others of its hook tells how the last 100 ended, also when the filter lets none through', async () => {
    const hook = await createHook({ filter: { left: '{{body.action}}', op: 'eq', right: 'opened' } });
    const other = await createHook();
    for (const action of ['closed', 'edited']) await send(hook, { action });
    await send(other, {});
    const none = { started: 0, filtered: 0, failed: 0, captured: 0, rejected: 0 };
    expect((await read(hook))['recent_deliveries']).toEqual({ ...none, filtered: 2 });
    const { hooks } = (await tenant.call('GET', `/workflows/${workflow}/hooks`)).body;
    expect(hooks.map((one: Record<string, unknown>) => one['recent_deliveries'])).toEqual([
      { ...none, started: 1 },
      { ...none, filtered: 2 },
    ]);
    await api.deps.db.query(
      `INSERT INTO hook_deliveries (hook_id, organization_id, outcome, request)
       SELECT $1, $2, 'started', '{}' FROM generate_series(1, 99)`,
      [hook.id, tenant.org],
    );
    expect((await read(hook))['recent_deliveries']).toEqual({ ...none, started: 99, filtered: 1 });
  });

  test('to an unknown, a disabled or a deleted address is 404 with the same words', async () => {
    const [disabled, deleted] = [await createHook({ enabled: false }), await createHook()];
    await tenant.call('DELETE', `/workflows/${workflow}/hooks/${deleted.id}`);
    const unknown = { url: `${api.url}/hooks/unknown` };
    for (const hook of [disabled, deleted, unknown])
      expect(await send(hook, { a: 1 })).toEqual({ status: 404, body: { detail: 'Webhook not found' } });
    expect(await readRuns()).toEqual([]);
  });

  test('to a workflow that is not deployed is refused, and its content is in the log for a test run', async () => {
    const body = { workflow_schema: hello('Draft') };
    workflow = (await tenant.call('POST', '/workflows', { body })).body.id;
    const hook = await createHook();
    expect((await send(hook, { text: 'try me' })).status).toBe(400);
    expect(await listDeliveries(hook)).toMatchObject([
      {
        outcome: 'failed',
        error: { code: 'workflow_not_deployed' },
        input: { text: 'try me' },
        run_id: null,
      },
    ]);
  });

  test('SEC-H08: with a form of as many fields as are allowed is taken, of one more refused, and one repeated name is a list', async () => {
    const hook = await createHook();
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const taken = await send(hook, 'a=1&'.repeat(MAX_FORM_FIELDS - 1) + 'a=1', form);
    expect(taken.status).toBe(202);
    expect((await readRuns())[0]?.input).toEqual({ a: Array.from({ length: MAX_FORM_FIELDS }, () => '1') });
    const refused = await send(hook, 'a=1&'.repeat(MAX_FORM_FIELDS) + 'a=1', form);
    expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'too_many_fields']);
  });

  test('SEC-H09: counts before its body is parsed, but not before its signature is right', async () => {
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { api: null } });
    const [open, signed] = [
      await createHook(),
      await createHook({ verification: 'bearer', secrets: [SECRET] }),
    ];
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { api: 1 } });
    const deep = '['.repeat(100);
    const json = { headers: { 'content-type': 'application/json' } };
    expect((await send(signed, deep, json)).status).toBe(401);
    expect((await send(open, deep, json)).status).toBe(422);
    expect((await send(open, deep, json)).status).toBe(429);
  });

  test('that the plan refuses is answered as a start is, and may be repeated later', async () => {
    const hook = await createHook();
    const event = { headers: { 'Idempotency-Key': 'event 1' } };
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { sync_exec: 0 } });
    expect((await send(hook, { a: 1 }, event)).status).toBe(429);
    expect(await listDeliveries(hook)).toMatchObject([{ outcome: 'failed' }]);
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { sync_exec: 5 } });
    expect((await send(hook, { a: 1 }, event)).body.status).toBe('accepted');
  });
});

describe('a signed hook', () => {
  const sign = (body: string, secret = SECRET): object => ({
    'Content-Type': 'application/json',
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'X-GitHub-Delivery': crypto.randomUUID(),
  });

  test('lets signed requests in, and counts the others, which start nothing', async () => {
    const hook = await createHook({ verification: 'github', secrets: [SECRET] });
    expect((await send(hook, '{"a":1}', { headers: sign('{"a":1}') })).status).toBe(202);
    const forged = await send(hook, '{"a":2}', { headers: sign('{"a":1}') });
    // The next one is of the same burst, however slow the machine is.
    await api.deps.db.query(`UPDATE hooks SET last_rejected_at = now() + interval '1 minute' WHERE id = $1`, [
      hook.id,
    ]);
    expect([forged.status, (await send(hook, { a: 3 })).status]).toEqual([401, 401]);
    expect((await readRuns()).map((run) => run.input)).toEqual([{ a: 1 }]);
    expect(await listDeliveries(hook)).toHaveLength(1);
    expect(await read(hook)).toMatchObject({ rejected_count: 1, last_rejected_reason: 'signature_wrong' });
  });

  test('takes the old and the new secret while both are there', async () => {
    const hook = await createHook({ verification: 'github', secrets: [SECRET] });
    const status = async (secret: string): Promise<number> =>
      (await send(hook, '{}', { headers: sign('{}', secret) })).status;
    await change(hook, { secrets: [SECRET, 'the next secret'] });
    expect([await status(SECRET), await status('the next secret')]).toEqual([202, 202]);
    await change(hook, { secrets: ['the next secret'] });
    expect([await status(SECRET), await status('the next secret')]).toEqual([401, 202]);
  });

  test('shows its secrets to nobody: not in answers, in the log, in the input, nor in the database', async () => {
    const hook = await createHook({
      verification: 'bearer',
      secrets: [SECRET],
      mapping: { all: '{{headers}}' },
    });
    const headers = {
      Authorization: `Bearer ${SECRET}`,
      Cookie: `a=${SECRET}`,
      'X-Api-Key': SECRET,
      'X-Kept': 'k',
    };
    expect((await send(hook, { a: 1 }, { headers })).status).toBe(202);
    const shown = [
      await create({ verification: 'bearer', secrets: [SECRET] }),
      await read(hook),
      await listDeliveries(hook),
    ];
    const rows = [
      await api.deps.db.query('SELECT h::text FROM hooks h WHERE organization_id = $1', [tenant.org]),
      await api.deps.db.query('SELECT d::text FROM hook_deliveries d WHERE organization_id = $1', [
        tenant.org,
      ]),
      await api.deps.db.query('SELECT r::text FROM runs r WHERE organization_id = $1', [tenant.org]),
    ];
    const token = new URL(hook.url).pathname.slice('/hooks/'.length);
    expect(JSON.stringify([shown, rows])).not.toContain(SECRET);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect((await readRuns())[0]?.input).toMatchObject({ all: { 'x-kept': 'k' } });
  });

  test('of Slack answers the challenge of a new address, and starts nothing', async () => {
    const hook = await createHook({ verification: 'slack', secrets: [SECRET] });
    const body = JSON.stringify({ type: 'url_verification', challenge: 'repeat me' });
    const time = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac('sha256', SECRET).update(`v0:${time}:${body}`).digest('hex');
    const headers = {
      'Content-Type': 'application/json',
      'X-Slack-Request-Timestamp': time,
      'X-Slack-Signature': `v0=${mac}`,
    };
    expect(await send(hook, body, { headers })).toEqual({ status: 200, body: { challenge: 'repeat me' } });
    expect(await readRuns()).toEqual([]);
  });
});

describe('a hook that says how its sender signs', () => {
  const signature = { header: 'X-Company-Proof', signed: '{url}:{body}', prefix: 'v1:' };

  test('lets signed requests in, at its own address alone, and keeps the proof out of the log', async () => {
    const hook = await createHook({ verification: 'hmac', signature, secrets: [SECRET] });
    const stored = { ...signature, algorithm: 'sha256', encoding: 'hex' };
    expect(await read(hook)).toMatchObject({ verification: 'hmac', signature: stored });
    const sign = (url: string, body: string): object => ({
      'Content-Type': 'application/json',
      'X-Company-Proof': `v1:${createHmac('sha256', SECRET).update(`${url}:${body}`).digest('hex')}`,
    });
    expect((await send(hook, '{"a":1}', { headers: sign(hook.url, '{"a":1}') })).status).toBe(202);
    expect((await send(hook, '{"a":1}', { headers: sign(`${hook.url}?b=1`, '{"a":1}') })).status).toBe(401);
    expect(JSON.stringify(await listDeliveries(hook))).not.toContain('proof');
  });

  test('needs the signature, which goes with the verification', async () => {
    const hook = await createHook({ verification: 'hmac', signature, secrets: [SECRET] });
    expect((await change(hook, { signature: null })).status).toBe(422);
    expect((await change(hook, { name: 'Renamed' })).status).toBe(200);
    expect(await read(hook)).toMatchObject({ signature: { prefix: 'v1:' } });
    expect((await change(hook, { verification: 'github' })).status).toBe(200);
    expect(await read(hook)).toMatchObject({ verification: 'github', signature: null });
    expect((await change(hook, { verification: 'hmac' })).status).toBe(422);
  });

  test('of Zoom signs the token of a new address, and starts nothing', async () => {
    const hook = await createHook({ verification: 'zoom', secrets: [SECRET] });
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: 'q9ibPhGeR' } });
    const time = String(Math.floor(Date.now() / 1_000));
    const sign = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');
    const headers = {
      'Content-Type': 'application/json',
      'x-zm-request-timestamp': time,
      'x-zm-signature': `v0=${sign(`v0:${time}:${body}`)}`,
    };
    const token = { plainToken: 'q9ibPhGeR', encryptedToken: sign('q9ibPhGeR') };
    expect(await send(hook, body, { headers })).toEqual({ status: 200, body: token });
    expect(await readRuns()).toEqual([]);
  });
});

describe('the form of a signed hook', () => {
  const event = { action: 'opened', issue: { title: 'Zoë & more' } };
  const form = new URLSearchParams({ payload: JSON.stringify(event) }).toString();
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const signGithub = (body: string): object => ({
    ...FORM,
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  });
  const signSlack = (body: string): object => {
    const time = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac('sha256', SECRET).update(`v0:${time}:${body}`).digest('hex');
    return { ...FORM, 'X-Slack-Request-Timestamp': time, 'X-Slack-Signature': `v0=${mac}` };
  };
  const filter = { left: '{{body.action}}', op: 'eq', right: 'opened' };

  test.each([
    ['github', signGithub],
    ['slack', signSlack],
  ] as const)('of %s is the event in its payload, for the filter too', async (verification, sign) => {
    const hook = await createHook({ verification, secrets: [SECRET], filter });
    expect((await send(hook, form, { headers: sign(form) })).body.status).toBe('accepted');
    expect((await readRuns()).map((run) => run.input)).toEqual([event]);
  });

  test.each([
    ['a slash command, which has no payload', 'command=%2Fdeploy', { command: '/deploy' }],
    ['a payload that is no JSON', 'payload=x', { payload: 'x' }],
    ['a payload that is no object', 'payload=1', { payload: '1' }],
    ['a payload that is given twice', 'payload=%7B%7D&payload=%7B%7D', { payload: ['{}', '{}'] }],
  ])('is its fields with %s', async (_, body, input) => {
    const hook = await createHook({ verification: 'slack', secrets: [SECRET] });
    await send(hook, body, { headers: signSlack(body) });
    expect((await readRuns()).map((run) => run.input)).toEqual([input]);
  });

  test('stays its fields for other senders', async () => {
    const hook = await createHook({ verification: 'bearer', secrets: [SECRET] });
    await send(hook, form, { headers: { ...FORM, Authorization: `Bearer ${SECRET}` } });
    expect((await readRuns()).map((run) => run.input)).toEqual([{ payload: JSON.stringify(event) }]);
  });
});

describe('duplicates', () => {
  const count = Number(process.env['HOOK_DUPLICATES'] ?? 2_000);
  test(`sent ${count} times by 500 senders start one run, and all are told of it`, async () => {
    const hook = await createHook();
    const event = { headers: { 'Idempotency-Key': 'event 7' } };
    faults.length = 0;
    const answers: Received[] = [];
    const sender = async (): Promise<void> => {
      for (let sent = 0; sent < count / 500; sent += 1) answers.push(await send(hook, { a: 1 }, event));
    };
    await Promise.all(Array.from({ length: 500 }, sender));
    expect(answers).toHaveLength(count);
    expect(faults).toEqual([]);
    const [run] = await readRuns();
    expect(await readRuns()).toHaveLength(1);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.run_id}`))).toEqual(
      new Set([`202 ${run?.run_id}`]),
    );
    expect(answers.filter(({ body }) => body.status === 'accepted')).toHaveLength(1);
    expect(await listDeliveries(hook)).toHaveLength(1);
  });

  test('by content are the same request; without an id a request is no duplicate', async () => {
    const byContent = await createHook({ deduplicate_by: 'content' });
    await send(byContent, { n: 1 });
    expect((await send(byContent, { n: 1 })).body.status).toBe('duplicate');
    expect((await send(byContent, { n: 2 })).body.status).toBe('accepted');
    const bySender = await createHook();
    await send(bySender, { n: 1 });
    expect((await send(bySender, { n: 1 })).body.status).toBe('accepted');
  });

  /** Signs as the sender does, at a time in seconds. */
  const sign = {
    stripe: (payload: string, timestamp: number) => ({
      'Stripe-Signature': new Stripe('sk_test_of_a_test').webhooks.generateTestHeaderString({
        payload,
        secret: SECRET,
        timestamp,
      }),
    }),
    slack: (payload: string, timestamp: number) => ({
      'X-Slack-Request-Timestamp': String(timestamp),
      'X-Slack-Signature': `v0=${createHmac('sha256', SECRET).update(`v0:${timestamp}:${payload}`).digest('hex')}`,
    }),
    standard: (payload: string, timestamp: number) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': new Webhook(encode(24)).sign('msg_1', new Date(timestamp * 1_000), payload),
    }),
  } as const;
  const FORM = 'application/x-www-form-urlencoded';
  const command = (trigger: string): string => `command=%2Fdeploy&trigger_id=${trigger}`;

  test.each([
    [
      'an event of Stripe',
      'stripe',
      'application/json',
      '{"id":"evt_1","n":1}',
      '{"id":"evt_2","n":1}',
      true,
    ],
    ['an event of Slack', 'slack', 'application/json', '{"event_id":"Ev1"}', '{"event_id":"Ev2"}', true],
    ['a command of Slack', 'slack', FORM, command('1'), command('2'), false],
    [
      'a request like those of Stripe without an id',
      'stripe',
      'application/json',
      '{"n":1}',
      '{"n":2}',
      false,
    ],
  ] as const)(
    'of %s are copies of it, whatever is not signed, and another one is none',
    async (_, verification, contentType, body, another, hasId) => {
      const hook = await createHook({ verification, secrets: [SECRET] });
      const now = Math.floor(Date.now() / 1_000);
      const sendSigned = async (
        at = now,
        content: string = body,
        more: { headers?: object } & object = {},
      ) => {
        const headers = { 'Content-Type': contentType, ...sign[verification](content, at), ...more.headers };
        return (await send(hook, content, { ...more, headers })).body;
      };
      const first = await sendSigned();
      expect(first.status).toBe('accepted');
      for (const copy of [
        {},
        { headers: { 'Idempotency-Key': '2', 'webhook-id': '2', 'X-Slack-Retry-Num': '1', id: '2' } },
        { headers: { 'Content-Type': 'text/plain' } },
        { headers: { 'Content-Type': FORM }, query: '?again=1' },
        { method: 'PUT', query: '?id=2&event_id=2' },
      ])
        expect(await sendSigned(now, body, copy)).toEqual({ ...first, status: 'duplicate' });
      // The sender repeats an event with a new signature; without an id a later request is another one.
      expect((await sendSigned(now - 60)).status).toBe(hasId ? 'duplicate' : 'accepted');
      expect((await sendSigned(now, another)).status).toBe('accepted');
      expect(await readRuns()).toHaveLength(hasId ? 2 : 3);
    },
  );

  test('by content of a sender that signs are requests with the same signed body', async () => {
    for (const verification of ['stripe', 'slack', 'standard'] as const) {
      const secrets = [verification === 'standard' ? encode(24) : SECRET];
      const hook = await createHook({ verification, secrets, deduplicate_by: 'content' });
      const sendSigned = async (body: string, more: object = {}) => {
        const headers = {
          'Content-Type': 'application/json',
          ...sign[verification](body, Math.floor(Date.now() / 1_000)),
        };
        return (await send(hook, body, { headers, ...more })).body.status;
      };
      expect(await sendSigned('{"n":1}')).toBe('accepted');
      expect(await sendSigned('{"n":1}', { method: 'PUT', query: '?again=1' })).toBe('duplicate');
      expect(await sendSigned('{"n":2}')).toBe('accepted');
    }
  });

  test('of GitHub are requests with the same signed body, whatever is not signed, within 24 hours', async () => {
    const hook = await createHook({ verification: 'github', secrets: [SECRET, 'the next secret'] });
    const body = '{"action":"opened"}';
    const sendAs = async (id: string, more: { query?: string; method?: string; secret?: string } = {}) => {
      const mac = createHmac('sha256', more.secret ?? SECRET)
        .update(body)
        .digest('hex');
      const headers = {
        'Content-Type': 'application/json',
        'X-GitHub-Delivery': id,
        'X-Hub-Signature-256': `sha256=${mac}`,
      };
      return (await send(hook, body, { headers, ...more })).body;
    };
    const first = await sendAs('1');
    expect(first.status).toBe('accepted');
    for (const again of [
      await sendAs('1'),
      await sendAs('2'),
      await sendAs('3', { query: '?again=1' }),
      await sendAs('4', { method: 'PUT' }),
      await sendAs('5', { secret: 'the next secret' }),
    ])
      expect(again).toEqual({ ...first, status: 'duplicate' });
    expect(await readRuns()).toHaveLength(1);
    const age = (interval: string) =>
      api.deps.db.query(`UPDATE hook_deliveries SET received_at = now() - $2::interval WHERE hook_id = $1`, [
        hook.id,
        interval,
      ]);
    await age('23 hours 59 minutes');
    expect((await sendAs('6')).status).toBe('duplicate');
    await age('24 hours 1 second');
    expect((await sendAs('7')).status).toBe('accepted');
  });

  test('end after 24 hours, and belong to their hook', async () => {
    const [hook, other] = [await createHook(), await createHook()];
    const event = { headers: { 'Idempotency-Key': 'event 9' } };
    await send(hook, { n: 1 }, event);
    expect((await send(other, { n: 1 }, event)).body.status).toBe('accepted');
    await api.deps.db.query(`UPDATE hook_deliveries SET received_at = now() - interval '24 hours 1 second'`);
    expect((await send(hook, { n: 1 }, event)).body.status).toBe('accepted');
  });
});

describe('filter and mapping', () => {
  const isOpened = { match: 'all', rules: [{ left: '{{body.action}}', op: 'eq', right: 'opened' }] };

  test('the filter decides whether a run starts; the log has both', async () => {
    const hook = await createHook({ filter: isOpened, deduplicate_by: 'none' });
    expect(await send(hook, { action: 'closed' })).toMatchObject({
      status: 200,
      body: { status: 'filtered', run_id: null },
    });
    expect((await send(hook, { action: 'opened' })).status).toBe(202);
    expect(await readRuns()).toHaveLength(1);
    expect((await listDeliveries(hook)).map(({ outcome }) => outcome)).toEqual(['started', 'filtered']);
  });

  test('the mapping makes the input, and keeps the types of values', async () => {
    const mapping = {
      count: '{{body.items | length}}',
      first: '{{body.items[0]}}',
      text: '{{method}} by {{headers.user-agent | default("nobody")}} with {{query.v}}',
      missing: '{{body.nothing.here}}',
    };
    const hook = await createHook({ mapping });
    await send(hook, { items: [{ a: 1.5 }, 2] }, { headers: { 'User-Agent': 'a robot' }, query: '?v=2' });
    expect((await readRuns())[0]?.input).toEqual({
      count: 2,
      first: { a: 1.5 },
      text: 'POST by a robot with 2',
      missing: null,
    });
  });

  test.each([
    ['a malformed template', { mapping: { a: '{{body.' } }],
    ['a name that no request has', { mapping: { a: '{{state.x}}' } }],
    ['a mapping that is no object', { mapping: ['{{body}}'] }],
    ['a filter that is no rule', { filter: { left: 1 } }],
    ['a filter over a name that no request has', { filter: { left: '{{input.a}}', op: 'exists' } }],
    ['a verification without a secret', { verification: 'github' }],
    ['a secret that nothing verifies', { secrets: [SECRET] }],
    ['four secrets', { verification: 'github', secrets: [1, 2, 3, 4].map((n) => `${SECRET}${n}`) }],
    ['a short secret', { verification: 'github', secrets: ['1234567'] }],
    ['a secret of Standard Webhooks that is no base64', { verification: 'standard', secrets: ['********'] }],
    ['an empty secret of Standard Webhooks', { verification: 'standard', secrets: ['whsec_!!'] }],
    ['a secret of Standard Webhooks of 23 bytes', { verification: 'standard', secrets: [encode(23)] }],
    ['a secret of Standard Webhooks of 65 bytes', { verification: 'standard', secrets: [encode(65)] }],
    ['one good secret and one bad', { verification: 'standard', secrets: [encode(24), 'whsec_!!'] }],
    ['basic authentication without a user', { verification: 'basic', secrets: ['password'] }],
    ['hmac without a signature', { verification: 'hmac', secrets: [SECRET] }],
    [
      'a signature of a known sender',
      { verification: 'github', secrets: [SECRET], signature: { header: 'X-Sig' } },
    ],
    [
      'a signature without the body',
      { verification: 'hmac', secrets: [SECRET], signature: { header: 'X-Sig', signed: '{url}' } },
    ],
    [
      'a signed text of 201 characters',
      {
        verification: 'hmac',
        secrets: [SECRET],
        signature: { header: 'X-Sig', signed: `{body}${'x'.repeat(195)}` },
      },
    ],
    ['a cookie in its answer', { response: { mode: 'result', headers: { 'Set-Cookie': 'a=b' } } }],
    ['a header with a line break', { response: { mode: 'result', headers: { 'X-A': 'a\r\nX-B: b' } } }],
    ['a redirect', { response: { mode: 'result', status: 302 } }],
  ])('a hook with %s is refused', async (_, more) => {
    expect((await create(more)).status).toBe(422);
  });
});

test('a signed text may have 200 characters', async () => {
  const signed = `{body}${'x'.repeat(194)}`;
  await createHook({ verification: 'hmac', secrets: [SECRET], signature: { header: 'X-Sig', signed } });
});

describe('a secret of Standard Webhooks', () => {
  test.each([24, 64])('may have %i bytes', async (bytes) => {
    await createHook({ verification: 'standard', secrets: [encode(bytes)] });
  });

  test('is asked for when the verification changes to it, or when it is replaced', async () => {
    const hook = await createHook({ verification: 'github', secrets: [SECRET] });
    expect((await change(hook, { verification: 'standard' })).status).toBe(422);
    expect((await change(hook, { verification: 'standard', secrets: [encode(24)] })).status).toBe(200);
    expect((await change(hook, { secrets: ['whsec_!!'] })).status).toBe(422);
    expect((await change(hook, { secrets: [encode(32)] })).status).toBe(200);
  });

  test('that an earlier release stored without a check verifies nothing, and the hook can be changed', async () => {
    const hook = await createHook({ verification: 'bearer', secrets: ['********'] });
    await api.deps.db.query(`UPDATE hooks SET verification = 'standard' WHERE id = $1`, [hook.id]);
    const time = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac('sha256', '').update(`msg_1.${time}.{}`).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` };
    expect((await send(hook, '{}', { headers })).status).toBe(401);
    expect(await read(hook)).toMatchObject({ last_rejected_reason: 'secret_invalid' });
    expect((await change(hook, { enabled: false })).status).toBe(200);
  });
});

describe('a test event', () => {
  const listen = (hook: Hook, method: 'POST' | 'DELETE' = 'POST'): Promise<Answer> =>
    tenant.call(method, `/workflows/${workflow}/hooks/${hook.id}/listen`);

  test('is taken by a disabled hook once, while somebody listens, and starts no run', async () => {
    const hook = await createHook({ enabled: false, mapping: { title: '{{body.a}}' } });
    expect((await listen(hook)).body.listening_until).toEqual(expect.any(String));
    expect((await send(hook, { a: 1 })).body).toMatchObject({ status: 'captured', run_id: null });
    expect(await listDeliveries(hook)).toMatchObject([{ outcome: 'captured', input: { title: 1 } }]);
    expect((await send(hook, { a: 2 })).status).toBe(404);
    expect(await readRuns()).toEqual([]);
  });

  test('is taken without a live deployment', async () => {
    await tenant.call('DELETE', `/workflows/${workflow}/deployments/live`);
    const hook = await createHook();
    await listen(hook);
    expect([(await send(hook, { a: 1 })).body.status, (await send(hook, { a: 2 })).status]).toEqual([
      'captured',
      400,
    ]);
  });

  test('starts its run where one would start anyway: no event of a live service is lost', async () => {
    const hook = await createHook();
    await listen(hook);
    expect((await send(hook, { a: 1 })).body.status).toBe('accepted');
    expect(await readRuns()).toHaveLength(1);
  });

  test('may come again with the same id, and is no duplicate of a run', async () => {
    const hook = await createHook();
    const id = { headers: { 'Idempotency-Key': 'one' } };
    await send(hook, { a: 1 }, id);
    await change(hook, { enabled: false });
    for (const expected of ['captured', 'captured']) {
      await listen(hook);
      expect((await send(hook, { a: 1 }, id)).body.status).toBe(expected);
    }
  });

  test('is not taken after the time, or when nobody listens any more', async () => {
    const hook = await createHook({ enabled: false });
    await listen(hook);
    await listen(hook, 'DELETE');
    expect((await send(hook, { a: 1 })).status).toBe(404);
    await listen(hook);
    await api.deps.db.query(`UPDATE hooks SET listening_until = now() - interval '1 second' WHERE id = $1`, [
      hook.id,
    ]);
    expect([(await send(hook, { a: 1 })).status, await listDeliveries(hook)]).toEqual([404, []]);
    expect((await read(hook))['listening_until']).toBeNull();
  });

  test('must be signed and pass the filter, and a mapping that fails is in the log', async () => {
    const signed = await createHook({ enabled: false, verification: 'bearer', secrets: [SECRET] });
    await listen(signed);
    expect((await send(signed, { a: 1 })).status).toBe(401);
    const filtered = await createHook({
      enabled: false,
      filter: { left: '{{body.a}}', op: 'eq', right: 'opened' },
    });
    await listen(filtered);
    expect((await send(filtered, { a: 1 })).body.status).toBe('filtered');
  });
});

describe('the management', () => {
  test('rotation gives a new address, and keeps the previous one as long as it says', async () => {
    const hook = await createHook({ deduplicate_by: 'none' });
    const rotate = async (seconds: number): Promise<Hook> =>
      (
        await tenant.call('POST', `/workflows/${workflow}/hooks/${hook.id}/rotate`, {
          body: { keep_previous_seconds: seconds },
        })
      ).body;
    const second = await rotate(60);
    expect([(await send(hook, {})).status, (await send(second, {})).status]).toEqual([202, 202]);
    const third = await rotate(0);
    expect([(await send(second, {})).status, (await send(third, {})).status]).toEqual([404, 202]);
    expect((await send(hook, {})).status).toBe(404);
  });

  test('a delivery is repeated by hand, as a new run under the mapping of today', async () => {
    const hook = await createHook();
    await send(hook, { n: 1 }, { headers: { 'Idempotency-Key': 'event 3' } });
    await change(hook, { mapping: { again: '{{body.n}}' } });
    const [first] = await listDeliveries(hook);
    const path = `/workflows/${workflow}/hooks/${hook.id}/deliveries`;
    const { status, body } = await tenant.call('POST', `${path}/${first.id}/redeliver`);
    expect([status, body.status]).toEqual([200, 'accepted']);
    expect((await readRuns()).map((run) => run.input)).toEqual([{ n: 1 }, { again: 1 }]);
    expect((await listDeliveries(hook))[0]).toMatchObject({ redelivery_of: first.id });
    expect((await tenant.call('POST', `${path}/${crypto.randomUUID()}/redeliver`)).status).toBe(404);
    await api.deps.db.query(`UPDATE hook_deliveries SET request = 'null' WHERE id = $1`, [first.id]);
    const deleted = await tenant.call('POST', `${path}/${first.id}/redeliver`);
    expect([deleted.status, deleted.body]).toEqual([
      409,
      { detail: 'The request is no longer stored: the inputs and outputs of its run were deleted' },
    ]);
    expect((await listDeliveries(hook)).find(({ id }) => id === first.id)).toMatchObject({
      request: { method: '', headers: {}, query: {}, body: null },
      input: null,
    });
  });

  test('a workflow has 20 hooks at most, also when they are created at the same moment', async () => {
    for (let count = 0; count < 19; count += 1) await createHook();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect((await tenant.call('GET', `/workflows/${workflow}/hooks`)).body.hooks).toHaveLength(20);
  });

  test('a hook of another organization does not exist', async () => {
    const hook = await createHook();
    await send(hook, {});
    const [delivery] = await listDeliveries(hook);
    const stranger = await api.tenant();
    const one = `/workflows/${workflow}/hooks/${hook.id}`;
    for (const [method, path, body] of [
      ['GET', `/workflows/${workflow}/hooks`],
      ['POST', `/workflows/${workflow}/hooks`, { name: 'x' }],
      ['GET', one],
      ['PATCH', one, { enabled: false }],
      ['DELETE', one],
      ['POST', `${one}/rotate`, {}],
      ['GET', `${one}/deliveries`],
      ['POST', `${one}/deliveries/${delivery.id}/redeliver`],
    ] as const) {
      const answer = await stranger.call(method, path, body === undefined ? {} : { body });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect(await read(hook)).toMatchObject({ enabled: true });
    expect(await readRuns()).toHaveLength(1);
  });

  test('the log keeps 7 days', async () => {
    const hook = await createHook({ deduplicate_by: 'none' });
    await send(hook, { n: 1 });
    await send(hook, { n: 2 });
    const [newer, older] = await listDeliveries(hook);
    const age = (id: string, interval: string): Promise<unknown> =>
      api.deps.db.query(`UPDATE hook_deliveries SET received_at = now() - $2::interval WHERE id = $1`, [
        id,
        interval,
      ]);
    await age(newer.id, '6 days 23 hours');
    await age(older.id, '7 days 1 second');
    await new Janitor(api.deps).sweep();
    expect((await listDeliveries(hook)).map(({ id }) => id)).toEqual([newer.id]);
  });
});
