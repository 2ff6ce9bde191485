/** Sessions over the plain resources: each is a fixed list of requests, good ones and refused ones. */
import { multipart, filePart } from './multipart.ts';
import { eventually } from '../support/waiting.ts';
import { chat, pure, refund } from './definitions.ts';
import { signIn, type Person } from './people.ts';
import { HEALTH_KEY, type Processes } from './processes.ts';
import { compareFile, Transcript } from './transcript.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Pages that anybody may read, the OpenAPI document, and what is no route. */
export async function publicPages(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  await transcript.call('GET', '/');
  await transcript.call('GET', '/system/health', {}, false);
  await transcript.call(
    'GET',
    '/system/health/oauth',
    { headers: { 'x-health-api-key': HEALTH_KEY } },
    false,
  );
  await transcript.call('GET', '/system/health/oauth', { headers: { 'x-health-api-key': 'wrong' } });
  await transcript.call('GET', '/metrics');
  await transcript.call('GET', '/docs');
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'initializer.js'])
    await transcript.call('GET', `/docs/${file}`, {}, file === 'initializer.js');
  await transcript.call('HEAD', '/docs');
  await transcript.call('OPTIONS', '/workflows', {
    headers: {
      origin: 'https://app.example.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  await transcript.call('OPTIONS', '/workflows', {
    headers: { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' },
  });
  await transcript.call('GET', '/nowhere');
  await transcript.call('GET', '/v1/workflows');
  await transcript.call('POST', '/system/health');
  await transcript.call('PUT', '/workflows');
  await transcript.call('GET', '/workflows');
  await transcript.call('GET', '/workflows', { as: { token: 'no-token' } });
  await transcript.call('GET', '/workflows', { headers: { 'x-api-key': 'svc_live_unknown' } });
  await transcript.call('GET', '/workflows', { headers: { 'x-request-id': 'a-name-of-mine' } });
  await transcript.call('POST', '/webhooks/stripe', { raw: '{}' });
  compareFile('openapi.json', (await transcript.call('GET', '/openapi.json', {}, false)).text);
  transcript.finish('public');
}

/** Users, organizations, members, invitations, API keys. */
export async function accounts(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const [ada, bob] = [await signIn(processes, 'ada'), await signIn(processes, 'bob')];
  const as = ada;
  await transcript.call('GET', '/auth/me', { as });
  await transcript.call('GET', '/auth/me/organizations', { as });
  await transcript.call('GET', '/organizations', { as });
  await transcript.call('GET', `/organizations/${ada.org}`, { as });
  await transcript.call('GET', `/organizations/${bob.org}`, { as });
  await transcript.call('GET', '/organizations/no-uuid', { as });
  const made = await transcript.call('POST', '/organizations', { as, body: { name: 'Analytical Engines' } });
  await transcript.call('POST', '/organizations', { as, body: { name: '' } });
  await transcript.call('POST', '/organizations', { as, raw: '{"name": ' });
  const there = { token: ada.token, org: String(made.body.id) };
  await transcript.call('PATCH', `/organizations/${there.org}`, {
    as: there,
    body: { name: 'Engines', settings: { z: 1, a: [true, null] } },
  });
  await transcript.call('PATCH', `/organizations/${there.org}`, {
    as: there,
    body: { domain: 'not a domain' },
  });
  const invited = await transcript.call('POST', `/organizations/${ada.org}/invitations`, {
    as,
    body: { email: 'bob@example.test', role: 'admin' },
  });
  await transcript.call('POST', `/organizations/${ada.org}/invitations`, {
    as,
    body: { email: 'bob@example.test', role: 'admin' },
  });
  await transcript.call('POST', `/organizations/${ada.org}/invitations`, {
    as,
    body: { email: 'nonsense', role: 'king' },
  });
  await transcript.call('GET', `/organizations/${ada.org}/invitations`, { as });
  await transcript.call('GET', '/auth/invitations/my', { as: bob });
  await transcript.call('POST', `/auth/invitations/${invited.body.id}/accept`, { as });
  await transcript.call('POST', `/auth/invitations/${invited.body.id}/accept`, { as: bob });
  await transcript.call('POST', `/auth/invitations/${invited.body.id}/accept`, { as: bob });
  const members = await transcript.call('GET', `/organizations/${ada.org}/members`, { as });
  const bobId: string = members.body.members.at(-1).user_id;
  const adaId: string = members.body.members[0].user_id;
  await transcript.call('PATCH', `/organizations/${ada.org}/members/${bobId}`, {
    as,
    body: { role: 'owner' },
  });
  await transcript.call('PATCH', `/organizations/${ada.org}/members/${bobId}`, {
    as,
    body: { role: 'boss' },
  });
  await transcript.call('PATCH', `/organizations/${ada.org}/members/${bobId}`, {
    as,
    body: { role: 'admin' },
  });
  await transcript.call('DELETE', `/organizations/${ada.org}/members/${adaId}`, { as });
  await transcript.call('DELETE', `/organizations/${ada.org}/members/${bobId}`, { as });
  await transcript.call('DELETE', `/organizations/${ada.org}/members/${bobId}`, { as });
  const second = await transcript.call('POST', `/organizations/${ada.org}/invitations`, {
    as,
    body: { email: 'cleo@example.test', role: 'admin' },
  });
  await transcript.call('DELETE', `/organizations/${ada.org}/invitations/${second.body.id}`, { as });
  const third = await transcript.call('POST', `/organizations/${ada.org}/invitations`, {
    as,
    body: { email: 'bob@example.test', role: 'admin' },
  });
  await transcript.call('POST', `/auth/invitations/${third.body.id}/decline`, { as });
  await transcript.call('POST', `/auth/invitations/${third.body.id}/decline`, { as: bob });
  await transcript.call('GET', '/workflows', { as: { token: ada.token } });
  await transcript.call('GET', '/workflows', { as: { token: ada.token, org: 'no-uuid' } });
  await transcript.call('GET', '/workflows', { as: { token: ada.token, org: bob.org } });
  await keys(transcript, ada);
  await transcript.call('POST', '/requests', { as, body: { subject: 'A wish', message: 'More of it' } });
  await transcript.call('POST', '/support', { as, body: { subject: 'Help', message: 'Please' } });
  await transcript.call('POST', '/support', { as, body: { subject: 5 } });
  transcript.finish('accounts');
}

async function keys(transcript: Transcript, as: Person): Promise<void> {
  const key = await transcript.call('POST', '/api-keys', {
    as,
    body: { name: 'ci', organization_id: as.org, rate_limit_per_minute: 120 },
  });
  await transcript.call('POST', '/api-keys', { as, body: { rate_limit_per_minute: 0 } });
  await transcript.call('GET', '/api-keys', { as });
  await transcript.call('GET', `/api-keys/${key.body.id}`, { as });
  await transcript.call('GET', `/api-keys/${NOBODY}`, { as });
  await transcript.call('GET', '/workflows', {
    headers: { 'x-api-key': key.body.key, 'x-organization-id': as.org },
  });
  await transcript.call('POST', '/api-keys', {
    headers: { 'x-api-key': key.body.key },
    body: { name: 'wider' },
  });
  await transcript.call('DELETE', `/api-keys/${key.body.id}`, { as });
  await transcript.call('GET', '/workflows', {
    headers: { 'x-api-key': key.body.key, 'x-organization-id': as.org },
  });
}

/** Workflows, their deployments, credentials and integrations. */
export async function workflows(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const as = await signIn(processes, 'dora');
  const stranger = await signIn(processes, 'mallory');
  await transcript.call('GET', '/workflows', { as });
  const body = { name: 'Pure', description: 'Two steps', tags: ['b', 'a'], workflow_schema: pure() };
  const made = await transcript.call('POST', '/workflows', { as, body });
  const id: string = made.body.id;
  await transcript.call('POST', '/workflows', { as, body: { name: 'Nothing' } });
  await transcript.call('POST', '/workflows', { as, body: { name: 'x', workflow_schema: { nodes: 5 } } });
  await transcript.call('POST', '/workflows', {
    as,
    body: {
      name: 'Broken',
      workflow_schema: {
        nodes: [
          { id: 'a', type: 'magic', config: {} },
          { id: 'b', type: 'transformer', config: {} },
        ],
        edges: [{ source: 'a', target: 'nowhere' }],
      },
    },
  });
  await transcript.call('POST', '/workflows', { as, raw: 'no json' });
  await transcript.call('POST', '/workflows', { as, raw: 'a=b', headers: { 'content-type': 'text/plain' } });
  await transcript.call('GET', `/workflows/${id}`, { as });
  await transcript.call('GET', `/workflows/${id}`, { as: stranger });
  await transcript.call('GET', '/workflows/no-uuid', { as });
  await transcript.call('PATCH', `/workflows/${id}`, { as, body: { description: 'Changed', tags: [] } });
  await transcript.call('PUT', `/workflows/${id}`, { as, body: { category: 'ops', status: 'active' } });
  await transcript.call('PATCH', `/workflows/${id}`, { as, body: { status: 'nonsense', name: '' } });
  await transcript.call('POST', '/workflows', { as, body: { name: 'Refund', workflow_schema: refund() } });
  await transcript.call('GET', '/workflows?page=1&page_size=1&search=pure', { as });
  await transcript.call('GET', '/workflows?page=2&page_size=1', { as });
  await transcript.call('GET', '/workflows?page_size=0&status=odd', { as });
  await transcript.call('GET', `/workflows/${id}/deployments`, { as });
  const first = await transcript.call('POST', `/workflows/${id}/deploy`, {
    as,
    body: { deployment_note: 'first' },
  });
  await transcript.call('PATCH', `/workflows/${id}`, { as, body: { description: 'Again' } });
  const second = await transcript.call('POST', `/workflows/${id}/deploy`, { as });
  await transcript.call('GET', `/workflows/${id}/deployments?limit=1`, { as });
  await transcript.call('GET', `/workflows/${id}/deployments/${first.body.id}`, { as });
  await transcript.call('PUT', `/workflows/${id}/deployments/${first.body.id}/activate`, { as });
  await transcript.call('PUT', `/workflows/${id}/deployments/${NOBODY}/activate`, { as });
  await transcript.call('DELETE', `/workflows/${id}/deployments/${second.body.id}`, { as });
  await transcript.call('DELETE', `/workflows/${id}/deployments/live`, { as });
  await transcript.call('DELETE', `/workflows/${id}/deployments/live`, { as });
  await transcript.call('DELETE', `/workflows/${id}`, { as });
  await transcript.call('DELETE', `/workflows/${id}`, { as });
  await credentials(transcript, as);
  transcript.finish('workflows');
}

async function credentials(transcript: Transcript, as: Person): Promise<void> {
  await transcript.call('GET', '/integrations', { as });
  await transcript.call('GET', '/integrations/slack', { as });
  await transcript.call('GET', '/integrations/nothing', { as });
  const made = await transcript.call('POST', '/credentials', {
    as,
    body: {
      name: 'CRM',
      integration: 'http',
      auth_type: 'bearer',
      data: { access_token: 'tok-very-secret-4711' },
      allowed_hosts: ['crm.example.com'],
    },
  });
  const id: string = made.body.credential_id;
  await transcript.call('POST', '/credentials', {
    as,
    body: { name: 'x', integration: 'http', auth_type: 'magic' },
  });
  await transcript.call('POST', '/credentials', {
    as,
    body: { name: 'x', integration: 'openai', auth_type: 'api_key', data: {} },
  });
  await transcript.call('GET', '/credentials', { as });
  await transcript.call('GET', `/credentials/${id}`, { as });
  await transcript.call('PATCH', `/credentials/${id}`, { as, body: { name: 'CRM 2' } });
  await transcript.call('PATCH', `/credentials/${id}`, { as, body: { name: 7 } });
  await transcript.call('POST', `/credentials/${id}/test`, { as });
  await transcript.call('GET', `/credentials/${id}/tools`, { as });
  await transcript.call('POST', '/credentials/oauth/start', {
    as,
    body: { integration: 'github', name: 'x' },
  });
  await transcript.call('POST', '/credentials/oauth/callback', { as, body: { state: 'x', code: 'y' } });
  await transcript.call('DELETE', `/credentials/${id}`, { as });
  await transcript.call('GET', `/credentials/${id}`, { as });
}

/** Schedules; each request is refused or looks far into the future, so that none fires by itself. */
export async function schedules(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const as = await signIn(processes, 'sven');
  const made = await transcript.send('POST', '/workflows', {
    as,
    body: { name: 'Pure', workflow_schema: pure() },
  });
  await transcript.send('POST', `/workflows/${made.body.id}/deploy`, { as });
  const body = {
    workflow_id: made.body.id,
    name: 'New Year',
    cron_expression: '0 0 1 1 *',
    timezone: 'Europe/Istanbul',
    input: { text: 'Happy' },
    start_at: '2090-01-01T00:00:00Z',
  };
  const schedule = await transcript.call('POST', '/schedules', { as, body });
  const id: string = schedule.body.id;
  await transcript.call('POST', '/schedules', {
    as,
    body: { ...body, cron_expression: '* * * * * *', max_runs: 0 },
  });
  await transcript.call('POST', '/schedules', { as, body: { ...body, workflow_id: NOBODY } });
  await transcript.call('GET', '/schedules', { as });
  await transcript.call('GET', '/schedules?limit=0', { as });
  await transcript.call('GET', `/schedules/${id}`, { as });
  await transcript.call('PATCH', `/schedules/${id}`, {
    as,
    body: { name: 'Old Year', overlap_policy: 'allow_all' },
  });
  await transcript.call('PATCH', `/schedules/${id}`, { as, body: { timezone: 'Mars/Olympus' } });
  await transcript.call('POST', `/schedules/${id}/pause`, { as });
  await transcript.call('POST', `/schedules/${id}/pause`, { as });
  await transcript.call('POST', `/schedules/${id}/resume`, { as });
  await transcript.call('GET', `/schedules/${id}/runs`, { as });
  await transcript.call('DELETE', `/schedules/${id}`, { as });
  await transcript.call('POST', `/schedules/${id}/trigger`, { as });
  transcript.finish('schedules');
}

/** Knowledge bases with their documents and searches. */
export async function knowledge(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const as = await signIn(processes, 'kim');
  const made = await transcript.call('POST', '/knowledge-bases', {
    as,
    body: { name: 'Docs', description: 'All' },
  });
  const base = `/knowledge-bases/${made.body.id}`;
  await transcript.call('POST', '/knowledge-bases', {
    as,
    body: { name: '', chunking_config: { chunk_size: 1 } },
  });
  await transcript.call('GET', '/knowledge-bases', { as });
  await transcript.call('GET', base, { as });
  await transcript.call('PATCH', base, { as, body: { name: 'Documents' } });
  const file = filePart(
    'Refunds are paid within three days.\n\n# Time\n\nNobody waits longer.',
    'refunds.md',
  );
  const fields = [{ name: 'doc_metadata', value: '{"lang":"en","year":2026}' }];
  const document = await transcript.call('POST', `${base}/documents`, {
    as,
    ...multipart([...fields, file]),
  });
  const path = `${base}/documents/${document.body.id}`;
  await eventually('the document to be taken in', 60_000, async () => {
    const { body } = await transcript.send('GET', path, { as });
    return body.status === 'completed' || null;
  });
  await transcript.call('GET', path, { as });
  await transcript.call('POST', `${base}/documents`, { as, ...multipart([...fields, file]) });
  await transcript.call('POST', `${base}/documents`, {
    as,
    ...multipart([{ name: 'file', value: 'no file' }]),
  });
  await transcript.call('POST', `${base}/documents`, { as, body: {} });
  await transcript.call('GET', `${base}/documents`, { as });
  await transcript.call('GET', `${path}/chunks`, { as });
  await transcript.call('POST', `${path}/retry`, { as });
  const query = 'how long until refunds are paid';
  await transcript.call('POST', `${base}/search`, { as, body: { query, top_k: 2 } });
  const filters = { year: { op: 'gte', value: 2025 } };
  await transcript.call('POST', `${base}/search`, { as, body: { query, filters, include_content: false } });
  await transcript.call('POST', `${base}/search`, { as, body: { query: '', top_k: 51 } });
  await transcript.call('DELETE', path, { as });
  await transcript.call('GET', path, { as });
  await transcript.call('DELETE', base, { as });
  await transcript.call('GET', base, { as });
  transcript.finish('knowledge');
}

/** Credits and the wallet, and the gate that refuses in the flat form. */
export async function subscriptions(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const [free, pro] = [await signIn(processes, 'fred', 'free'), await signIn(processes, 'paula', 'pro')];
  await transcript.call('GET', '/subscriptions', { as: free });
  await transcript.call('POST', '/subscriptions/wallet/topup', { as: free, body: { amount: 100 } });
  await transcript.call('POST', '/subscriptions/wallet/extra-usage', { as: free, body: { enabled: true } });
  await transcript.call('GET', '/subscriptions', { as: pro });
  await transcript.call('POST', '/subscriptions/wallet/extra-usage', { as: pro, body: { enabled: true } });
  await transcript.call('POST', '/subscriptions/wallet/extra-usage', { as: pro, body: { enabled: 'yes' } });
  await transcript.call('POST', '/subscriptions/wallet/topup', { as: pro, body: { amount: 0 } });
  await transcript.call('POST', '/subscriptions/wallet/topup', { as: pro, body: { amount: 250 } });
  await transcript.call('GET', '/subscriptions/usage/daily?days=91', { as: pro });
  await transcript.call('GET', '/subscriptions/wallet/ledger', { as: pro });
  await transcript.call('GET', '/subscriptions/wallet/ledger?cursor=nonsense', { as: pro });
  await processes.sql.query(
    'UPDATE credit_accounts SET used_mc = 1000000000, is_overage_enabled = false WHERE organization_id = $1',
    [pro.org],
  );
  await transcript.call('POST', '/workflows/run', {
    as: pro,
    body: { workflow: chat(), input: { name: 'Ada' } },
  });
  await processes.sql.query('UPDATE organizations SET is_suspended = true WHERE id = $1', [free.org]);
  await transcript.call('POST', '/workflows/run', { as: free, body: { workflow: pure() } });
  transcript.finish('subscriptions');
}
