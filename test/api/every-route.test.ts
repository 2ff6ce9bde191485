/** A route would answer without a credential, reach into another organization, or ignore the caller's role. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access, Route } from '../../src/platform/http/route.ts';
import type { z } from 'zod';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { warnOfUnknownFields } from '../../src/platform/http/unknown-fields.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { uploadText } from '../support/knowledge.ts';

/** Path parameters are replaced by these objects; `foreign` belong to another organization. */
interface Objects {
  readonly organization: string;
  readonly member: string;
  readonly invitation: string;
  readonly workflow: string;
  readonly deployment: string;
  readonly apiKey: string;
  readonly credential: string;
  readonly schedule: string;
  readonly hook: string;
  readonly endpoint: string;
  readonly alert: string;
  readonly account: string;
  readonly accountKey: string;
  readonly assistantChat: string;
  readonly composerChat: string;
  readonly base: string;
  readonly document: string;
}

interface Sample {
  readonly body?: unknown;
  /** The path's parameters, from the objects of a tenant. */
  readonly params?: (objects: Objects) => readonly string[];
  /** Looks at X-Organization-ID when it is there, and does without. */
  readonly takesOrganization?: boolean;
  /** Answers for an object of another organization, where it is not 404. */
  readonly foreign?: number;
  /** Its parameter is a word, not a UUID. */
  readonly isNamed?: true;
}

const ofWorkflow = { params: ({ workflow }: Objects) => [workflow] };
const ofNode = { params: ({ workflow }: Objects) => [workflow, 'hello'] };
const ofDeployment = { params: ({ workflow, deployment }: Objects) => [workflow, deployment] };
const ofOrganization = { params: ({ organization }: Objects) => [organization] };
const ofMember = { params: ({ organization, member }: Objects) => [organization, member] };
const ofInvitation = { params: ({ organization, invitation }: Objects) => [organization, invitation] };
const ofCredential = { params: ({ credential }: Objects) => [credential] };
const ofSchedule = { params: ({ schedule }: Objects) => [schedule] };
const ofAlert = { params: ({ alert }: Objects) => [alert] };
const ofAccount = { params: ({ account }: Objects) => [account] };
const ofEndpoint = { params: ({ endpoint }: Objects) => [endpoint] };
const ofHook = { params: ({ workflow, hook }: Objects) => [workflow, hook] };
const ofAssistantChat = { params: ({ assistantChat }: Objects) => [assistantChat] };
const ofComposerChat = { params: ({ composerChat }: Objects) => [composerChat] };
const ofBase = { params: ({ base }: Objects) => [base] };
const ofDocument = { params: ({ base, document }: Objects) => [base, document] };
const ofNothing = { params: () => [crypto.randomUUID()] };

/** What starts work: a misspelt field of it would have effects that nobody asked for. Elsewhere it is told of. */
const STRICT = /^POST \/workflows\/(?:run(?:\/batch)?|resume\/|cancel\/)|\/(?:rerun|test|pin)$/;

/** One entry for each row of the API. A new row needs one here: without it this test fails. */
const SAMPLES: Record<string, Sample> = {
  'GET /': {},
  'GET /system/health': {},
  'GET /ready': {},
  'GET /system/health/oauth': {},
  'GET /metrics': {},
  'GET /openapi.json': {},
  'GET /openapi-3.0.json': {},
  'GET /docs': {},
  'GET /docs/swagger-ui.css': {},
  'GET /docs/swagger-ui-bundle.js': {},
  'GET /docs/favicon-32x32.png': {},
  'GET /docs/initializer.js': {},
  'GET /redoc': {},
  'GET /workflows': {},
  'POST /workflows': { body: { name: 'x', workflow_schema: hello() } },
  'GET /workflows/:workflow_id': ofWorkflow,
  'PATCH /workflows/:workflow_id': { ...ofWorkflow, body: { description: 'x' } },
  'PUT /workflows/:workflow_id': { ...ofWorkflow, body: { description: 'x' } },
  'DELETE /workflows/:workflow_id': ofWorkflow,
  'GET /workflow-usage/:workflow_id': ofWorkflow,
  'POST /workflows/run': { body: { workflow: hello() } },
  'GET /workflows/listen/:run_id': ofNothing,
  'GET /workflows/runs/:run_id': ofNothing,
  'POST /workflows/resume/:run_id': {
    ...ofNothing,
    body: { responses: [{ interrupt_id: 'x', action: 'approve' }] },
  },
  'POST /workflows/cancel/:run_id': ofNothing,
  'GET /workflow-runs': {},
  'GET /interrupts': {},
  'GET /workflow-runs/:run_pk': ofNothing,
  'DELETE /workflow-runs/:run_pk': ofNothing,
  'GET /workflow-runs/:run_pk/definition': ofNothing,
  'POST /workflow-runs/:run_pk/rerun': ofNothing,
  'GET /workflow-runs/:run_pk/compare/:other_run_pk': {
    params: () => [crypto.randomUUID(), crypto.randomUUID()],
  },
  'POST /workflows/:workflow_id/nodes/:node_id/test': ofNode,
  'POST /workflows/:workflow_id/nodes/:node_id/pin': { ...ofNode, body: { run_pk: crypto.randomUUID() } },
  'DELETE /workflows/:workflow_id/nodes/:node_id/pin': ofNode,
  'GET /workflow-runs/:run_pk/steps/:step_id': { params: () => [crypto.randomUUID(), crypto.randomUUID()] },
  'POST /workflows/:workflow_id/deploy': { ...ofWorkflow, body: {} },
  'GET /workflows/:workflow_id/deployments': ofWorkflow,
  'POST /workflows/:workflow_id/sheet': { ...ofWorkflow, body: {} },
  'GET /workflows/:workflow_id/deployments/:deployment_id/sheet': ofDeployment,
  'DELETE /workflows/:workflow_id/deployments/live': ofWorkflow,
  'GET /workflows/:workflow_id/deployments/:deployment_id': ofDeployment,
  'PUT /workflows/:workflow_id/deployments/:deployment_id/activate': ofDeployment,
  'DELETE /workflows/:workflow_id/deployments/:deployment_id': ofDeployment,
  'GET /organizations': {},
  'POST /organizations': { body: { name: 'x' } },
  'GET /organizations/:organization_id': ofOrganization,
  'PATCH /organizations/:organization_id': { ...ofOrganization, body: { name: 'x' } },
  'GET /organizations/:organization_id/members': ofOrganization,
  'PATCH /organizations/:organization_id/members/:user_id': { ...ofMember, body: { role: 'admin' } },
  'DELETE /organizations/:organization_id/members/:user_id': ofMember,
  'POST /organizations/:organization_id/invitations': {
    ...ofOrganization,
    body: { email: 'somebody@example.test', role: 'admin' },
  },
  'GET /organizations/:organization_id/invitations': ofOrganization,
  'DELETE /organizations/:organization_id/invitations/:invitation_id': ofInvitation,
  'POST /credentials': {
    body: { name: 'x', integration: 'openai', auth_type: 'api_key', data: { api_key: 'sk-of-a-test' } },
  },
  'GET /credentials': {},
  'POST /credentials/oauth/start': { body: { integration: 'github', name: 'x' } },
  'POST /credentials/oauth/callback': { body: { state: 'x', code: 'y' } },
  'GET /credentials/:credential_id': ofCredential,
  'PATCH /credentials/:credential_id': { ...ofCredential, body: { name: 'y' } },
  'DELETE /credentials/:credential_id': ofCredential,
  'POST /credentials/:credential_id/test': ofCredential,
  'GET /credentials/:credential_id/tools': ofCredential,
  'GET /integrations': {},
  'GET /models': {},
  // The catalog is everybody's.
  'GET /integrations/:name': { params: () => ['slack'], foreign: 200, isNamed: true },
  'POST /schedules': { body: { workflow_id: crypto.randomUUID(), name: 'x', cron_expression: '0 6 * * 1' } },
  'GET /schedules': {},
  'GET /schedules/:schedule_id': ofSchedule,
  'PATCH /schedules/:schedule_id': { ...ofSchedule, body: { name: 'y' } },
  'DELETE /schedules/:schedule_id': ofSchedule,
  'POST /schedules/:schedule_id/pause': ofSchedule,
  'POST /schedules/:schedule_id/resume': ofSchedule,
  'POST /schedules/:schedule_id/trigger': ofSchedule,
  'GET /schedules/:schedule_id/firings': ofSchedule,
  'GET /schedules/:schedule_id/runs': ofSchedule,
  'POST /api-keys': { body: { name: 'x' } },
  'GET /api-keys': {},
  'GET /api-keys/:api_key_id': { params: ({ apiKey }) => [apiKey] },
  'DELETE /api-keys/:api_key_id': { params: ({ apiKey }) => [apiKey] },
  'GET /auth/me': {},
  'GET /auth/me/organizations': {},
  'GET /auth/invitations/my': {},
  'POST /auth/invitations/:invitation_id/accept': { params: ({ invitation }) => [invitation] },
  'POST /auth/invitations/:invitation_id/decline': { params: ({ invitation }) => [invitation] },
  'GET /composer/chats': {},
  'GET /composer/chats/:chat_id': ofComposerChat,
  'GET /composer/chats/:chat_id/messages': ofComposerChat,
  'PATCH /composer/chats/:chat_id': { ...ofComposerChat, body: { title: 'y' } },
  'DELETE /composer/chats/:chat_id': ofComposerChat,
  'GET /assistant/chats': {},
  'GET /assistant/chats/:chat_id': ofAssistantChat,
  'GET /assistant/chats/:chat_id/messages': ofAssistantChat,
  'PATCH /assistant/chats/:chat_id': { ...ofAssistantChat, body: { title: 'y' } },
  'DELETE /assistant/chats/:chat_id': ofAssistantChat,
  'POST /requests': { body: { subject: 'x', message: 'y' }, takesOrganization: true },
  'POST /support': { body: { subject: 'x', message: 'y' }, takesOrganization: true },
  'POST /knowledge-bases': { body: { name: 'x' } },
  'GET /knowledge-bases': {},
  'GET /knowledge-bases/:knowledge_id': ofBase,
  'PATCH /knowledge-bases/:knowledge_id': { ...ofBase, body: { name: 'y' } },
  'DELETE /knowledge-bases/:knowledge_id': ofBase,
  'POST /knowledge-bases/:knowledge_id/search': { ...ofBase, body: { query: 'x' } },
  'POST /knowledge-bases/:knowledge_id/documents': ofBase,
  'GET /knowledge-bases/:knowledge_id/documents': ofBase,
  'GET /knowledge-bases/:knowledge_id/documents/:document_id': ofDocument,
  'DELETE /knowledge-bases/:knowledge_id/documents/:document_id': ofDocument,
  'POST /knowledge-bases/:knowledge_id/documents/:document_id/retry': ofDocument,
  'GET /knowledge-bases/:knowledge_id/documents/:document_id/chunks': ofDocument,
  'POST /assistant/chat': { body: { message: 'x' } },
  'POST /composer/chat': { body: { message: 'x' } },
  'GET /subscriptions': {},
  'GET /subscriptions/usage/daily': {},
  'GET /subscriptions/wallet/ledger': {},
  'POST /subscriptions/wallet/extra-usage': { body: { enabled: false } },
  'POST /subscriptions/wallet/topup': { body: { amount: 100 } },
  'POST /webhooks/stripe': {},
  'POST /workflows/run/batch': { body: { workflow_id: crypto.randomUUID(), inputs: [{}] } },
  'POST /workflows/:workflow_id/hooks': { ...ofWorkflow, body: { name: 'x' } },
  'GET /workflows/:workflow_id/hooks': ofWorkflow,
  'GET /workflows/:workflow_id/hooks/:hook_id': ofHook,
  'PATCH /workflows/:workflow_id/hooks/:hook_id': { ...ofHook, body: { name: 'y' } },
  'DELETE /workflows/:workflow_id/hooks/:hook_id': ofHook,
  'POST /workflows/:workflow_id/hooks/:hook_id/rotate': ofHook,
  'POST /workflows/:workflow_id/hooks/:hook_id/listen': ofHook,
  'DELETE /workflows/:workflow_id/hooks/:hook_id/listen': ofHook,
  'GET /workflows/:workflow_id/hooks/:hook_id/deliveries': ofHook,
  'POST /workflows/:workflow_id/hooks/:hook_id/deliveries/:delivery_id/redeliver': {
    params: ({ workflow, hook }) => [workflow, hook, crypto.randomUUID()],
  },
  'GET /workflows/:workflow_id/error-workflow': ofWorkflow,
  'PUT /workflows/:workflow_id/error-workflow': { ...ofWorkflow, body: { error_workflow_id: null } },
  'GET /retention': {},
  'PATCH /retention': { body: { value_retention_days: 30 } },
  'GET /data-jobs': {},
  'POST /data-jobs': { body: { kind: 'export', subject: 'organization' } },
  'POST /auth/me/data-jobs': { body: { kind: 'export', organization_id: crypto.randomUUID() } },
  'GET /data-jobs/:job_id': ofNothing,
  'GET /data-jobs/:job_id/file': ofNothing,
  'GET /audit-log': {},
  'GET /audit-log/export': {},
  'POST /alerts': { body: { name: 'x', kind: 'silence' } },
  'GET /alerts': {},
  'GET /alerts/:alert_id': ofAlert,
  'PATCH /alerts/:alert_id': { ...ofAlert, body: { name: 'y' } },
  'DELETE /alerts/:alert_id': ofAlert,
  'POST /service-accounts': { body: { name: 'x' } },
  'GET /service-accounts': {},
  'GET /service-accounts/:service_account_id': ofAccount,
  'PATCH /service-accounts/:service_account_id': { ...ofAccount, body: { name: 'y' } },
  'DELETE /service-accounts/:service_account_id': ofAccount,
  'POST /service-accounts/:service_account_id/keys': { ...ofAccount, body: { name: 'x' } },
  'GET /service-accounts/:service_account_id/keys': ofAccount,
  'DELETE /service-accounts/:service_account_id/keys/:api_key_id': {
    params: ({ account, accountKey }) => [account, accountKey],
  },
  'POST /notification-endpoints': { body: { name: 'x', url: 'https://endpoint.example.test' } },
  'GET /notification-endpoints': {},
  'GET /notification-endpoints/:endpoint_id': ofEndpoint,
  'PATCH /notification-endpoints/:endpoint_id': { ...ofEndpoint, body: { name: 'y' } },
  'DELETE /notification-endpoints/:endpoint_id': ofEndpoint,
  'POST /notification-endpoints/:endpoint_id/rotate': ofEndpoint,
  'POST /notification-endpoints/:endpoint_id/test': ofEndpoint,
  'GET /notification-endpoints/:endpoint_id/deliveries': ofEndpoint,
  'POST /notification-endpoints/:endpoint_id/deliveries/:delivery_id/replay': {
    params: ({ endpoint }) => [endpoint, crypto.randomUUID()],
  },
  'POST /hooks/:token': { params: () => ['unknown'], isNamed: true },
  'GET /hooks/:token': { params: () => ['unknown'], isNamed: true },
  'GET /answers/:token': { params: () => ['unknown'], isNamed: true },
  'POST /answers/:token': { params: () => ['unknown'], isNamed: true },
  'POST /callbacks/:token': { params: () => ['unknown'], isNamed: true },
  'PUT /hooks/:token': { params: () => ['unknown'], isNamed: true },
  'POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'GET /.well-known/oauth-protected-resource': {},
  'GET /.well-known/oauth-protected-resource/mcp': {},
  'GET /openai/models': {},
  'GET /openai/models/:model': { params: () => ['unknown'], isNamed: true },
  'POST /openai/chat/completions': {
    body: { model: 'unknown', messages: [{ role: 'user', content: 'x' }] },
  },
  'POST /openai/responses': { body: { model: 'unknown', input: 'x' } },
  'GET /openai/responses/:response_id': { params: () => ['unknown'], isNamed: true },
  'DELETE /openai/responses/:response_id': { params: () => ['unknown'], isNamed: true },
  'GET /openai/responses/:response_id/input_items': { params: () => ['unknown'], isNamed: true },
  'POST /openai/responses/:response_id/cancel': { params: () => ['unknown'], isNamed: true },
};

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
  fill(row.path, SAMPLES[nameOf(row)]?.params?.(objects) ?? []);
/** The body of an error with this text, as the row writes it. */
const refusalOf = (row: Route, text: string): unknown =>
  row.errors === undefined
    ? { detail: text }
    : expect.objectContaining({ error: expect.objectContaining({ message: text }) as unknown });
const textOf = (answer: Answer): string => String(answer.body?.detail ?? answer.body?.error?.message ?? '');
const bodyOf = (row: Route): object => {
  const body = SAMPLES[nameOf(row)]?.body;
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

const nothing = (): Objects => ({
  organization: crypto.randomUUID(),
  member: crypto.randomUUID(),
  invitation: crypto.randomUUID(),
  workflow: crypto.randomUUID(),
  deployment: crypto.randomUUID(),
  apiKey: crypto.randomUUID(),
  credential: crypto.randomUUID(),
  schedule: crypto.randomUUID(),
  hook: crypto.randomUUID(),
  endpoint: crypto.randomUUID(),
  alert: crypto.randomUUID(),
  account: crypto.randomUUID(),
  accountKey: crypto.randomUUID(),
  assistantChat: crypto.randomUUID(),
  composerChat: crypto.randomUUID(),
  base: crypto.randomUUID(),
  document: crypto.randomUUID(),
});

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
  const ruled = { body: { name: 'x', kind: 'silence' } };
  const alert = (await owner.call('POST', '/alerts', ruled)).body.id;
  const account = (await owner.call('POST', '/service-accounts', { body: { name: 'x' } })).body.id;
  const keyed = await owner.call('POST', `/service-accounts/${account}/keys`, { body: { name: 'x' } });
  const accountKey = keyed.body.id;
  const said = { body: { message: 'x' } };
  const assistantChat = (await owner.call('POST', '/assistant/chat', said)).body.chat_id;
  const composerChat = (await owner.call('POST', '/composer/chat', said)).body.chat_id;
  const base = (await owner.call('POST', '/knowledge-bases', { body: { name: 'x' } })).body.id;
  const document = (await uploadText(owner, base, 'A text.')).body.id;
  const made = { organization: owner.org, member, invitation, workflow, deployment, apiKey, credential };
  const machines = { account, accountKey };
  return {
    ...made,
    ...machines,
    schedule,
    hook,
    endpoint,
    alert,
    assistantChat,
    composerChat,
    base,
    document,
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

test('every row has a sample, and every sample a row', () => {
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(SAMPLES).sort());
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
    const body = { ...(SAMPLES[name]?.body as object | undefined), unknwon: 1 } as JsonObject;
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
    const target = path(row, { ...nothing(), organization: tenant.org });
    const answer = note(row, await is().call(row.method, target, { ...bodyOf(row), org: tenant.org }));
    const expected = refusal(SAMPLES[name]?.takesOrganization === true ? 'organization' : row.access);
    if (expected === null) expect(textOf(answer)).not.toMatch(GUARDS);
    else expect([answer.status, answer.body]).toEqual([403, refusalOf(row, expected)]);
  });
});

describe.each(withObject)('%s', (name, row) => {
  test('SEC-T05: answers the same for a foreign object as for none', async () => {
    const unknown = nothing();
    const foreign = note(row, await stranger.call(row.method, path(row, mine), bodyOf(row)));
    const missing = await stranger.call(row.method, path(row, unknown), bodyOf(row));
    expect(foreign.status).toBe(SAMPLES[name]?.foreign ?? 404);
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
  });

  test.each(['not-a-uuid', '%00', '%ff', '__proto__', 'undefined'])(
    'SEC-P22: with the id %s is 400',
    async (id) => {
      if (SAMPLES[name]?.isNamed === true) return;
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
  const sent = await fetch(`${api.url}/workflows/${mine.workflow}`, {
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
