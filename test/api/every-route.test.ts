import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { allRoutes } from '../../src/http/tables.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';

/** Path parameters are replaced by these objects; `foreign` belong to another organization. */
interface Objects {
  readonly workflow: string;
  readonly deployment: string;
  readonly apiKey: string;
}

interface Sample {
  readonly body?: unknown;
  /** The path's parameters, from the objects of a tenant. */
  readonly params?: (objects: Objects) => readonly string[];
  /** Answers for an object of another organization, where it is not 404. */
  readonly foreign?: number;
}

const ofWorkflow = { params: ({ workflow }: Objects) => [workflow] };
const ofDeployment = { params: ({ workflow, deployment }: Objects) => [workflow, deployment] };
const ofNothing = { params: () => [crypto.randomUUID()] };

/** One entry for each row of the API. A new row needs one here: without it this test fails. */
const SAMPLES: Record<string, Sample> = {
  'GET /': {},
  'GET /system/health': {},
  'GET /system/health/oauth': {},
  'GET /openapi.json': {},
  'GET /docs': {},
  'GET /redoc': {},
  'GET /workflows': {},
  'POST /workflows': { body: { name: 'x', workflow_schema: hello() } },
  'GET /workflows/:workflow_id': ofWorkflow,
  'PATCH /workflows/:workflow_id': { ...ofWorkflow, body: { description: 'x' } },
  'PUT /workflows/:workflow_id': { ...ofWorkflow, body: { description: 'x' } },
  'DELETE /workflows/:workflow_id': ofWorkflow,
  'POST /workflows/run': { body: { workflow: hello() } },
  'GET /workflows/listen/:run_id': ofNothing,
  'POST /workflows/resume/:run_id': {
    ...ofNothing,
    body: { responses: [{ interrupt_id: 'x', action: 'approve' }] },
  },
  'POST /workflows/cancel/:run_id': ofNothing,
  'GET /workflow-runs': {},
  'GET /workflow-runs/:run_pk': ofNothing,
  'GET /workflow-runs/:run_pk/steps/:step_id': { params: () => [crypto.randomUUID(), crypto.randomUUID()] },
  'POST /workflows/:workflow_id/deploy': { ...ofWorkflow, body: {} },
  'GET /workflows/:workflow_id/deployments': ofWorkflow,
  'DELETE /workflows/:workflow_id/deployments/live': ofWorkflow,
  'GET /workflows/:workflow_id/deployments/:deployment_id': ofDeployment,
  'PUT /workflows/:workflow_id/deployments/:deployment_id/activate': ofDeployment,
  'DELETE /workflows/:workflow_id/deployments/:deployment_id': ofDeployment,
  'GET /organizations': {},
  'POST /organizations': { body: { name: 'x' } },
  'POST /organizations/:organization_id/invitations': {
    ...ofNothing,
    body: { email: 'somebody@example.test', role: 'admin' },
  },
  'POST /api-keys': { body: { name: 'x' } },
  'GET /api-keys': {},
  'GET /api-keys/:api_key_id': { params: ({ apiKey }) => [apiKey] },
  'DELETE /api-keys/:api_key_id': { params: ({ apiKey }) => [apiKey] },
  'GET /auth/me': {},
  'GET /auth/me/organizations': {},
  'GET /auth/invitations/my': {},
  'GET /composer/chats': {},
  'GET /assistant/chats': {},
  'POST /requests': { body: { subject: 'x', message: 'y' } },
  'POST /support': { body: { subject: 'x', message: 'y' } },
  'POST /knowledge-bases': { body: {} },
  'POST /knowledge-bases/:knowledge_id/search': { ...ofNothing, body: {}, foreign: 501 },
  'POST /assistant/chat': { body: { message: 'x' } },
  'POST /subscriptions/wallet/extra-usage': { body: {} },
  'POST /subscriptions/wallet/topup': { body: {} },
};

const nameOf = (row: Route): string => `${row.method} ${row.path}`;
const rows = allRoutes().map((row) => [nameOf(row), row] as const);
const scoped = rows.filter(([, row]) => row.access === 'organization' || row.access === 'owner_or_admin');
const withObject = rows.filter(([, row]) => row.params !== undefined);

/** The row's path with these parameters in place of its own. */
function fill(path: string, params: readonly string[]): string {
  let next = 0;
  return path.replace(/:\w+/g, () => params[next++] ?? 'missing');
}

const path = (row: Route, objects: Objects): string =>
  fill(row.path, SAMPLES[nameOf(row)]?.params?.(objects) ?? []);
const bodyOf = (row: Route): object => {
  const body = SAMPLES[nameOf(row)]?.body;
  return body === undefined ? {} : { body };
};

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
let retired: Tenant;
let mine: Objects;

async function makeObjects(owner: Tenant): Promise<Objects> {
  const workflow = (await owner.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } }))
    .body.id;
  const deployment = (await owner.call('POST', `/workflows/${workflow}/deploy`)).body.id;
  const apiKey = (await owner.call('POST', '/api-keys', { body: { name: 'x' } })).body.id;
  return { workflow, deployment, apiKey };
}

beforeAll(async () => {
  api = await startApi();
  [tenant, stranger, retired] = await Promise.all([api.tenant(), api.tenant(), api.tenant()]);
  mine = await makeObjects(tenant);
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $1, 'member' FROM memberships WHERE organization_id = $2`,
    [tenant.org, retired.org],
  );
});
afterAll(() => api.close());

test('every row has a sample, and every sample a row', () => {
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(SAMPLES).sort());
});

describe.each(rows)('%s', (_, row) => {
  test('without a credential is 401 with WWW-Authenticate, unless it is public', async () => {
    const answer = await api.call(row.method, path(row, mine), { ...bodyOf(row), org: tenant.org });
    if (row.access === 'public') {
      expect(answer.text).not.toContain('Authentication required');
      return;
    }
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toEqual({
      detail: 'Authentication required. Provide Authorization: Bearer token or X-API-KEY header.',
    });
  });

  test('with a trailing slash, a version prefix or in capitals is 404', async () => {
    const real = path(row, mine);
    const others = [`/v1${real}`, `/api/v1${real}`, `/${real}`];
    if (real !== '/') others.push(`${real}/`, real.toUpperCase());
    for (const other of others) {
      const answer = await tenant.call(row.method, other, bodyOf(row));
      expect([other, answer.status, answer.body]).toEqual([other, 404, { detail: 'Not Found' }]);
    }
  });
});

describe.each(scoped)('%s', (_, row) => {
  test('without the organization header is 400', async () => {
    const answer = await tenant.call(row.method, path(row, mine), { ...bodyOf(row), org: undefined });
    expect([answer.status, answer.body]).toEqual([400, { detail: 'X-Organization-ID header is required' }]);
  });

  test('in a foreign organization is 403', async () => {
    const answer = await tenant.call(row.method, path(row, mine), { ...bodyOf(row), org: stranger.org });
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: `User is not a member of organization ${stranger.org}` },
    ]);
  });

  test('with the retired role is 403 where owner or admin is needed', async () => {
    if (row.access !== 'owner_or_admin') return;
    const answer = await retired.call(row.method, path(row, mine), { ...bodyOf(row), org: tenant.org });
    expect([answer.status, answer.body]).toEqual([403, { detail: 'Owner or admin role required' }]);
  });
});

describe.each(withObject)('%s', (name, row) => {
  test('says the same of a foreign object as of none', async () => {
    const unknown: Objects = {
      workflow: crypto.randomUUID(),
      deployment: crypto.randomUUID(),
      apiKey: crypto.randomUUID(),
    };
    const foreign = await stranger.call(row.method, path(row, mine), bodyOf(row));
    const missing = await stranger.call(row.method, path(row, unknown), bodyOf(row));
    expect(foreign.status).toBe(SAMPLES[name]?.foreign ?? 404);
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
  });

  test.each(['not-a-uuid', '%00', '%ff', '__proto__', 'undefined'])('with the id %s is 400', async (id) => {
    const given = fill(row.path, [id, crypto.randomUUID()]);
    const answer = await tenant.call(row.method, given, bodyOf(row));
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^Invalid \w+ format$/);
  });
});
