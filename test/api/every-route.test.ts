/** A route would answer without a credential, reach into another organization, or ignore the caller's role. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access, Route } from '../../src/platform/http/route.ts';
import type { z } from 'zod';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { warnOfUnknownFields } from '../../src/platform/http/unknown-fields.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { listCollections } from '../support/collections.ts';
import { uploadFile } from '../support/files.ts';
import { uploadText } from '../support/knowledge.ts';

/**
 * Objects of a tenant by the parameter that names them in a path; `foreign` belong to another organization. Where a word means
 * several objects, the first segment of the path is before it: `composer chat_id`.
 */
type Objects = Readonly<Record<string, string>>;

/** Parameters that are words, not UUIDs. */
const WORDS: Objects = {
  token: 'unknown',
  key: 'a key',
  name: 'slack',
  model: 'unknown',
  response_id: 'unknown',
};
/** Parameters of what no tenant has here: runs are not started, and nothing is delivered. */
const UNMADE = ['run_id', 'run_pk', 'other_run_pk', 'step_id', 'delivery_id', 'job_id'];

interface Sample {
  readonly body?: unknown;
  /** Looks at X-Organization-ID when it is there, and does without. */
  readonly takesOrganization?: boolean;
  /** Answers for an object of another organization, where it is not 404. */
  readonly foreign?: number;
}

/** What starts work, or is final: a misspelt field of it would have effects that nobody asked for. Elsewhere it is told of. */
const STRICT = /^POST \/workflows\/(?:run(?:\/batch)?|resume\/|cancel\/)|\/(?:rerun|test|pin|settle)$/;

/**
 * What the rows do not tell by themselves: a body is the row's example, and its path has the objects of its parameters. A resource
 * with its example needs nothing here.
 */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'POST /workflows': { body: { name: 'x', workflow_schema: hello() } },
  'POST /workflows/run': { body: { workflow: hello() } },
  // The examples name organizations and workflows that nobody has here.
  'POST /api-keys': { body: { name: 'x' } },
  'POST /assistant/chat': { body: { message: 'x' } },
  'POST /composer/chat': { body: { message: 'x' } },
  'POST /data-jobs': { body: { kind: 'export', subject: 'organization' } },
  // The catalog is everybody's.
  'GET /integrations/:name': { foreign: 200 },
  'POST /requests': { takesOrganization: true },
  'POST /support': { takesOrganization: true },
  // A definition that is sent is looked at, whatever workflow is named.
  'POST /workflows/:workflow_id/sheet': { body: {} },
  // Those of the examples run, and no worker is here.
  'POST /openai/chat/completions': {
    body: { model: 'unknown', messages: [{ role: 'user', content: 'x' }] },
  },
  'POST /openai/responses': { body: { model: 'unknown', input: 'x' } },
  'POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
};

/** The object that a parameter of a path names; one that nobody has where there is none. */
const objectOf = (row: Route, name: string, objects: Objects): string =>
  objects[`${row.path.split('/')[1]} ${name}`] ?? objects[name] ?? WORDS[name] ?? crypto.randomUUID();
const namesOf = (row: Route): string[] => [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

const nameOf = (row: Route): string => `${row.method} ${row.path}`;
const rows = allRoutes().map((row) => [nameOf(row), row] as const);
const scoped = rows.filter(([, row]) => row.access === 'organization');
const withObject = rows.filter(([, row]) => row.params !== undefined);

/** The row's path with these parameters in place of its own. */
function fill(path: string, params: readonly string[]): string {
  let next = 0;
  return path.replace(/:\w+/g, () => params[next++] ?? 'missing');
}

const path = (row: Route, objects: Objects): string =>
  fill(
    row.path,
    namesOf(row).map((name) => objectOf(row, name, objects)),
  );
/** The body of an error with this text, as the row writes it. */
const refusalOf = (row: Route, text: string): unknown =>
  row.errors === undefined
    ? { detail: text }
    : expect.objectContaining({ error: expect.objectContaining({ message: text }) as unknown });
const textOf = (answer: Answer): string => String(answer.body?.detail ?? answer.body?.error?.message ?? '');
const bodyOf = (row: Route): { readonly body?: unknown } => {
  const body = SAMPLES[nameOf(row)]?.body ?? row.example?.request;
  return body === undefined ? {} : { body };
};

/** The answers of all tests here, for the last one. */
const seen: { readonly row: Route; readonly status: number }[] = [];
function note(row: Route, answer: Answer): Answer {
  seen.push({ row, status: answer.status });
  return answer;
}

let api: ApiServer;
/** Owns the organization that the requests are about. */
let tenant: Tenant;
let admin: Tenant;
let stranger: Tenant;
/** Has the retired role `member` there. */
let retired: Tenant;
/** An owner there, deactivated. */
let inactive: Tenant;
let mine: Objects;

/** Names of what is within an object: they exist in no other one. */
const PARTS = { node_id: 'hello', number: '0' };

/** Makes the objects of the resources that are told by their rows (test/support/collections.ts). */
async function makePlain(owner: Tenant, named: Objects): Promise<Objects> {
  const made: Record<string, string> = {};
  for (const { path: all, param, buildBody } of listCollections()) {
    if (named[param] !== undefined) continue;
    const answer = await owner.call('POST', all, { body: buildBody(named) });
    expect(answer.status, answer.text).toBe(201);
    made[param] = answer.body.id;
  }
  return made;
}

async function makeObjects(owner: Tenant): Promise<Objects> {
  const workflow = (await owner.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } }))
    .body.id;
  const deployment = (await owner.call('POST', `/workflows/${workflow}/deploy`)).body.id;
  const apiKey = (await owner.call('POST', '/api-keys', { body: { name: 'x' } })).body.id;
  const invited = { body: { email: 'invited@example.test', role: 'admin' } };
  const invitation = (await owner.call('POST', `/organizations/${owner.org}/invitations`, invited)).body.id;
  const member = (await owner.call('GET', '/auth/me')).body.id;
  const server = { integration: 'mcp', auth_type: 'none', data: { server_url: 'https://mcp.example.test' } };
  const stored = await owner.call('POST', '/credentials', { body: { name: 'x', ...server } });
  const credential = stored.body.credential_id;
  const planned = { workflow_id: workflow, name: 'x', cron_expression: '0 6 * * 1' };
  const schedule = (await owner.call('POST', '/schedules', { body: planned })).body.id;
  const hooked = { body: { name: 'x' } };
  const hook = (await owner.call('POST', `/workflows/${workflow}/hooks`, hooked)).body.id;
  const told = { body: { name: 'x', url: 'https://endpoint.example.test' } };
  const endpoint = (await owner.call('POST', '/notification-endpoints', told)).body.id;
  const account = (await owner.call('POST', '/service-accounts', { body: { name: 'x' } })).body.id;
  const keyed = await owner.call('POST', `/service-accounts/${account}/keys`, { body: { name: 'x' } });
  const accountKey = keyed.body.id;
  const said = { body: { message: 'x' } };
  const assistantChat = (await owner.call('POST', '/assistant/chat', said)).body.chat_id;
  const composerChat = (await owner.call('POST', '/composer/chat', said)).body.chat_id;
  const base = (await owner.call('POST', '/knowledge-bases', { body: { name: 'x' } })).body.id;
  const document = (await uploadText(owner, base, 'A text.')).body.id;
  const file = (await uploadFile(owner, 'A text.')).body.id;
  const [rehearsal] = await api.deps.db.query<{ id: string }>(
    `INSERT INTO rehearsals (organization_id, workflow_id, source, definition_hash, definition, root_run_pks)
     VALUES ($1, $2, 'draft', 'x', '{}', '{}') RETURNING id`,
    [owner.org, workflow],
  );
  const named = {
    ...PARTS,
    organization_id: owner.org,
    user_id: member,
    invitation_id: invitation,
    workflow_id: workflow,
    deployment_id: deployment,
    api_key_id: apiKey,
    credential_id: credential,
    schedule_id: schedule,
    hook_id: hook,
    endpoint_id: endpoint,
    service_account_id: account,
    'service-accounts api_key_id': accountKey,
    'assistant chat_id': assistantChat,
    'composer chat_id': composerChat,
    knowledge_id: base,
    document_id: document,
    file_id: file,
    rehearsal_id: rehearsal?.id ?? '',
  };
  const plain = await makePlain(owner, named);
  const [evaluationCase] = await api.deps.db.query<{ id: string }>(
    `INSERT INTO evaluation_cases (organization_id, set_id, place, input, bytes) VALUES ($1, $2, 1, '{}', 2) RETURNING id`,
    [owner.org, plain['evaluation_set_id']],
  );
  const [evaluation] = await api.deps.db.query<{ id: string }>(
    `INSERT INTO evaluations (organization_id, workflow_id, set_id, definitions, graders, trials, max_credits_mc, total)
     VALUES ($1, $2, $3, '[{}]', '[]', 1, 0, 1) RETURNING id`,
    [owner.org, workflow, plain['evaluation_set_id']],
  );
  return {
    ...named,
    ...plain,
    evaluation_case_id: evaluationCase?.id ?? '',
    evaluation_id: evaluation?.id ?? '',
  };
}

beforeAll(async () => {
  // Nothing is embedded here: documents stay pending, and searches find nobody to ask.
  const nowhere = { MANAGED_EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1', MANAGED_EMBEDDING_MODEL: 'm' };
  api = await startApi(nowhere);
  [tenant, admin, stranger, retired, inactive] = (await Promise.all(
    Array.from({ length: 5 }, () => api.tenant()),
  )) as [Tenant, Tenant, Tenant, Tenant, Tenant];
  // Limits of plans are other tests' subject.
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  mine = await makeObjects(tenant);
  for (const [{ org }, role] of [
    [admin, 'admin'],
    [retired, 'member'],
    [inactive, 'owner'],
  ] as const) {
    await api.deps.db.query(
      `INSERT INTO memberships (user_id, organization_id, role)
       SELECT user_id, $1, $3 FROM memberships WHERE organization_id = $2 AND role = 'owner'`,
      [tenant.org, org, role],
    );
  }
  await api.deps.db.query(
    'UPDATE users SET is_active = false WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = $1)',
    [inactive.org],
  );
});
afterAll(() => api.close());

test('every parameter of a path names an object of the tenant, and every row with a body has one to send', () => {
  const objects = { ...mine, ...WORDS, ...Object.fromEntries(UNMADE.map((name) => [name, ''])) };
  const unknown = rows.flatMap(([name, row]) =>
    namesOf(row).flatMap((param) =>
      (objects[param] ?? objects[`${row.path.split('/')[1]} ${param}`]) === undefined
        ? [`${name} ${param}`]
        : [],
    ),
  );
  expect(unknown).toEqual([]);
  expect(rows.filter(([, row]) => row.body !== undefined && !('body' in bodyOf(row)))).toEqual([]);
  expect(Object.keys(SAMPLES).filter((name) => !rows.some(([row]) => row === name))).toEqual([]);
});

describe.each(rows)('%s', (_, row) => {
  test('SEC-A01: without a credential is 401 with WWW-Authenticate, unless it is public', async () => {
    const answer = note(
      row,
      await api.call(row.method, path(row, mine), { ...bodyOf(row), org: tenant.org }),
    );
    if (row.access === 'public') {
      expect(textOf(answer)).not.toContain('Authentication required');
      return;
    }
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer(?: resource_metadata="[^"]+")?$/);
    const text = 'Authentication required. Provide Authorization: Bearer token or X-API-KEY header.';
    expect(answer.body).toEqual(refusalOf(row, text));
  });

  test('SEC-P21: with a trailing slash, a version prefix or in capitals is 404', async () => {
    const real = path(row, mine);
    const others = [`/v1${real}`, `/api/v1${real}`, `/${real}`];
    if (real !== '/') others.push(`${real}/`, real.toUpperCase());
    for (const other of others) {
      const answer = await tenant.call(row.method, other, bodyOf(row));
      const isOfOpenAi = other.startsWith('/openai/');
      expect([other, answer.status, isOfOpenAi ? answer.body.error : answer.body]).toEqual([
        other,
        404,
        isOfOpenAi ? expect.objectContaining({ code: 'route_not_found' }) : { detail: 'Not Found' },
      ]);
    }
  });
});

test.each(rows.filter(([, row]) => row.body !== undefined))(
  'API-unknown-fields: %s refuses a field of its body that it does not know, or tells of it',
  (name, row) => {
    const { body: known } = bodyOf(row);
    const body = { ...(known as object | undefined), unknwon: 1 } as JsonObject;
    const refused = row.body?.safeParse(body).error?.issues.some(({ code }) => code === 'unrecognized_keys');
    const told = warnOfUnknownFields(row.body as z.ZodType, body, null).map(({ loc }) => loc.join('.'));
    expect({ refused: refused ?? false, told }).toEqual(
      STRICT.test(name) ? { refused: true, told: [] } : { refused: false, told: ['body.unknwon'] },
    );
  },
);

describe.each(scoped)('%s', (_, row) => {
  test('SEC-T01: without the organization header is 400, or means the only organization', async () => {
    const answer = note(
      row,
      await tenant.call(row.method, path(row, mine), { ...bodyOf(row), org: undefined }),
    );
    const text = 'X-Organization-ID header is required';
    if (row.infersOrganization === true) expect(textOf(answer)).not.toBe(text);
    else expect([answer.status, answer.body]).toEqual([400, refusalOf(row, text)]);
  });

  test('SEC-T03: in a foreign organization is 403', async () => {
    const answer = note(
      row,
      await tenant.call(row.method, path(row, mine), { ...bodyOf(row), org: stranger.org }),
    );
    expect([answer.status, answer.body]).toEqual([
      403,
      refusalOf(row, `User is not a member of organization ${stranger.org}`),
    ]);
  });

  test('SEC-T21: with the retired role is 403', async () => {
    const answer = await retired.call(row.method, path(row, mine), { ...bodyOf(row), org: tenant.org });
    expect([answer.status, answer.body]).toEqual([
      403,
      refusalOf(row, 'The owner or admin role is required'),
    ]);
  });
});

/** Who is let through to a row, by what it needs; the others get these words. */
const ROLES: readonly {
  readonly who: string;
  readonly is: () => Tenant;
  readonly refusal: (access: Access) => string | null;
}[] = [
  { who: 'an owner', is: () => tenant, refusal: () => null },
  { who: 'an admin', is: () => admin, refusal: () => null },
  {
    who: 'the retired role',
    is: () => retired,
    refusal: (access) => (access === 'organization' ? 'The owner or admin role is required' : null),
  },
  {
    who: 'nobody of the organization',
    is: () => stranger,
    refusal: (access) =>
      access === 'organization' ? `User is not a member of organization ${tenant.org}` : null,
  },
  {
    who: 'a deactivated owner',
    is: () => inactive,
    refusal: (access) => (access === 'public' ? null : 'User is inactive'),
  },
];
const GUARDS =
  /^(The owner or admin role is required|User is not a member|User is inactive|Authentication required)/;

describe.each(ROLES)('$who', ({ is, refusal }) => {
  test.each(rows)('%s', async (name, row) => {
    // Objects that do not exist: what is let through changes nothing that the next row counts on.
    const target = path(row, { ...PARTS, organization_id: tenant.org });
    const answer = note(row, await is().call(row.method, target, { ...bodyOf(row), org: tenant.org }));
    const expected = refusal(SAMPLES[name]?.takesOrganization === true ? 'organization' : row.access);
    if (expected === null) expect(textOf(answer)).not.toMatch(GUARDS);
    else expect([answer.status, answer.body]).toEqual([403, refusalOf(row, expected)]);
  });
});

describe.each(withObject)('%s', (name, row) => {
  test('SEC-T05: answers the same for a foreign object as for none', async () => {
    const foreign = note(row, await stranger.call(row.method, path(row, mine), bodyOf(row)));
    const missing = await stranger.call(row.method, path(row, PARTS), bodyOf(row));
    expect(foreign.status).toBe(SAMPLES[name]?.foreign ?? 404);
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
  });

  test.each(['not-a-uuid', '%00', '%ff', '__proto__', 'undefined'])(
    'SEC-P22: with the id %s is 400',
    async (id) => {
      if (namesOf(row).some((param) => param in WORDS)) return;
      const given = fill(row.path, [id, crypto.randomUUID()]);
      const answer = note(row, await tenant.call(row.method, given, bodyOf(row)));
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toMatch(/^Invalid \w+ format$/);
    },
  );
});

/** Rows below an object that take a body. */
const belowObject = withObject.filter(
  ([, row]) => row.body !== undefined || row.rawBody !== undefined || row.upload !== undefined,
);
test.each(belowObject)('SEC-H08: %s parses no body above 64 KiB for a foreign object', async (_, row) => {
  // Neither is JSON: the small one is parsed, unless the object is looked for before any body.
  const large = { raw: '{'.repeat(65_537) };
  expect((await stranger.call(row.method, path(row, mine), large)).status).toBe(404);
  if (row.body === undefined) return;
  const small = { raw: '{'.repeat(65_536) };
  expect((await stranger.call(row.method, path(row, mine), small)).status).toBe(422);
});

test('SEC-H08: a body whose length is not told counts as large', async () => {
  const sent = await fetch(`${api.url}/workflows/${mine['workflow_id']}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${stranger.token}`,
      'x-organization-id': stranger.org,
      'content-type': 'application/json',
    },
    body: new Blob(['{']).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(sent.status).toBe(404);
});

test('every answer that was seen is one that the API describes', async () => {
  const { paths } = (await api.call('GET', '/openapi.json')).body;
  const described = (row: Route): unknown =>
    paths[row.path.replace(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()]?.responses;
  const surprises = seen
    .filter(({ row }) => described(row) !== undefined)
    .filter(({ row, status }) => !Object.hasOwn(described(row) as object, status))
    .map(({ row, status }) => `${nameOf(row)}: ${status}`);
  expect([...new Set(surprises)]).toEqual([]);
});
