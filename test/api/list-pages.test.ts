/** A list that grows while it is read would give rows twice or not at all, or a page would get slower with every stored row. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { NEXT_ROWS } from '../../src/base/db/bounded-page.ts';
import type { Db } from '../../src/base/db/client.ts';
import { listRuns } from '../../src/engine/runs/ledger/read/run-list.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import {
  createOwner,
  fillList,
  GROWN_LISTS,
  type GrownList,
  type ListOwner,
} from '../support/grown-lists.ts';

const ROWS = 3_000;
let api: ApiServer;
let tenant: Tenant;
let owner: ListOwner;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  const { body: me } = await tenant.call('GET', '/auth/me');
  owner = await createOwner(api.deps.db, tenant.org, me.id);
  for (const list of GROWN_LISTS) await fillList(api.deps.db, list, { owner, from: 0, to: ROWS });
  await api.deps.db.query('ANALYZE');
});
afterAll(() => api.close());

const SIZE = 20;

interface PageAnswer {
  readonly keys: readonly string[];
  readonly next: string | null;
  readonly previous: string | null | undefined;
}

async function readPage(
  list: GrownList,
  query: Readonly<Record<string, string>>,
  who = tenant,
): Promise<PageAnswer> {
  const search = new URLSearchParams({ limit: String(SIZE), ...query });
  const { status, body } = await who.call('GET', list.path(owner) + search.toString());
  expect([status, body.detail]).toEqual([200, undefined]);
  const keys = body[list.field].map((row: Record<string, string>) => row[list.key]);
  return { keys, next: body.next_cursor, previous: body.previous_cursor };
}

test('API-limits: a text is found in the names of workflows and in the messages of failed runs, once, in the order of the list and by cursor', async () => {
  const [runs] = GROWN_LISTS;
  if (runs === undefined) throw new Error('there is no list of runs');
  const all: string[] = [];
  for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page += 1) {
    const given = cursor === null ? {} : { cursor };
    const found: PageAnswer = await readPage(runs, { limit: '100', status: 'failed', ...given });
    all.push(...found.keys);
    cursor = found.next;
  }
  expect(all.length).toBeGreaterThan(ROWS / 100);
  for (const q of ['QUARTERLY', 'no such report', 'r']) {
    const pages: string[][] = [];
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page += 1) {
      const given = cursor === null ? {} : { cursor };
      const found: PageAnswer = await readPage(runs, {
        limit: '50',
        q,
        ...given,
        ...(q === 'r' ? { status: 'failed' } : {}),
      });
      pages.push([...found.keys]);
      cursor = found.next;
    }
    expect(pages.flat()).toEqual(all);
    const offset = { q, status: 'failed', limit: '5', offset: '3' };
    expect((await readPage(runs, offset)).keys).toEqual(all.slice(3, 8));
  }
  expect((await readPage(runs, { q: 'quarterly%' })).keys).toEqual([]);
});

test('API-pagination: every list with a size of its pages has cursors, but firings, which are times to come, and those in the shape of OpenAI; the runs of a rehearsal are bounded', () => {
  const paged = allRoutes()
    .filter(({ query }) => 'limit' in ((query as { readonly shape?: object } | undefined)?.shape ?? {}))
    .map(({ operationId }) => operationId);
  const other = [
    'listScheduleFirings',
    'listResponseInput',
    'listComposerChats',
    'listComposerMessages',
    // At most 500; test/engine/rehearsals.test.ts reads them by cursor.
    'listRehearsedRuns',
    // At most 200, and 500 in each; test/api/evaluation-sets.test.ts reads them by cursor.
    'listEvaluationSets',
    'listEvaluationCases',
    // At most 2,000, and few that 30 days keep; test/engine/evaluations.test.ts reads them by cursor.
    'listEvaluationTrials',
    'listEvaluations',
  ];
  expect([...GROWN_LISTS.map(({ operationId }) => operationId), ...other].toSorted()).toEqual(
    paged.toSorted(),
  );
});

describe.each(GROWN_LISTS.map((list) => [list.operationId, list] as const))('%s', (_, list) => {
  test('API-pagination: rows that arrive while a list is read by cursors neither repeat nor hide others, and the way back is the same', async () => {
    const pages: PageAnswer[] = [await readPage(list, {})];
    for (let page = 1; page < 4; page += 1) {
      await fillList(api.deps.db, list, { owner, from: ROWS + (page - 1) * 5, to: ROWS + page * 5 });
      pages.push(await readPage(list, { cursor: pages.at(-1)?.next ?? '' }));
    }
    const keys = pages.flatMap((page) => page.keys);
    expect(new Set(keys).size).toBe(4 * SIZE);
    if (pages[0]?.previous === undefined) return;
    expect(pages[0]?.previous).toBeNull();
    const back = await readPage(list, { cursor: pages[3]?.previous ?? '' });
    expect(back.keys).toEqual(pages[2]?.keys);
    const first = await readPage(list, { cursor: pages[1]?.previous ?? '' });
    expect(first.keys).toEqual(pages[0]?.keys);
  });

  test('API-pagination: a cursor is refused with other filters, and is no cursor of another person', async () => {
    const { next } = await readPage(list, {});
    const search = `${list.path(owner)}limit=2&cursor=${next}`;
    const stranger = await api.tenant();
    expect((await stranger.call('GET', search)).status).toBeGreaterThanOrEqual(400);
    const [rare] = Object.entries(list.rare ?? {});
    if (rare === undefined) return;
    const filtered = await tenant.call('GET', `${search}&${rare.join('=').replace('$userId', owner.userId)}`);
    expect([filtered.status, filtered.body]).toEqual([400, { detail: 'Invalid cursor' }]);
  });

  const filters = [{}, ...Object.entries(list.rare ?? {}).map(([name, value]) => ({ [name]: value }))];
  test.each(filters)(
    'a page far down reads its rows from an index, in order, and no others: %o',
    async (given) => {
      const filter = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value === '$userId' ? owner.userId : value]),
      );
      await expectReadInOrder(list, filter);
    },
  );
});

/** Reads two pages, and looks at the rows that the plans of their statements read. */
async function expectReadInOrder(list: GrownList, filter: Readonly<Record<string, string>>): Promise<void> {
  const { next } = await readPage(list, filter);
  for (const query of [filter, ...(next === null ? [] : [{ ...filter, cursor: next }])]) {
    const statements = await capture(() => readPage(list, query));
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      const nodes = await explain(api.deps.db, statement);
      const about = nodes.some((node) => list.tables.includes(node['Relation Name'] ?? ''));
      // `total` of a search in workflows.
      const isCounted = list.operationId === 'listWorkflows' && /count\(/i.test(statement.text);
      // Read after a search that a busy machine has not ended in time; its own test looks at it.
      const isBounded = statement.text.includes('stop AS MATERIALIZED');
      if (!about || isCounted || isBounded) continue;
      for (const node of nodes.filter((each) => list.tables.includes(each['Relation Name'] ?? ''))) {
        expect(node['Node Type'], statement.text).not.toBe('Seq Scan');
        const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
        expect(read, statement.text).toBeLessThanOrEqual(5 * SIZE);
      }
    }
  }
}

test('the few questions of a kind among many that one person may answer are read in order, and no others', async () => {
  const list = GROWN_LISTS.find(({ operationId }) => operationId === 'listInterrupts');
  if (list === undefined) throw new Error('there is no list of questions');
  const { db } = api.deps;
  await db.query(
    `INSERT INTO open_question_assignees (interrupt_id, assignee, organization_id, created_at, kind)
     SELECT id, 'role:owner', organization_id, created_at, kind FROM run_interrupts WHERE organization_id = $1`,
    [owner.organizationId],
  );
  await db.query('ANALYZE open_question_assignees');
  await expectReadInOrder(list, { assignee: 'me' });
  await expectReadInOrder(list, { assignee: 'me', kind: 'unknown_effect' });
  const mine = await readPage(list, { assignee: 'me', kind: 'unknown_effect' });
  expect([mine.keys.length, mine.keys]).toEqual([
    SIZE,
    (await readPage(list, { kind: 'unknown_effect' })).keys,
  ]);
});

/** Lets the server cancel each search in a whole list, as one that takes too long. @returns the statements that were read instead */
async function cancelSearches(work: () => Promise<unknown>): Promise<Statement[]> {
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const searching = new WeakSet<object>();
  return capture(work, function cancel(this: pg.Client, ...args: unknown[]) {
    const [given] = args as [string | Partial<Statement>];
    const text = typeof given === 'string' ? given : (given.text ?? '');
    const isSearch = searching.delete(this);
    if (text.includes(`set_config('statement_timeout'`)) searching.add(this);
    return query.apply(this, isSearch ? [{ text: 'SELECT pg_sleep(60)', values: [] }] : args);
  });
}

describe('a search that takes too long', () => {
  const reads = GROWN_LISTS.filter(({ operationId }) => ['listRuns', 'listEffects'].includes(operationId));

  // All but the oldest run are private; it alone has metadata.
  beforeAll(async () => {
    const oldest = '(SELECT id FROM runs WHERE organization_id = $1 ORDER BY created_at, id LIMIT 1)';
    const others = `UPDATE runs SET is_private = true WHERE organization_id = $1 AND id <> ${oldest}`;
    await api.deps.db.query(others, [owner.organizationId]);
    const first = `UPDATE runs SET metadata = '{"kind":"first"}' WHERE id = ${oldest}`;
    await api.deps.db.query(first, [owner.organizationId]);
    await api.deps.db.query('VACUUM ANALYZE runs');
  });

  async function readAll(list: GrownList, filter: Readonly<Record<string, string>>) {
    const pages: PageAnswer[] = [];
    for (let next: string | null | undefined; next !== null; next = pages.at(-1)?.next ?? null)
      pages.push(
        await readPage(list, { ...filter, limit: '100', ...(next === undefined ? {} : { cursor: next }) }),
      );
    return { pages, keys: pages.flatMap(({ keys }) => keys) };
  }

  const filters = reads.flatMap((list) =>
    [
      ...Object.entries(list.rare ?? {})
        .filter(([name]) => name !== 'segments')
        .map(([name, value]) => ({ [name]: value })),
      ...(list.operationId === 'listRuns'
        ? [
            { metadata: 'no:run' },
            { q: 'nowhere' },
            { q: 'no such', status: 'failed', segments: 'newest' },
            { created_by: '$userId', trigger_type: 'schedule' },
          ]
        : [{ host: 'common.example', door: 'mcp' }]),
    ].map((filter) => [list.operationId, filter, list] as const),
  );
  test.each(filters)(
    'API-limits: is answered with the matches among the next rows, and goes on behind them: %s %o',
    async (_, given, list) => {
      const filter = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value === '$userId' ? owner.userId : value]),
      );
      const { keys } = await readAll(list, filter);
      const statements = await cancelSearches(async () => {
        expect((await readAll(list, filter)).keys).toEqual(keys);
      });
      const [first] = statements.filter(({ text }) => text.includes('stop AS MATERIALIZED'));
      if (first === undefined) throw new Error('no search was cancelled');
      for (const node of await explain(api.deps.db, first)) {
        if (!list.tables.includes(node['Relation Name'] ?? '')) continue;
        expect(node['Node Type'], first.text).not.toBe('Seq Scan');
        const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
        expect(read, first.text).toBeLessThanOrEqual(NEXT_ROWS);
      }
    },
  );

  test('API-pagination: an empty page leads on, and back to what was before it', async () => {
    const [runs] = reads;
    if (runs === undefined) throw new Error('there is no list of runs');
    const follow = async (filter: Readonly<Record<string, string>>, first: PageAnswer) => {
      let page = first;
      while (page.keys.length === 0 && page.next !== null)
        page = await readPage(runs, { ...filter, cursor: page.next });
      return page;
    };
    await cancelSearches(async () => {
      const empty = await readPage(runs, { q: 'nowhere' });
      expect(empty).toMatchObject({ keys: [], next: expect.any(String), previous: null });
      expect(await follow({ q: 'nowhere' }, empty)).toMatchObject({ keys: [], next: null });
      const some = await readPage(runs, { metadata: 'kind:first' });
      expect(some.keys).toEqual([]);
      const end = await follow({ metadata: 'kind:first' }, some);
      expect(end.keys).toHaveLength(1);
      const back = await readPage(runs, { metadata: 'kind:first', cursor: end.previous ?? '' });
      expect(back).toMatchObject({ keys: [], next: expect.any(String), previous: expect.any(String) });
      expect((await readPage(runs, { metadata: 'kind:first', cursor: back.next ?? '' })).keys).toEqual(
        end.keys,
      );
    });
  });

  test('private runs of others are not read through for a page', async () => {
    const reader = { organizationId: owner.organizationId, userId: owner.workflowId, seesPrivate: false };
    const none = { runId: null, workflowId: null, status: null, triggerType: null, createdBy: null };
    const filter = { ...none, metadata: null, from: null, to: null, text: null, newestSegmentsOnly: true };
    const read = (place: { readonly place: number; readonly rowId: string } | null) =>
      listRuns(api.deps.db, reader, {
        ...filter,
        page: { from: place, isBackward: false, limit: 21, offset: 0 },
      });
    await cancelSearches(async () => {
      let page = await read(null);
      expect([page.rows.length, page.stoppedAt?.place]).toEqual([0, expect.any(Number)]);
      while (page.stoppedAt !== null) page = await read(page.stoppedAt);
      expect(page.rows).toHaveLength(1);
    });
  });
});

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the statements of a request that read lists, or count them. @param send sends each of them */
async function capture(
  work: () => Promise<unknown>,
  send?: (this: pg.Client, ...args: unknown[]) => unknown,
): Promise<Statement[]> {
  const found: Statement[] = [];
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function record(
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [given, values] = args as [string | Partial<Statement>, (readonly unknown[])?];
    const text = typeof given === 'string' ? given : (given.text ?? '');
    const bound = typeof given === 'string' ? values : (given.values ?? values);
    if (/\blimit\b|\bcount\(/i.test(text)) found.push({ text, values: bound ?? [] });
    return (send ?? query).apply(this, args) as never;
  } as never);
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return found;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Runs a statement behind the wall, as a request does. @returns the nodes of its plan */
async function explain(db: Db, { text, values }: Statement): Promise<PlanNode[]> {
  const walled = db.within({ request: '', organizationId: owner.organizationId });
  const [row] = await walled.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  return row === undefined ? [] : flatten(row['QUERY PLAN'][0].Plan);
}
