/** An act would leave no trace of who did it: an incident could not be investigated, and a leaver's keys not be found. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneEntries } from '../../src/platform/audit/audit-log.ts';
import { takeStep } from '../../src/features/data/job-runner.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { Janitor } from '../../src/engine/runs/outbox/janitor.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { listCollections } from '../support/collections.ts';
import { uploadFile } from '../support/files.ts';
import { uploadText } from '../support/knowledge.ts';

let api: ApiServer;
let owner: Tenant;
let guest: Tenant;
let guestId: string;

const ADDRESS = '203.0.113.7';
/** Stands in every secret and free text that the acts send. */
const CANARY = 'CANARY-of-the-audit-log';

beforeAll(async () => {
  api = await startApi({
    TRUSTED_PROXIES: '127.0.0.0/8',
    MANAGED_EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1',
    MANAGED_EMBEDDING_MODEL: 'm',
  });
  [owner, guest] = await Promise.all([
    api.tenant(),
    api.tenant({ email: 'guest@example.test', email_verified: true }),
  ]);
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  guestId = (await guest.call('GET', '/auth/me')).body.id;
});
afterAll(() => api.close());

/** Ids of what earlier acts have made, by the last word of their route. */
const made = new Map<string, string>();
const id = (name: string): string => made.get(name) ?? 'missing';

interface Act {
  readonly route: string;
  /** The actions that it leaves, in the order of their names. */
  readonly actions: string;
  readonly body?: () => unknown;
  /** The name of its object for later acts. */
  readonly makes?: string;
  readonly by?: 'guest';
  readonly send?: () => Promise<Answer>;
  readonly before?: () => Promise<unknown>;
}

const invite = async (): Promise<void> => {
  const body = { email: 'guest@example.test', role: 'admin' };
  made.set(
    'invitation',
    (await owner.call('POST', `/organizations/${owner.org}/invitations`, { body })).body.id,
  );
};
const startRun = async (): Promise<void> => {
  const { body } = await owner.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const ended = `UPDATE runs SET status = 'completed', completed_at = now() WHERE run_id = $1 RETURNING id`;
  const [run] = await api.deps.db.query<{ id: string }>(ended, [body.run_id]);
  made.set('run', run?.id ?? '');
};

/** In an order in which they can be done. A path's parameters are the objects of earlier acts. */
const NAMED: readonly Act[] = [
  {
    route: 'POST /organizations',
    actions: 'member.added organization.created',
    body: () => ({ name: 'y' }),
  },
  {
    route: 'PATCH /organizations/:organization_id',
    actions: 'organization.updated',
    body: () => ({ run_retention_days: 30, settings: { note: CANARY } }),
  },
  {
    route: 'POST /organizations/:organization_id/invitations',
    actions: 'invitation.created',
    body: () => ({ email: 'guest@example.test', role: 'admin' }),
    makes: 'invitation',
  },
  {
    route: 'DELETE /organizations/:organization_id/invitations/:invitation_id',
    actions: 'invitation.deleted',
  },
  {
    route: 'POST /auth/invitations/:invitation_id/decline',
    actions: 'invitation.deleted',
    before: invite,
    by: 'guest',
  },
  {
    route: 'POST /auth/invitations/:invitation_id/accept',
    actions: 'invitation.accepted member.added',
    before: invite,
    by: 'guest',
  },
  {
    route: 'PATCH /organizations/:organization_id/members/:user_id',
    actions: 'member.updated',
    body: () => ({ role: 'owner' }),
  },
  { route: 'DELETE /organizations/:organization_id/members/:user_id', actions: 'member.removed' },
  {
    route: 'POST /workflows',
    actions: 'workflow.created',
    body: () => ({ name: 'x', description: CANARY, workflow_schema: hello() }),
    makes: 'workflow',
  },
  {
    route: 'POST /workflows/:workflow_id/deploy',
    actions: 'deployment.created workflow.activated',
    body: () => ({}),
    makes: 'deployment',
  },
  { route: 'DELETE /workflows/:workflow_id/deployments/live', actions: 'workflow.deactivated' },
  {
    route: 'PUT /workflows/:workflow_id/deployments/:deployment_id/activate',
    actions: 'workflow.activated',
  },
  {
    route: 'DELETE /workflows/:workflow_id/deployments/:deployment_id',
    actions: 'deployment.deleted workflow.deactivated',
  },
  {
    route: 'POST /credentials',
    actions: 'credential.created',
    body: () => ({ name: 'x', integration: 'openai', auth_type: 'api_key', data: { api_key: CANARY } }),
    makes: 'credential',
  },
  {
    route: 'PATCH /credentials/:credential_id',
    actions: 'credential.secret_changed',
    body: () => ({ data: { api_key: `${CANARY}-2` } }),
  },
  { route: 'DELETE /credentials/:credential_id', actions: 'credential.deleted' },
  {
    route: 'POST /credentials/:credential_id/test',
    actions: 'credential.tested',
    before: async () => {
      const data = { server_url: 'http://127.0.0.1:9/' };
      const body = { name: 'x', integration: 'mcp', auth_type: 'none', data };
      made.set('credential', (await owner.call('POST', '/credentials', { body })).body.credential_id);
    },
  },
  {
    route: 'POST /schedules',
    actions: 'schedule.created',
    body: () => ({
      workflow_id: id('workflow'),
      name: 'x',
      cron_expression: '0 6 * * 1',
      input: { text: CANARY },
    }),
    makes: 'schedule',
  },
  { route: 'POST /schedules/:schedule_id/pause', actions: 'schedule.disabled' },
  { route: 'POST /schedules/:schedule_id/resume', actions: 'schedule.enabled' },
  {
    route: 'PATCH /schedules/:schedule_id',
    actions: 'schedule.updated',
    body: () => ({ input: { text: `${CANARY}-2` } }),
  },
  { route: 'DELETE /schedules/:schedule_id', actions: 'schedule.deleted' },
  {
    route: 'POST /workflows/:workflow_id/hooks',
    actions: 'hook.created',
    body: () => ({ name: 'x' }),
    makes: 'hook',
  },
  {
    route: 'PATCH /workflows/:workflow_id/hooks/:hook_id',
    actions: 'hook.disabled',
    body: () => ({ enabled: false }),
  },
  { route: 'POST /workflows/:workflow_id/hooks/:hook_id/rotate', actions: 'hook.rotated' },
  { route: 'DELETE /workflows/:workflow_id/hooks/:hook_id', actions: 'hook.deleted' },
  {
    route: 'PUT /workflows/:workflow_id/error-workflow',
    actions: 'workflow.updated',
    before: async () => {
      const body = { name: 'other', workflow_schema: hello() };
      made.set('other', (await owner.call('POST', '/workflows', { body })).body.id);
    },
    body: () => ({ error_workflow_id: id('other') }),
  },
  {
    route: 'POST /notification-endpoints',
    actions: 'notification_endpoint.created',
    body: () => ({ name: 'x', url: `https://endpoint.example.test/${CANARY}` }),
    makes: 'endpoint',
  },
  {
    route: 'PATCH /notification-endpoints/:endpoint_id',
    actions: 'notification_endpoint.disabled',
    body: () => ({ enabled: false }),
  },
  { route: 'POST /notification-endpoints/:endpoint_id/rotate', actions: 'notification_endpoint.rotated' },
  { route: 'DELETE /notification-endpoints/:endpoint_id', actions: 'notification_endpoint.deleted' },
  {
    route: 'PUT /effect-rules/order',
    actions: 'effect_rule.updated',
    before: async () => {
      for (const name of ['first', 'second']) {
        const body = { name, decision: 'allow', when: [] };
        made.set(name, (await owner.call('POST', '/effect-rules', { body })).body.id);
      }
      // One of the two moves.
      await api.deps.db.query('UPDATE effect_rules SET position = 3 WHERE id = $1', [id('second')]);
    },
    body: () => ({ rule_ids: [id('first'), id('second')] }),
  },
  {
    route: 'POST /service-accounts',
    actions: 'member.added service_account.created',
    body: () => ({ name: 'x' }),
    makes: 'service_account',
  },
  {
    route: 'PATCH /service-accounts/:service_account_id',
    actions: 'service_account.updated',
    body: () => ({ name: 'y' }),
  },
  {
    route: 'POST /service-accounts/:service_account_id/keys',
    actions: 'api_key.created',
    body: () => ({ name: 'x' }),
    makes: 'api_key',
  },
  { route: 'DELETE /service-accounts/:service_account_id/keys/:api_key_id', actions: 'api_key.revoked' },
  {
    route: 'DELETE /service-accounts/:service_account_id',
    actions: 'member.removed service_account.deleted user.deactivated',
  },
  // Once in each organization of its owner.
  {
    route: 'POST /api-keys',
    actions: 'api_key.created api_key.created',
    body: () => ({ name: 'x' }),
    makes: 'api_key',
  },
  { route: 'DELETE /api-keys/:api_key_id', actions: 'api_key.revoked api_key.revoked' },
  {
    route: 'POST /knowledge-bases',
    actions: 'knowledge_base.created',
    body: () => ({ name: 'x' }),
    makes: 'knowledge',
  },
  {
    route: 'PATCH /knowledge-bases/:knowledge_id',
    actions: 'knowledge_base.updated',
    body: () => ({ name: 'y' }),
  },
  {
    route: 'POST /knowledge-bases/:knowledge_id/documents',
    actions: 'knowledge_document.created',
    send: () => uploadText(owner, id('knowledge'), CANARY),
    makes: 'document',
  },
  {
    route: 'DELETE /knowledge-bases/:knowledge_id/documents/:document_id',
    actions: 'knowledge_document.deleted',
  },
  { route: 'DELETE /knowledge-bases/:knowledge_id', actions: 'knowledge_base.deleted' },
  {
    route: 'PUT /tables/:table_id/rows/:key',
    actions: 'table_row.created',
    body: () => ({ value: CANARY }),
    before: async () => {
      const { id: tableId } = (await owner.call('POST', '/tables', { body: { name: 'rows' } })).body;
      made.set('table', tableId);
    },
  },
  { route: 'DELETE /tables/:table_id/rows/:key', actions: 'table_row.deleted' },
  {
    route: 'POST /evaluation-sets/:evaluation_set_id/cases',
    actions: 'evaluation_case.created',
    before: async () => {
      const workflow = { name: 'x', workflow_schema: hello() };
      const { id: workflowId } = (await owner.call('POST', '/workflows', { body: workflow })).body;
      const set = { body: { name: 'cases', workflow_id: workflowId } };
      made.set('evaluation_set', (await owner.call('POST', '/evaluation-sets', set)).body.id);
    },
    body: () => ({ cases: [{ input: { text: CANARY } }] }),
  },
  {
    route: 'DELETE /evaluation-sets/:evaluation_set_id/cases/:evaluation_case_id',
    actions: 'evaluation_case.deleted',
    before: async () => {
      const { body } = await owner.call('GET', `/evaluation-sets/${id('evaluation_set')}/cases`);
      made.set('evaluation_case', body.cases[0].id);
    },
  },
  {
    route: 'POST /files',
    actions: 'file.created',
    send: () => uploadFile(owner, CANARY),
    makes: 'file',
  },
  { route: 'GET /files/:file_id/content', actions: 'file.downloaded' },
  { route: 'DELETE /files/:file_id', actions: 'file.deleted' },
  {
    route: 'POST /subscriptions/wallet/extra-usage',
    actions: 'wallet.updated',
    body: () => ({ enabled: true }),
  },
  {
    route: 'PATCH /retention',
    actions: 'organization.updated',
    body: () => ({ value_retention_days: 7 }),
  },
  {
    route: 'POST /auth/me/data-jobs',
    actions: 'data_job.created',
    body: () => ({ kind: 'export', organization_id: owner.org }),
  },
  {
    route: 'POST /data-jobs',
    actions: 'data_job.created',
    body: () => ({ kind: 'export', subject: 'organization' }),
  },
  {
    route: 'GET /data-jobs/:job_id/file',
    actions: 'data_job.downloaded',
    before: async () => {
      // That of the row before is under way.
      await api.deps.db.query('DELETE FROM data_jobs');
      const body = { kind: 'export', subject: 'organization' };
      const { id: jobId } = (await owner.call('POST', '/data-jobs', { body })).body;
      while (await takeStep(api.deps.db, jobId));
      made.set('job', jobId);
    },
  },
  { route: 'GET /audit-log/export', actions: 'audit_log.exported' },
  { route: 'DELETE /workflow-runs/:run_pk', actions: 'run.deleted', before: startRun },
  { route: 'DELETE /workflows/:workflow_id', actions: 'workflow.deleted' },
];

const routes = allRoutes();

/** The acts on resources that their rows tell whole: what POST, PATCH and DELETE do has one word each. */
const PLAIN: readonly Act[] = listCollections()
  .filter(({ path }) => !NAMED.some(({ route }) => route === `POST ${path}`))
  .flatMap(({ path, param, noun, buildBody }): Act[] => [
    {
      route: `POST ${path}`,
      actions: `${noun}.created`,
      body: () => buildBody({ workflow_id: id('workflow') }),
      makes: noun,
    },
    ...routes
      .filter((row) => row.method === 'PATCH' && row.path === `${path}/:${param}`)
      .map(({ example }): Act => ({
        route: `PATCH ${path}/:${param}`,
        actions: `${noun}.updated`,
        body: () => example?.request,
      })),
    { route: `DELETE ${path}/:${param}`, actions: `${noun}.deleted` },
  ]);
// Before the last, which deletes the workflow that they may name.
const ACTS = [...NAMED.slice(0, -1), ...PLAIN, ...NAMED.slice(-1)];

const EDITS = 'each version of a draft is kept with its editor';
const RUNS = 'the history of runs tells who started, answered, cancelled and repeated what';
const OWN = 'a chat is its owner’s';
const LOGGED = 'changes nothing but the log of the address, which tells of it';
const PUBLIC = 'has no caller';
const MONEY = 'the ledger of the wallet is append-only itself';

/** Routes that write without an entry, each with the reason. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'PATCH /workflows/:workflow_id': EDITS,
  'PUT /workflows/:workflow_id': EDITS,
  'POST /workflows/:workflow_id/nodes/:node_id/pin': EDITS,
  'DELETE /workflows/:workflow_id/nodes/:node_id/pin': EDITS,
  'POST /composer/chat': EDITS,
  'POST /workflows/run': RUNS,
  'POST /workflows/run/batch': RUNS,
  'POST /workflows/resume/:run_id': RUNS,
  'POST /workflows/cancel/:run_id': RUNS,
  'POST /workflows/:workflow_id/nodes/:node_id/test': RUNS,
  'POST /workflow-runs/:run_pk/rerun': RUNS,
  'POST /schedules/:schedule_id/trigger': RUNS,
  'POST /unknown-outcomes/:step_id/look': RUNS,
  'POST /unknown-outcomes/:step_id/settle':
    'writes one; test/engine/unknown-effects.test.ts has a run that fails so',
  'POST /mcp': RUNS,
  'POST /openai/chat/completions': RUNS,
  'POST /openai/responses': RUNS,
  'POST /openai/responses/:response_id/cancel': RUNS,
  'DELETE /openai/responses/:response_id': 'hides an answer; its run stays in the history',
  'PATCH /composer/chats/:chat_id': OWN,
  'DELETE /composer/chats/:chat_id': OWN,
  'PATCH /assistant/chats/:chat_id': OWN,
  'DELETE /assistant/chats/:chat_id': OWN,
  'POST /assistant/chat': OWN,
  'POST /requests': 'a message to the operator',
  'POST /support': 'a message to the operator',
  'POST /credentials/oauth/start': 'keeps a state for ten minutes',
  'POST /credentials/oauth/callback': 'writes the credential as POST and PATCH /credentials do',
  'POST /knowledge-bases/:knowledge_id/search': 'reads',
  'POST /workflows/:workflow_id/sheet': 'reads',
  'POST /effect-rules/preview': 'reads',
  'POST /workflows/:workflow_id/rehearsals': 'reads runs, and changes nothing but its own report',
  'POST /rehearsals/:rehearsal_id/cancel': 'ends a report',
  'POST /evaluations': 'tries cases, and changes nothing but its own report',
  'POST /evaluations/:evaluation_id/cancel': 'ends a report',
  'PUT /evaluations/:evaluation_id/trials/:number/mark': 'an opinion in a report',
  'GET /effects/export': 'reads what the list shows',
  'POST /knowledge-bases/:knowledge_id/documents/:document_id/retry': 'repeats what was recorded',
  'POST /notification-endpoints/:endpoint_id/test': LOGGED,
  'POST /notification-endpoints/:endpoint_id/deliveries/:delivery_id/replay': LOGGED,
  'POST /workflows/:workflow_id/hooks/:hook_id/listen': LOGGED,
  'DELETE /workflows/:workflow_id/hooks/:hook_id/listen': LOGGED,
  'POST /workflows/:workflow_id/hooks/:hook_id/deliveries/:delivery_id/redeliver': LOGGED,
  'POST /subscriptions/wallet/topup': MONEY,
  'POST /webhooks/stripe': MONEY,
  'POST /hooks/:token': PUBLIC,
  'PUT /hooks/:token': PUBLIC,
  'POST /callbacks/:token': PUBLIC,
  'POST /answers/:token': PUBLIC,
};

test('every route that writes, and every download, has an act here, or the reason for none', () => {
  const writing = routes.filter(
    ({ method, replies }) =>
      method !== 'GET' || Object.values(replies).some((reply) => reply === 'jsonl' || reply === 'bytes'),
  );
  expect([...ACTS.map(({ route }) => route), ...Object.keys(WITHOUT_ENTRY)].toSorted()).toEqual(
    writing.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

interface Stored {
  readonly action: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly ip_address: string;
}

test.each(ACTS)('$route leaves $actions', async ({ route, actions, ...act }) => {
  await act.before?.();
  made.set('organization', owner.org).set('user', guestId);
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(/:(\w+?)(?:_id|_pk)/g, (_, name: string) => id(name));
  const who = act.by === 'guest' ? guest : owner;
  const requestId = crypto.randomUUID();
  const headers = { 'x-request-id': requestId, 'x-forwarded-for': ADDRESS };
  const body = act.body === undefined ? {} : { body: act.body() };
  const answer = await (act.send?.() ?? who.call(method, path, { ...body, headers }));
  expect(answer.status, answer.text).toBeLessThan(300);
  if (act.makes !== undefined) made.set(act.makes, answer.body.id ?? answer.body.credential_id);
  const rows = await api.deps.db.query<Stored>(
    `SELECT action, actor_type, actor_id, ip_address FROM audit_log WHERE request_id = $1 ORDER BY action`,
    [answer.headers.get('x-request-id')],
  );
  expect(rows.map(({ action }) => action).join(' ')).toBe(actions);
  const actorId = (await who.call('GET', '/auth/me')).body.id;
  for (const row of rows) {
    expect(row).toMatchObject({ actor_type: 'user', actor_id: actorId });
    if (act.send === undefined) expect(row.ip_address).toBe(ADDRESS);
  }
});

const list = async (query = '', who = owner): Promise<Answer> => who.call('GET', `/audit-log${query}`);

test('no entry has a secret, a free text or an address of what was changed', async () => {
  const rows = await api.deps.db.query('SELECT * FROM audit_log');
  expect(rows.length).toBeGreaterThan(ACTS.length);
  expect(JSON.stringify(rows)).not.toContain(CANARY);
});

test('pages and the export have the same entries, newest first, those of this organization alone', async () => {
  const found: { id: string; organization_id: string; created_at: string }[] = [];
  let cursor = '';
  do {
    const { status, body } = await list(`?limit=20${cursor}`);
    expect(status).toBe(200);
    found.push(...body.entries);
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(new Set(found.map(({ organization_id }) => organization_id))).toEqual(new Set([owner.org]));
  expect(found.map(({ created_at }) => created_at)).toEqual(
    found
      .map(({ created_at }) => created_at)
      .toSorted()
      .toReversed(),
  );
  const exported = await owner.call('GET', '/audit-log/export');
  expect(exported.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
  expect(
    exported.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([expect.any(String), ...found.map((entry) => entry.id)]);
  expect((await list('', guest)).body.entries.map(({ action }: { action: string }) => action)).not.toContain(
    'credential.created',
  );
});

test('entries are found by actor, action, object and time', async () => {
  const count = async (query: string): Promise<number> =>
    (await list(`?limit=100&${query}`)).body.entries.length;
  expect(await count(`actor_id=${guestId}`)).toBe(3);
  expect(await count('action=hook.rotated')).toBe(1);
  expect(await count('action=hook')).toBe(4);
  expect(await count('action=hook.rot')).toBe(0);
  expect(await count(`object_id=${id('schedule')}`)).toBe(5);
  // Of few, for a page has at most 100.
  const { created_at: newest } = (await list('?limit=1&action=hook')).body.entries[0];
  const [since, until] = [
    await count(`action=hook&since=${newest}`),
    await count(`action=hook&until=${newest}`),
  ];
  expect(until).toBeLessThan(4);
  expect(since + until).toBe(4);
  expect((await list('?actor_id=x')).status).toBe(422);
});

test('an entry tells former and new values of what is no secret, and who joined by email', async () => {
  const of = async (action: string) => (await list(`?action=${action}`)).body.entries[0];
  expect((await of('organization.updated')).details).toEqual({
    fields: ['value_retention_days'],
    changes: { value_retention_days: { from: null, to: '7' } },
  });
  expect((await of('credential.secret_changed')).details).toEqual({ fields: ['ciphertext'] });
  expect((await of('member.updated')).object).toEqual({
    type: 'member',
    id: guestId,
    name: 'guest@example.test',
  });
});

test('an act of a key tells the key, one of a service account the account', async () => {
  const account = (await owner.call('POST', '/service-accounts', { body: { name: 'CI' } })).body.id;
  const minted = await owner.call('POST', `/service-accounts/${account}/keys`, { body: { name: 'x' } });
  const body = { name: 'x', kind: 'silence' };
  await api.call('POST', '/alerts', { token: minted.body.key, org: owner.org, body });
  expect((await list('?limit=1')).body.entries[0]).toMatchObject({
    action: 'alert.created',
    actor: { type: 'service_account', id: account, name: 'CI', api_key_id: minted.body.id },
  });
});

test('a key that opens every organization is in the log of each of its owner', async () => {
  const other = (await owner.call('POST', '/organizations', { body: { name: 'z' } })).body.id;
  await owner.call('POST', '/api-keys', { body: { name: 'wide' } });
  for (const org of [owner.org, other]) {
    const { body } = await owner.call('GET', '/audit-log?action=api_key.created&limit=1', { org });
    expect(body.entries[0].object.name).toBe('wide');
  }
});

test('an act whose entry cannot be written does not happen', async () => {
  const { db } = api.deps;
  await db.query(`ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (action <> 'alert.deleted') NOT VALID`);
  const alert = (await owner.call('POST', '/alerts', { body: { name: 'x', kind: 'silence' } })).body.id;
  expect((await owner.call('DELETE', `/alerts/${alert}`)).status).toBe(500);
  expect((await owner.call('GET', `/alerts/${alert}`)).status).toBe(200);
  await db.query('ALTER TABLE audit_log DROP CONSTRAINT refused');
});

test('entries are neither changed nor deleted but by their retention', async () => {
  const { db } = api.deps;
  for (const change of ['DELETE FROM audit_log', `UPDATE audit_log SET action = 'x'`, 'TRUNCATE audit_log'])
    await expect(db.query(change)).rejects.toThrow('the audit log is append-only');
  const before = (await list('?limit=100')).body.entries.length;
  expect(await pruneEntries(db, owner.org, 1)).toBe(0);
  expect(await pruneEntries(db, guest.org, -1)).toBeGreaterThan(0);
  expect((await list('?limit=100')).body.entries).toHaveLength(before);
  await expect(db.query('DELETE FROM audit_log')).rejects.toThrow('the audit log is append-only');
});

test('entries go after the term that they were written under, and an entry tells how many', async () => {
  const { db, log } = api.deps;
  const keep = (days: number | null): Promise<Answer> =>
    owner.call('PATCH', '/retention', { body: { audit_retention_days: days } });
  const write = (): Promise<unknown> =>
    db.query(`SELECT record_action($1, 'old.entry', '{"type": "old", "id": null, "name": null}', '{}')`, [
      owner.org,
    ]);
  const readTerms = async (): Promise<(number | null)[]> => {
    const rows = await db.query<{ days: number | null }>(
      `SELECT extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM audit_log
       WHERE action = 'old.entry' ORDER BY created_at`,
    );
    return rows.map(({ days }) => (days === null ? null : Math.round(days)));
  };
  await write();
  expect((await keep(365)).status).toBe(200);
  await write();
  expect((await keep(90)).status).toBe(200);
  await write();
  expect(await readTerms()).toEqual([null, 365, 90]);
  // A day and a little after the last one's term; the log cannot be changed, so its guard is lifted.
  await db.transaction(async (tx) => {
    await tx.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_is_append_only');
    await tx.query(`UPDATE audit_log SET created_at = created_at - interval '92 days', expires_at = expires_at - interval '92 days'
                    WHERE action = 'old.entry'`);
    await tx.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_is_append_only');
  });
  for (let sweep = 0; sweep < 2; sweep += 1) await new Janitor({ db, log }).sweep();
  expect(await readTerms()).toEqual([null, 365]);
  const { entries } = (await list('?action=audit_log.expired')).body;
  expect(entries).toEqual([
    expect.objectContaining({ actor: expect.objectContaining({ type: 'system' }), details: { entries: 1 } }),
  ]);
});

test('an owner alone changes how long entries are kept, for 90 days at least', async () => {
  const keep = (who: Tenant, days: number | null): Promise<Answer> =>
    who.call('PATCH', '/retention', {
      org: owner.org,
      body: { audit_retention_days: days, value_retention_days: 7 },
    });
  const admin = await api.tenant();
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1`,
    [admin.org, owner.org],
  );
  expect((await keep(owner, 89)).status).toBe(422);
  expect((await keep(owner, 90)).status).toBe(200);
  const refused = await keep(admin, 91);
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'owner_role_required']);
  // A form sends all of its fields, and what it does not change is no act.
  expect((await keep(admin, 90)).status).toBe(200);
  expect((await keep(admin, null)).status).toBe(403);
});

test('the first sign-in of a person is recorded, and no later one', async () => {
  const person = await api.tenant();
  const { body: me } = await person.call('GET', '/auth/me');
  const entries = await api.deps.db.query(
    `SELECT 1 FROM audit_log WHERE action = 'user.created' AND object_id = $1`,
    [me.id],
  );
  expect(entries).toHaveLength(1);
});
