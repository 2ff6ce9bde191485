/** A statement that forgot its organization would show one tenant the rows of another: the database must not. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { listCollections } from '../support/collections.ts';
import { ask } from '../support/questions.ts';

/** In every name and text of the other tenant's objects. */
const CANARY = 'canary-of-another-tenant';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

let api: ApiServer;
let tenant: Tenant;
let other: Tenant;
/** Reads and changes of the other tenant's objects, and lists, which have some of the caller's own. */
let requests: readonly Request[];

/** Starts a run that waits for an answer, and has a step and an event. */
async function makeRun(owner: Tenant, name: string, workflow: string): Promise<Record<string, string>> {
  const { db } = api.deps;
  const body = { workflow_id: workflow, input: { note: name }, metadata: { customer: 'one' } };
  const { body: started } = await owner.call('POST', '/workflows/run', { body });
  const [run] = await db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [started.run_id]);
  const [step] = await db.query<{ id: string }>(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect, output)
     VALUES (gen_random_uuid(), $1, $1, 'n', 'transformer', $2, 1, 1, 1, 'succeeded', 'pure', to_json($2::text)) RETURNING step_id AS id`,
    [run?.id, name],
  );
  const [question] = await ask(db, started.run_id, { title: name });
  return {
    run: run?.id ?? '',
    runId: started.run_id,
    step: step?.id ?? '',
    question: question ?? '',
  };
}

const get = (...paths: string[]): Request[] => paths.map((path) => ({ method: 'GET', path }));
/** Resources that are made below, with what they need. */
const BY_NAME = ['/workflows', '/schedules', '/credentials', '/service-accounts'];

async function makeObjects(owner: Tenant, name: string): Promise<Request[]> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await owner.call('POST', path, { body });
    expect(answer.status, answer.text).toBe(201);
    return String(answer.body.id ?? answer.body.credential_id);
  };
  const workflow = await make('/workflows', { name, workflow_schema: hello() });
  const deployment = await make(`/workflows/${workflow}/deploy`, { deployment_note: name });
  const hook = await make(`/workflows/${workflow}/hooks`, { name });
  const endpoint = await make('/notification-endpoints', { name, url: 'https://endpoint.example.test' });
  const schedule = await make('/schedules', { workflow_id: workflow, name, cron_expression: '0 6 * * 1' });
  const server = { integration: 'mcp', auth_type: 'none', data: { server_url: 'https://mcp.example.test' } };
  const credential = await make('/credentials', { name, ...server });
  const base = await make('/knowledge-bases', { name });
  const account = await make('/service-accounts', { name, role: 'admin' });
  await make(`/service-accounts/${account}/keys`, { name });
  const invitation = await make(`/organizations/${owner.org}/invitations`, {
    email: `${name}@example.test`,
    role: 'admin',
  });
  const plain: Request[] = [];
  for (const { path, buildBody } of listCollections().filter((each) => !BY_NAME.includes(each.path))) {
    // A type has a name of its own form, and one for people.
    const named = path === '/integration-types' ? { display_name: name } : { name };
    const id = await make(path, { ...buildBody({ workflow_id: workflow }), ...named });
    plain.push(...get(path, `${path}/${id}`));
  }
  const { run, runId, step, question } = await makeRun(owner, name, workflow);
  const remove = (...paths: string[]): Request[] => paths.map((path) => ({ method: 'DELETE', path }));
  return [
    ...plain,
    ...get('/schedules', `/schedules/${schedule}`, '/credentials'),
    ...get(`/credentials/${credential}`, '/notification-endpoints', `/notification-endpoints/${endpoint}`),
    ...get(
      '/knowledge-bases',
      `/knowledge-bases/${base}`,
      '/audit-log',
      '/audit-log/export',
      '/effects',
      '/effects/export',
      '/unknown-outcomes',
      '/integrations',
    ),
    ...get(`/workflows/${workflow}/hooks`, `/workflows/${workflow}/hooks/${hook}`),
    ...get(`/workflows/${workflow}/deployments`, `/workflows/${workflow}/deployments/${deployment}`),
    ...get('/workflows', '/workflows?page_size=10&search=a', `/workflows/${workflow}`, '/workflow-runs'),
    ...get('/workflow-runs?segments=newest', '/workflow-runs?metadata=customer:one', `/workflow-runs/${run}`),
    ...get(
      `/workflow-runs/${run}/steps/${step}`,
      `/workflow-runs/${run}/definition`,
      '/interrupts',
      '/interrupts?assignee=me',
    ),
    ...get(`/workflows/runs/${runId}`, `/workflows/listen/${runId}`, `/openai/responses/resp_${runId}`),
    ...get('/openai/models', '/data-jobs', '/service-accounts', `/service-accounts/${account}/keys`),
    ...get(`/organizations/${tenant.org}/members`, `/organizations/${tenant.org}/invitations`),
    ...get(
      '/assistant/chats',
      '/composer/chats',
      '/subscriptions/wallet/ledger',
      '/subscriptions/usage/daily',
    ),
    { method: 'POST', path: '/workflows/run', body: { workflow_id: workflow, input: {} } },
    { method: 'POST', path: `/workflows/cancel/${runId}`, body: {} },
    {
      method: 'POST',
      path: `/workflows/resume/${runId}`,
      body: { interrupt_id: question, action: 'approve' },
    },
    { method: 'POST', path: `/workflow-runs/${run}/rerun`, body: {} },
    { method: 'POST', path: `/workflows/${workflow}/deploy`, body: {} },
    { method: 'PUT', path: `/workflows/${workflow}`, body: { name: 'taken' } },
    { method: 'PATCH', path: `/service-accounts/${account}`, body: { name: 'taken' } },
    ...remove(`/workflows/${workflow}`, `/workflow-runs/${run}`, `/service-accounts/${account}`),
    ...remove(`/organizations/${tenant.org}/invitations/${invitation}`),
  ];
}

beforeAll(async () => {
  api = await startApi({ MANAGED_EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1', MANAGED_EMBEDDING_MODEL: 'm' });
  [tenant, other] = await Promise.all([api.tenant(), api.tenant()]);
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  await makeObjects(tenant, 'mine');
  requests = await makeObjects(other, CANARY);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => api.close());

interface Statement {
  text: string;
  name?: string | undefined;
  values?: readonly unknown[];
}

/** A predicate in the SQL of the service and of Prisma. Its parameter stays in use, or the statement would not be valid. */
const PREDICATE = /((?:"?\w+"?\.)*"?organization_id"?) = (\$\d+|keys\.organization_id)(::uuid)?/g;

interface Seen {
  /** Statements with a predicate that a request's role has run. */
  readonly walled: string[];
  /** The same of other roles. */
  readonly bare: string[];
}

/** Connections within a transaction that sees one organization. */
const walled = new WeakSet<pg.Client>();

function noteContext(client: pg.Client, given: string | Statement): void {
  const { text, values } = typeof given === 'string' ? { text: given, values: [] } : given;
  if (text.includes(`set_config('app.organization_id'`) && values?.[1]) walled.add(client);
  if (text === 'COMMIT' || text === 'ROLLBACK') walled.delete(client);
}

/** Takes the predicates out of the walled statement with this number, counted from 0. @returns the texts of all that had one */
function takeOut(place: number): Seen {
  const seen: Seen = { walled: [], bare: [] };
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    noteContext(this, args[0] as string | Statement);
    const statement = args[0] as Statement;
    const open = statement.text?.replaceAll(
      PREDICATE,
      (_, _column, parameter: string) => `(${parameter}::uuid IS NOT NULL)`,
    );
    if (open !== statement.text) {
      const texts = walled.has(this) ? seen.walled : seen.bare;
      if (texts === seen.walled && texts.length === place) {
        statement.text = open;
        statement.name = undefined;
      }
      texts.push(statement.text);
    }
    return query.apply(this, args) as never;
  });
  return seen;
}

const send = ({ method, path, body }: Request, sender = tenant): Promise<Answer> =>
  sender.call(method, path, body === undefined ? {} : { body });
/** They answer with the caller's own; all else is of one object. */
const LISTS = /^\/[\w-]+(\?.*)?$|^\/(?!workflow).*\/(export|chats|ledger|daily|models|members|invitations)$/;

test('SEC-T20: no statement of a request reaches the rows of another organization without its predicate', async () => {
  const statuses = await Promise.all(
    requests.map(async (request) => [request, (await send(request)).status]),
  );
  const expected = requests.map((request) => [request, LISTS.test(request.path) ? 200 : 404]);
  expect(statuses).toEqual(expected);
  const bare = new Set<string>();
  for (const [at, request] of requests.entries()) {
    const whole = takeOut(-1);
    expect((await send(request)).text).not.toContain(CANARY);
    vi.restoreAllMocks();
    for (const statement of whole.bare) bare.add(statement);
    for (const place of whole.walled.keys()) {
      takeOut(place);
      const { status, text } = await send(request);
      vi.restoreAllMocks();
      expect([request, status], whole.walled[place]).toEqual(statuses[at]);
      expect(text, whole.walled[place]).not.toContain(CANARY);
    }
  }
  // Authentication alone comes before there is an organization, and is asked again while a download goes on.
  expect([...bare]).toEqual([
    expect.stringMatching(/FROM users u[^]*AS found$/),
    expect.stringMatching(/^SELECT 1 FROM users u/),
  ]);
  const own = requests.filter(({ method, path }) => method === 'GET' && !path.startsWith('/organizations'));
  for (const request of own) expect([request, (await send(request, other)).status]).toEqual([request, 200]);
});

/** The tables without a policy, as prisma/README.md gives the reasons for. */
const UNWALLED = [
  '_prisma_migrations',
  'knowledge_chunks',
  'knowledge_contents',
  'knowledge_pieces',
  'knowledge_searches',
  'organizations',
  'rate_windows',
  'required_build',
  'stray_files',
  'support_requests',
  'temporal_namespace',
  'users',
  'worker_leases',
];

test('SEC-T20: a request of an organization without rows sees and deletes none in any table', async () => {
  const { db } = api.deps;
  const stranger = db.within({ request: '', organizationId: randomUUID() });
  const tables = await db.query<{ name: string; isWalled: boolean }>(
    `SELECT relname AS name, relrowsecurity AS "isWalled" FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`,
  );
  expect(tables.filter(({ isWalled }) => !isWalled).map(({ name }) => name)).toEqual(UNWALLED);
  const names = tables.filter(({ isWalled }) => isWalled).map(({ name }) => name);
  const count = (): Promise<number[]> =>
    Promise.all(
      names.map(async (name) => {
        const [row] = await db.query<{ count: number }>(`SELECT count(*) FROM ${name}`);
        return row?.count ?? 0;
      }),
    );
  const before = await count();
  for (const name of [...names, 'segments', 'newest_segments']) {
    expect([name, await stranger.query(`SELECT 1 FROM ${name}`)]).toEqual([name, []]);
    // Nobody changes the first two; the views of runs are only read.
    if (['audit_log', 'wallet_ledger', 'segments', 'newest_segments'].includes(name)) continue;
    expect([name, await stranger.query(`DELETE FROM ${name} RETURNING 1`)]).toEqual([name, []]);
  }
  expect(await count()).toEqual(before);
});
