/** A run would be started twice, not at all or for the wrong caller, or a refusal would not say why. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb } from '../../src/base/db/client.ts';
import { appendEvents, closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { buildRow, insertRuns } from '../../src/engine/runs/ledger/write/insert-runs.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';
import { approval, ask } from '../support/questions.ts';
import { newRun } from '../support/runs.ts';
import { eventually } from '../support/waiting.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
});
afterAll(() => api.close());

const start = (body: object, headers: Record<string, string> = {}, who = tenant): Promise<Answer> =>
  who.call('POST', '/workflows/run', { body, headers });

async function pkOf(runId: string): Promise<string> {
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  if (row === undefined) throw new Error(`no run ${runId}`);
  return row.id;
}

const complete = async (runId: string, output: unknown = { said: 'x' }): Promise<boolean> =>
  closeRun(api.deps.db, {
    runPk: await pkOf(runId),
    from: ['running'],
    status: 'completed',
    payload: {},
    output,
    outputSummary: 'x',
  });

const history = async (query = '', who = tenant): Promise<string[]> => {
  const { body } = await who.call('GET', `/workflow-runs?limit=100${query}`);
  return body.runs.map((run: { run_id: string }) => run.run_id);
};

describe('POST /workflows/run', () => {
  test('SRV-accept: the answer has the shape of SPEC API-run-start, and everything of the run is durable by then', async () => {
    const { status, body } = await start({ workflow: hello('Greeting'), input: { text: 'hi' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'running',
      ephemeral: false,
      stream: true,
      workflow_name: 'Greeting',
      workflow_version: '1.0.0',
      workflow_source: 'request',
      human_message: {
        role: 'human',
        content: 'hi',
        status: 'completed',
        run_id: body.run_id,
        chat_id: body.chat_id,
      },
      ai_message: { role: 'ai', content: '', status: 'pending' },
    });
    expect(Number.isInteger(body.elapsed_ms)).toBe(true);
    const runPk = await pkOf(body.run_id);
    const rows = await api.deps.db.query(
      `SELECT (SELECT count(*) FROM outbox WHERE subject_id = $1 AND kind = 'start') AS outbox,
              (SELECT count(*) FROM run_cursors WHERE root_run_pk = $1) AS cursors,
              (SELECT json_agg(type ORDER BY seq) FROM run_events WHERE run_pk = $1) AS events,
              (SELECT thread_id FROM chats WHERE id = $2) AS thread`,
      [runPk, body.chat_id],
    );
    expect(rows).toEqual([{ outbox: 1, cursors: 1, events: ['run_started'], thread: body.thread_id }]);
  });

  test('an organization that waits for its own account leaves the connections to the others', async () => {
    const [busy, other] = await Promise.all([api.tenant(), api.tenant()]);
    await api.deps.db.query(`UPDATE organizations SET plan = 'free' WHERE id = $1`, [busy.org]);
    await start({ workflow: hello('First') }, {}, busy);
    const holder = openDb(api.deps.config.databaseUrl, 2);
    const waiting = async (): Promise<number> => {
      const rows = await holder.query<{ count: number }>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.count ?? 0;
    };
    const answers: Promise<Answer>[] = [];
    await holder.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM credit_accounts WHERE organization_id = $1 FOR UPDATE', [busy.org]);
      for (let run = 0; run < 24; run += 1)
        answers.push(start({ workflow: hello('Held') }, { 'Idempotency-Key': randomUUID() }, busy));
      await eventually('as many as may wait for the account', 8_000, async () =>
        (await waiting()) >= 8 ? true : null,
      );
      expect((await start({ workflow: hello('Free') }, {}, other)).status).toBe(200);
      // One that looks for a deadlock, after a second of waiting, is not seen to wait.
      expect(await waiting()).toBeLessThanOrEqual(8);
    });
    // The free plan has ten runs a minute.
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    await holder.close();
  });

  test('SEC-G03: runs the live deployment of a saved workflow, with its default input beneath; without one it is 400', async () => {
    const made = await tenant.call('POST', '/workflows', {
      body: { name: 'Saved', workflow_schema: hello('Saved'), input: { a: 1, b: 1 } },
    });
    const workflowId = made.body.id;
    const undeployed = await start({ workflow_id: workflowId });
    expect([undeployed.status, undeployed.body.detail]).toEqual([
      400,
      expect.stringMatching(/Deploy it first/),
    ]);
    const deployment = await tenant.call('POST', `/workflows/${workflowId}/deploy`);
    const { body } = await start({ workflow_id: workflowId, input: { b: 2 } });
    expect(body.workflow_source).toBe('database');
    const record = await tenant.call('GET', `/workflow-runs/${await pkOf(body.run_id)}`);
    expect(record.body).toMatchObject({
      workflow_id: workflowId,
      deployment_id: deployment.body.id,
      deployment_version: deployment.body.version,
      is_ad_hoc: false,
      input: { a: 1, b: 2 },
    });
    const foreign = await start({ workflow_id: workflowId }, {}, stranger);
    const unknown = await start({ workflow_id: randomUUID() });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(unknown.text);
  });

  test.each([
    ['nothing', {}, 400],
    ['an llm alone', { llm: { model: 'x' } }, 410],
    ['two selectors', { workflow: hello(), workflow_id: randomUUID() }, 400],
    ['a workflow that is no object', { workflow: 'text' }, 422],
    ['a workflow_id that is no UUID', { workflow_id: 'not-a-uuid' }, 422],
    ['an unknown system workflow', { system_workflow: 'teleporter' }, 404],
    [
      'attribution without a definition',
      { workflow_id: randomUUID(), attribution_workflow_id: randomUUID() },
      400,
    ],
    ['attribution to an unknown workflow', { workflow: hello(), attribution_workflow_id: randomUUID() }, 404],
    [
      'a definition that does not compile',
      { workflow: { ...hello(), edges: [{ id: 'x', source: 'hello', target: 'gone' }] } },
      400,
    ],
    ['stream as text', { workflow: hello(), stream: 'yes' }, 422],
    ['is_private null', { workflow: hello(), is_private: null }, 422],
    ['ephemeral as number', { workflow: hello(), ephemeral: 1 }, 422],
    ['recursion_limit 0', { workflow: hello(), config: { recursion_limit: 0 } }, 422],
    ['recursion_limit 1e9', { workflow: hello(), config: { recursion_limit: 1e9 } }, 422],
    ['batch_interval_ms 0.5', { workflow: hello(), config: { batch_interval_ms: 0.5 } }, 422],
    ['an empty thread_id', { workflow: hello(), config: { thread_id: '' } }, 422],
  ])('refuses %s and leaves no run', async (_, body, status) => {
    const count = (): Promise<object[]> => api.deps.db.query('SELECT count(*) FROM runs');
    const before = await count();
    expect((await start(body)).status).toBe(status);
    expect(await count()).toEqual(before);
  });

  test('takes limits in the order request, deployment, definition', async () => {
    const definition = { ...hello(), config: { recursion_limit: 7 } };
    const limitOf = async (config: object): Promise<unknown> => {
      const { body } = await start({ workflow: definition, config: { ...config, unknown: true } });
      const [row] = await api.deps.db.query<{ config: { recursion_limit: number } }>(
        'SELECT config FROM runs WHERE run_id = $1',
        [body.run_id],
      );
      return row?.config.recursion_limit;
    };
    expect(await limitOf({})).toBe(7);
    expect(await limitOf({ recursion_limit: 9 })).toBe(9);
  });

  test('an ephemeral run has no thread and no history, and cannot ask', async () => {
    const { body } = await start({ workflow: hello(), ephemeral: true });
    expect([body.thread_id, body.ephemeral]).toEqual([null, true]);
    expect(await history()).not.toContain(body.run_id);
    expect((await tenant.call('GET', `/workflow-runs/${await pkOf(body.run_id)}`)).status).toBe(404);
    const asking = {
      ...hello(),
      nodes: [{ id: 'hello', type: 'interrupt', name: 'Ask', config: { kind: 'input', title: 'Name?' } }],
    };
    expect((await start({ workflow: asking, ephemeral: true })).status).toBe(400);
  });

  test('a system workflow can be selected', async () => {
    const { status, body } = await start({ system_workflow: 'assistant', input: { message: 'hello' } });
    expect([status, body.workflow_source]).toEqual([200, 'system:assistant']);
  });

  test('a new run supersedes one that waits on its thread', async () => {
    const thread = randomUUID();
    const first = await start({ workflow: hello(), config: { thread_id: thread } });
    const [interruptId] = await ask(api.deps.db, first.body.run_id, approval);
    const second = await start({ workflow: hello(), config: { thread_id: thread } });
    expect(second.body).toMatchObject({ thread_id: thread, chat_id: first.body.chat_id });
    const late = await tenant.call('POST', `/workflows/resume/${first.body.run_id}`, {
      body: { interrupt_id: interruptId, action: 'approve' },
    });
    expect([late.status, late.body.detail]).toEqual([410, expect.stringMatching(/superseded/)]);
    const record = await tenant.call('GET', `/workflow-runs/${await pkOf(first.body.run_id)}`);
    expect(record.body.status).toBe('cancelled');
  });

  test('too many undelivered runs refuse new ones with 503', async () => {
    const dispatcher = Object.create(api.deps.dispatcher, { isOverloaded: { value: true } });
    const { startRun } = await import('../../src/engine/runs/accept/start.ts');
    const { waitingStartBody } = await import('../../src/engine/runs/api/schema.ts');
    const scope = { caller: { userId: randomUUID() }, organizationId: tenant.org, role: 'owner' } as never;
    const body = waitingStartBody.parse({ workflow: hello() });
    const refused = startRun({ ...api.deps, dispatcher }, scope, {
      body,
      idempotencyKey: null,
      chat: null,
    });
    await expect(refused).rejects.toMatchObject({
      failure: { status: 503 },
      headers: { 'Retry-After': '5' },
    });
  });
});

describe('API-unknown-fields: fields that POST /workflows/run does not know', () => {
  test('beside its own are refused, and nothing runs', async () => {
    const before = await history();
    const answer = await start({ workflow: hello('Misspelt'), inputs: { text: 'hi' }, strem: true });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'inputs'], msg: 'Unknown field', type: 'extra_forbidden' },
      { loc: ['body', 'strem'], msg: 'Unknown field', type: 'extra_forbidden' },
    ]);
    expect(await history()).toEqual(before);
  });

  test('in `config` change nothing, and the answer lists them, as does the replay of the same start', async () => {
    const body = { workflow: hello('Told'), config: { recursion_limit: 50, recursion_limits: 60 } };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await start(body, headers);
    expect([first.status, first.body.warnings]).toEqual([
      200,
      [
        {
          code: 'unknown_field',
          message: 'config.recursion_limits is an unknown field and was ignored',
          loc: ['body', 'config', 'recursion_limits'],
        },
      ],
    ]);
    expect((await start(body, headers)).body).toEqual(first.body);
    expect((await start({ ...body, config: { recursion_limit: 50 } })).body.warnings).toBeUndefined();
  });
});

describe('SEC-P12: texts that are cut through a character', () => {
  const long = `a${'😀'.repeat(1_005)}`;
  test.each<[string, object, string]>([
    ['a text', { text: long }, `a${'😀'.repeat(999)}`],
    ['a message', { message: long }, `a${'😀'.repeat(999)}`],
    ['an input as JSON', { q: long }, `{"q":"a${'😀'.repeat(996)}`],
  ])('%s of 2,011 units starts its run, and is shown without half of one', async (_, input, shown) => {
    const { status, body } = await start({ workflow: hello('Cut'), input });
    expect([status, body.human_message.content]).toEqual([200, shown]);
  });
  test('so do a name of 256 and a version of 51', async () => {
    const metadata = { name: `${'n'.repeat(254)}😀`, version: `${'1'.repeat(49)}😀` };
    const { status, body } = await start({ workflow: { ...hello(), metadata } });
    expect([status, body.workflow_name, body.workflow_version]).toEqual([
      200,
      'n'.repeat(254),
      '1'.repeat(49),
    ]);
  });
  test('whatever the text, its run starts', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '😀'), minLength: 1_000, maxLength: 2_100 });
    await fc.assert(
      fc.asyncProperty(text, async (drawn) => {
        const { status, body } = await start({
          workflow: hello(drawn),
          input: { text: drawn },
        });
        expect(status).toBe(200);
        expect(drawn.startsWith(body.human_message.content)).toBe(true);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});

describe('Idempotency-Key', () => {
  const keyed = (key: string, text: string, who = tenant): Promise<Answer> =>
    start({ workflow: hello(), input: { text } }, { 'Idempotency-Key': key }, who);

  test('same key and body: the same answer; another body: 422; another organization: another run', async () => {
    const key = randomUUID();
    const first = await keyed(key, 'once');
    expect((await keyed(key, 'once')).body).toEqual(first.body);
    const other = await keyed(key, 'twice');
    expect(other.status).toBe(422);
    expect(other.body.detail).toMatchObject([
      { loc: ['header', 'Idempotency-Key'], type: 'idempotency_key_reused' },
    ]);
    expect((await keyed(key, 'once', stranger)).body.run_id).not.toBe(first.body.run_id);
  });

  test('fifty at once make one run; the others hear the same, or 409', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => keyed(key, 'race')));
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.run_id));
    expect(ids.size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const rows = await api.deps.db.query(
      `SELECT 1 FROM runs WHERE organization_id = $1 AND input->>'text' = 'race'`,
      [tenant.org],
    );
    expect(rows).toHaveLength(1);
  });

  test('a refusal does not use the key up, and a day later it is free again', async () => {
    const key = randomUUID();
    expect((await start({}, { 'Idempotency-Key': key })).status).toBe(400);
    const first = await keyed(key, 'now');
    expect(first.status).toBe(200);
    await api.deps.db.query(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key LIKE '%:' || $1`,
      [key],
    );
    const later = await keyed(key, 'later');
    expect(later.status).toBe(200);
    expect(later.body.run_id).not.toBe(first.body.run_id);
  });

  test("a key belongs to its caller: a colleague's is another one, also in flight", async () => {
    const colleague = await api.tenant();
    await api.deps.db.query(
      `INSERT INTO memberships (user_id, organization_id, role)
       SELECT user_id, $1, 'admin' FROM memberships WHERE organization_id = $2`,
      [tenant.org, colleague.org],
    );
    const key = randomUUID();
    const mine = { workflow: hello(), input: { text: 'secret' }, is_private: true };
    const headers = { 'Idempotency-Key': key };
    const as = (token: string) => tenant.call('POST', '/workflows/run', { token, headers, body: mine });
    const answers = await Promise.all([as(tenant.token), as(colleague.token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [own, other] = [await as(tenant.token), await as(colleague.token)];
    expect([own.body.run_id, other.body.run_id]).toEqual(answers.map(({ body }) => body.run_id));
    expect(own.body.run_id).not.toBe(other.body.run_id);
    // The user's API key is the same caller.
    const apiKey = (await tenant.call('POST', '/api-keys', { org: undefined, body: { name: 'x' } })).body.key;
    expect((await as(apiKey)).body.run_id).toBe(own.body.run_id);
  });

  test('a key of more than 255 characters is refused', async () => {
    expect((await keyed('x'.repeat(256), 'y')).status).toBe(422);
  });
});

describe('history', () => {
  test('pages, filters by both words for success, and belongs to the organization', async () => {
    const own = await api.tenant();
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c']) {
      ids.unshift((await start({ workflow: hello(), input: { text } }, {}, own)).body.run_id);
    }
    await complete(ids[0] ?? '');
    const page = async (query: string): Promise<unknown[]> => {
      const { body } = await own.call('GET', `/workflow-runs?${query}`);
      return [body.runs.map((run: { run_id: string }) => run.run_id), body.has_more, body.limit, body.offset];
    };
    expect(await page('limit=2')).toEqual([ids.slice(0, 2), true, 2, 0]);
    expect(await page('limit=2&offset=1')).toEqual([ids.slice(1), false, 2, 1]);
    expect(await page('')).toEqual([ids, false, 50, 0]);
    expect(await history('&status=succeeded', own)).toEqual([ids[0]]);
    expect(await history('&status=completed', own)).toEqual([ids[0]]);
    expect(await history('&status=running', own)).toEqual(ids.slice(1));
    expect(await history('&trigger_type=schedule', own)).toEqual([]);
    expect(await history(`&workflow_id=${randomUUID()}`, own)).toEqual([]);
    expect(await history('', stranger)).not.toContain(ids[0]);
    for (const bad of ['limit=0', 'limit=101', 'offset=-1', 'limit=x']) {
      expect((await own.call('GET', `/workflow-runs?${bad}`)).status).toBe(422);
    }
  });

  test('filters by person, by time and by a text in the workflow name or the error', async () => {
    const own = await api.tenant();
    const runId = async (name: string): Promise<string> =>
      (await start({ workflow: hello(name) }, {}, own)).body.run_id;
    const [refund, invoice] = [await runId('Refund 100%'), await runId('Invoice')];
    await closeRun(api.deps.db, {
      runPk: await pkOf(invoice),
      from: ['running'],
      status: 'failed',
      payload: {},
      error: { code: 'http_error', message: 'Bank_refused the card', type: 'HttpError', node_id: 'pay' },
    });
    await api.deps.db.query(`UPDATE runs SET created_at = '2026-03-01T12:00:00Z' WHERE run_id = $1`, [
      refund,
    ]);
    expect(await history('&q=REFUND%20100%25', own)).toEqual([refund]);
    expect(await history('&q=bank_refused', own)).toEqual([invoice]);
    // The wildcards of LIKE are letters like any other.
    expect(await history('&q=%25', own)).toEqual([refund]);
    expect(await history('&q=_', own)).toEqual([invoice]);
    expect(await history('&q=%5C', own)).toEqual([]);
    expect(await history('&q=nothing', own)).toEqual([]);
    expect(await history('&from=2026-03-01T12:00:00Z&to=2026-03-01T12:00:00.001Z', own)).toEqual([refund]);
    expect(await history('&to=2026-03-01T12:00:00Z', own)).toEqual([]);
    expect(await history('&from=2026-03-01T12:00:00.001Z', own)).toEqual([invoice]);
    const [member] = await api.deps.db.query<{ me: string }>(
      'SELECT user_id AS me FROM memberships WHERE organization_id = $1',
      [own.org],
    );
    const me = member?.me ?? '';
    expect(await history(`&created_by=${me}`, own)).toEqual([invoice, refund]);
    expect(await history(`&created_by=${randomUUID()}`, own)).toEqual([]);
    for (const bad of ['q=', `q=${'x'.repeat(201)}`, 'from=yesterday', 'created_by=me', 'segments=first'])
      expect((await own.call('GET', `/workflow-runs?${bad}`)).status, bad).toBe(422);
    expect((await own.call('GET', `/workflow-runs?q=${'x'.repeat(200)}`)).status).toBe(200);
    const { body } = await own.call('GET', '/workflow-runs?status=failed');
    expect(body.runs).toMatchObject([
      {
        workflow_name: 'Invoice',
        created_by: me,
        stopped_at: { node_id: 'pay', node_name: 'pay' },
        credits: 0,
        earlier_segments: [],
      },
    ]);
  });

  test('a run that was answered is one row with its segments inside, or a row for each segment', async () => {
    const own = await api.tenant();
    const { body: first } = await start({ workflow: hello('Refunds') }, {}, own);
    const [question = ''] = await ask(api.deps.db, first.run_id, approval);
    const [waiting] = (await own.call('GET', '/workflow-runs')).body.runs;
    expect(waiting.stopped_at).toEqual({ node_id: question, node_name: question });
    const { body: second } = await own.call('POST', `/workflows/resume/${first.run_id}`, {
      body: { interrupt_id: question, action: 'approve' },
    });
    expect(await history('', own)).toEqual([second.run_id, first.run_id]);
    expect(await history('&segments=all', own)).toEqual([second.run_id, first.run_id]);
    await api.deps.db.query(
      `INSERT INTO credit_usage (organization_id, subject_id, step_id, kind, model, is_byok, credits_mc)
       VALUES ($1, $2, gen_random_uuid(), 'llm', 'm', false, 1500)`,
      [own.org, await pkOf(first.run_id)],
    );
    const { body } = await own.call('GET', '/workflow-runs?segments=newest');
    expect(body.runs).toMatchObject([
      {
        run_id: second.run_id,
        stopped_at: null,
        credits: 1.5,
        earlier_segments: [{ run_id: first.run_id, id: await pkOf(first.run_id), status: 'interrupted' }],
      },
    ]);
  });

  test('the record has steps, state and output; values above 64 KB are read one by one', async () => {
    const { body } = await start({ workflow: hello(), input: { text: 'x' } });
    const runPk = await pkOf(body.run_id);
    const large = 'x'.repeat(70_000);
    const step = (nodeId: string, position: number, output: unknown): Promise<object[]> =>
      api.deps.db.query(
        `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position,
                                status, effect, output)
         VALUES (gen_random_uuid(), $1, $1, $2, 'transformer', $2, 1, 1, $3, 'succeeded', 'pure', $4::json)`,
        [runPk, nodeId, position, JSON.stringify(output)],
      );
    await step('second', 2, large);
    await step('first', 1, { a: 1 });
    await complete(body.run_id, { b: 3 });
    const { body: record } = await tenant.call('GET', `/workflow-runs/${runPk}`);
    expect(record).toMatchObject({
      id: runPk,
      run_id: body.run_id,
      status: 'succeeded',
      output: { b: 3 },
      has_output: true,
      state: { first: { a: 1 } },
      error: null,
      truncated: true,
      credits: { charged: 0, items: [] },
    });
    expect(record.steps.map((s: { node_id: string }) => s.node_id)).toEqual(['first', 'second']);
    expect(record.steps[1]).toMatchObject({ output: null, output_truncated: true, item_index: null });
    const full = await tenant.call('GET', `/workflow-runs/${runPk}/steps/${record.steps[1].step_id}`);
    expect(full.body.output).toBe(large);
    for (const path of [`/workflow-runs/${body.run_id}`, `/workflow-runs/${runPk}/steps/${randomUUID()}`]) {
      expect((await tenant.call('GET', path)).status).toBe(404);
    }
    expect((await stranger.call('GET', `/workflow-runs/${runPk}`)).status).toBe(404);
    // The id of the start finds the run at a path of its own, as the same record.
    expect((await tenant.call('GET', `/workflows/runs/${body.run_id}`)).body).toEqual(record);
    for (const path of [`/workflows/runs/${runPk}`, `/workflows/runs/${randomUUID()}`])
      expect((await tenant.call('GET', path)).status).toBe(404);
    expect((await stranger.call('GET', `/workflows/runs/${body.run_id}`)).status).toBe(404);
  });

  test('runs are found by the metadata of their start, which later segments and reruns keep', async () => {
    const metadata = { customer: 'acme: west, "1"', 'order.id': '4711' };
    const { body } = await start({ workflow: hello(), metadata });
    await start({ workflow: hello(), metadata: { customer: 'other' } });
    const find = async (pair: string, who = tenant): Promise<string[]> => {
      const path = `/workflow-runs?metadata=${encodeURIComponent(pair)}`;
      return (await who.call('GET', path)).body.runs.map((run: { run_id: string }) => run.run_id);
    };
    expect(await find('customer:acme: west, "1"')).toEqual([body.run_id]);
    expect(await find('order.id:4711')).toEqual([body.run_id]);
    expect(await find('order.id:471')).toEqual([]);
    expect(await find('order.id:4711', stranger)).toEqual([]);
    const runPk = await pkOf(body.run_id);
    expect((await tenant.call('GET', `/workflow-runs/${runPk}`)).body.metadata).toEqual(metadata);
    const [segment, rerun] = [
      await newRun(api.deps.db, { organizationId: tenant.org }),
      await newRun(api.deps.db, { organizationId: tenant.org, rerunOf: body.run_id }),
    ];
    await insertRuns(api.deps.db, [
      { ...buildRow(segment), rootRunPk: runPk, resumedFromRunPk: runPk },
      buildRow(rerun),
    ]);
    expect(await find('order.id:4711')).toHaveLength(3);
  });

  test.each([
    [{ customer: 4711 }],
    [{ customer: { name: 'acme' } }],
    [{ 'two words': 'x' }],
    [{ 'a:b': 'x' }],
    [{ '': 'x' }],
    [{ ['k'.repeat(41)]: 'x' }],
    [{ customer: 'x'.repeat(501) }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'x']))],
    ['acme'],
  ])('metadata %j is 422', async (metadata) => {
    expect((await start({ workflow: hello(), metadata })).status).toBe(422);
    expect((await tenant.call('GET', '/workflow-runs?metadata=customer')).status).toBe(422);
  });

  test('an ended run is deleted with all that belongs to it; an open or reused one is not', async () => {
    const remove = async (runPk: string, who = tenant): Promise<unknown[]> => {
      const { status, headers } = await who.call('DELETE', `/workflow-runs/${runPk}`);
      return [status, headers.get('x-error-code')];
    };
    const { body } = await start({ workflow: hello(), input: { text: 'x' } });
    const runPk = await pkOf(body.run_id);
    const { db } = api.deps;
    expect(await remove(runPk)).toEqual([409, 'run_under_way']);
    await complete(body.run_id);
    expect(await remove(runPk, stranger)).toEqual([404, 'run_not_found']);
    const child = await newRun(db, { organizationId: tenant.org, parentRunPk: runPk });
    const rerun = await newRun(db, { organizationId: tenant.org, rerunOf: body.run_id });
    const rows = [buildRow(child), buildRow(rerun)];
    await insertRuns(db, rows);
    const [childPk = '', rerunPk = ''] = rows.map((row) => row.runPk);
    expect(await remove(runPk)).toEqual([409, 'run_under_way']);
    for (const pk of [childPk, rerunPk])
      await closeRun(db, { runPk: pk, from: ['running'], status: 'failed', payload: {} });
    expect(await remove(childPk)).toEqual([409, 'run_is_sub_workflow']);
    const addStep = async (pk: string, reusedFrom: string | null): Promise<string> => {
      const [row] = await db.query<{ step_id: string }>(
        `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position,
                                status, effect, reused_from)
         VALUES (gen_random_uuid(), $1, $1, 'hello', 'transformer', 'hello', 1, 1, 1, 'succeeded', 'pure', $2)
         RETURNING step_id`,
        [pk, reusedFrom],
      );
      return row?.step_id ?? '';
    };
    await addStep(rerunPk, await addStep(runPk, null));
    await db.query(
      `INSERT INTO thread_messages (organization_id, thread_id, run_pk, step_id, role, content)
       VALUES ($1, $2, $3, gen_random_uuid(), 'user', 'x')`,
      [tenant.org, body.thread_id, runPk],
    );
    expect(await remove(runPk)).toEqual([409, 'run_reused']);
    expect(await remove(rerunPk)).toEqual([200, null]);
    expect(await remove(runPk)).toEqual([200, null]);
    expect(await remove(runPk)).toEqual([404, 'run_not_found']);
    const left = await db.query(
      `SELECT id FROM runs WHERE id = ANY ($1::uuid[]) UNION ALL SELECT run_pk FROM run_events WHERE run_pk = ANY ($1::uuid[])
       UNION ALL SELECT run_pk FROM thread_messages WHERE run_pk = ANY ($1::uuid[])
       UNION ALL SELECT id FROM chats WHERE id = $2`,
      [[runPk, childPk, rerunPk], body.chat_id],
    );
    expect(left).toEqual([]);
  });

  test('a private run exists for its creator and for owners only', async () => {
    const { body } = await start({ workflow: hello(), is_private: true });
    const runPk = await pkOf(body.run_id);
    const colleague = await api.tenant();
    await api.deps.db.query(
      `INSERT INTO memberships (user_id, organization_id, role)
       SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1`,
      [colleague.org, tenant.org],
    );
    const asColleague = (path: string): Promise<Answer> => colleague.call('GET', path, { org: tenant.org });
    expect((await asColleague(`/workflow-runs/${runPk}`)).status).toBe(404);
    expect((await asColleague(`/workflows/listen/${body.run_id}`)).status).toBe(404);
    expect((await asColleague(`/workflows/runs/${body.run_id}`)).status).toBe(404);
    const listed = await asColleague('/workflow-runs?limit=100');
    expect(listed.body.runs.map((run: { run_id: string }) => run.run_id)).not.toContain(body.run_id);
    await api.deps.db.query(`UPDATE memberships SET role = 'owner' WHERE organization_id = $1`, [tenant.org]);
    expect((await asColleague(`/workflow-runs/${runPk}`)).status).toBe(200);
  });
});

describe('POST /workflows/cancel/{run_id}', () => {
  const cancel = (runId: string, body?: object, who = tenant): Promise<Answer> =>
    who.call('POST', `/workflows/cancel/${runId}`, body === undefined ? {} : { body });

  test('fifty at once: one transition, one terminal frame', async () => {
    const { body } = await start({ workflow: hello() });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => cancel(body.run_id, { reason: 'enough' })),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.status}`))).toEqual(
      new Set(['200 cancelled']),
    );
    expect(answers.filter((answer) => !answer.body.already_terminal)).toHaveLength(1);
    const events = await api.deps.db.query(
      `SELECT payload->>'reason' AS reason FROM run_events WHERE run_pk = $1 AND type = 'run_cancelled'`,
      [await pkOf(body.run_id)],
    );
    expect(events).toEqual([{ reason: 'enough' }]);
  });

  test('a finished run stays what it is, and later events are not written', async () => {
    const { body } = await start({ workflow: hello() });
    await complete(body.run_id);
    const answer = await cancel(body.run_id);
    expect(answer.body).toMatchObject({ success: true, already_terminal: true, status: 'completed' });
    const cancelled = await start({ workflow: hello() });
    await cancel(cancelled.body.run_id);
    expect(await complete(cancelled.body.run_id)).toBe(false);
    expect(
      await appendEvents(api.deps.db, await pkOf(cancelled.body.run_id), [{ type: 'progress', payload: {} }]),
    ).toBeNull();
  });

  test('reaches sub-workflows below', async () => {
    const { acceptChildRun } = await import('../../src/engine/runs/accept/child-run.ts');
    const childWorkflowId = await deployWorkflow(tenant);
    const { body } = await start({ workflow: hello() });
    const child = (parentRunPk: string): ReturnType<typeof acceptChildRun> =>
      acceptChildRun(api.deps.db, {
        organizationId: tenant.org,
        parentRunPk,
        parentStepId: randomUUID(),
        workflowId: childWorkflowId,
        deployment: 'live',
        input: {},
        budgets: [],
      });
    const first = await child(await pkOf(body.run_id));
    const second = await child(first.runPk);
    await cancel(body.run_id);
    const rows = await api.deps.db.query('SELECT status FROM runs WHERE id = ANY($1::uuid[])', [
      [first.runPk, second.runPk],
    ]);
    expect(rows).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  test('an unknown or foreign run is 404, a malformed id 400', async () => {
    const { body } = await start({ workflow: hello() });
    expect((await cancel(body.run_id, undefined, stranger)).status).toBe(404);
    expect((await cancel(randomUUID())).status).toBe(404);
    expect((await cancel('nonsense')).status).toBe(400);
  });
});

test('a running run waits for a worker when nothing happens for 5 s, or the lease of its worker has expired', async () => {
  const { body } = await start({ workflow: hello() });
  const { db } = api.deps;
  const runPk = await pkOf(body.run_id);
  const waits = async (): Promise<unknown[]> => {
    const { body: list } = await tenant.call('GET', `/workflow-runs?run_id=${body.run_id}`);
    const { body: record } = await tenant.call('GET', `/workflow-runs/${runPk}`);
    return [list.runs[0].waits_for_worker, record.waits_for_worker];
  };
  const quiet = (seconds: number) =>
    db.query('UPDATE runs SET last_event_at = clock_timestamp() - make_interval(secs => $2) WHERE id = $1', [
      runPk,
      seconds,
    ]);
  await quiet(2);
  expect(await waits()).toEqual([false, false]);
  await quiet(6);
  expect(await waits()).toEqual([true, true]);

  const worker = randomUUID();
  const hold = (heldBy: string | null, nodeId: string) =>
    db.query(
      `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status,
         effect, held_by)
       VALUES (gen_random_uuid(), $1, $1, $3, 'tool', 'Call', 1, 0, 0, 'running', 'unknown', $2)`,
      [runPk, heldBy, nodeId],
    );
  await hold(worker, 'call');
  expect(await waits()).toEqual([true, true]);
  const renew = (seconds: number) =>
    db.query(
      `INSERT INTO worker_leases VALUES ($1, now(), clock_timestamp() - make_interval(secs => $2))
       ON CONFLICT (worker_id) DO UPDATE SET renewed_at = excluded.renewed_at`,
      [worker, seconds],
    );
  await renew(3);
  expect(await waits()).toEqual([false, false]);
  await renew(7);
  expect(await waits()).toEqual([true, true]);
  // A timer, or a sub-workflow, that no worker holds.
  await hold(null, 'wait');
  expect(await waits()).toEqual([false, false]);
  await db.query(`UPDATE run_steps SET status = 'completed' WHERE run_pk = $1`, [runPk]);
  expect(await waits()).toEqual([true, true]);
  await tenant.call('POST', `/workflows/cancel/${body.run_id}`);
  expect(await waits()).toEqual([false, false]);
});
