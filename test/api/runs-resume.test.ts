/** A question would be answered twice, by somebody who may not, or with a value that it does not accept. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { approval, ask, interrupt } from '../support/questions.ts';

let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const form = {
  type: 'object',
  properties: { comment: { type: 'string' }, amount: { type: 'number' } },
  required: ['comment'],
};

async function asked(
  ...questions: Parameters<typeof ask>[2][]
): Promise<{ runId: string; ids: string[]; started: Answer }> {
  const started = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const runId: string = started.body.run_id;
  return { runId, ids: await ask(api.deps.db, runId, ...questions), started };
}

const resume = (runId: string, body: object, who = tenant): Promise<Answer> =>
  who.call('POST', `/workflows/resume/${runId}`, { body });

const pkOf = async (runId: string): Promise<string> => {
  const [row] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  return row?.id ?? '';
};

describe('POST /workflows/resume/{run_id}', () => {
  test('opens a new run of the same thread and tells Temporal', async () => {
    const { runId, ids, started } = await asked(approval);
    const { status, body } = await resume(runId, { interrupt_id: ids[0], action: 'approve', data: { x: 1 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'running',
      thread_id: started.body.thread_id,
      chat_id: started.body.chat_id,
      workflow_name: started.body.workflow_name,
      resumed_from_run_id: runId,
      interrupt_ids: ids,
    });
    expect(body.run_id).not.toBe(runId);
    const [oldPk, newPk] = [await pkOf(runId), await pkOf(body.run_id)];
    const rows = await api.deps.db.query(
      `SELECT i.status, i.response, i.resume_run_pk, r.root_run_pk, r.resumed_from_run_pk, e.payload->>'reason' AS reason,
              e.payload->>'resumed_from_run_id' AS from_run_id,
              (SELECT count(*) FROM outbox WHERE subject_id = $2 AND kind = 'resume') AS told
       FROM run_interrupts i JOIN runs r ON r.id = i.resume_run_pk JOIN run_events e ON e.run_pk = r.id AND e.seq = 1
       WHERE i.id = $1`,
      [ids[0], oldPk],
    );
    expect(rows).toEqual([
      {
        status: 'claimed',
        response: { action: 'approve', data: { x: 1 } },
        resume_run_pk: newPk,
        root_run_pk: oldPk,
        resumed_from_run_pk: oldPk,
        reason: 'resume',
        from_run_id: runId,
        told: 1,
      },
    ]);
    const old = await tenant.call('GET', `/workflow-runs/${oldPk}`);
    expect(old.body).toMatchObject({ status: 'interrupted', resumed_by_run_ids: [body.run_id] });
    expect(old.body.interrupts[0]).toMatchObject({ interrupt_id: ids[0], resumed_by_run_id: body.run_id });
    const fresh = await tenant.call('GET', `/workflow-runs/${newPk}`);
    expect(fresh.body.resumed_from_run_id).toBe(runId);
  });

  test('one of fifty concurrent answers wins, the others hear 410', async () => {
    const { runId, ids } = await asked(approval);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => resume(runId, { interrupt_id: ids[0], action: 'approve' })),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 410)]);
    const segments = await api.deps.db.query('SELECT 1 FROM runs WHERE root_run_pk = $1', [
      await pkOf(runId),
    ]);
    expect(segments).toHaveLength(2);
  });

  test('a second question waits while the first one runs on, then takes the older run_id', async () => {
    const { runId, ids } = await asked({ kind: 'input', actions: [] }, { kind: 'input', actions: [] });
    const first = await resume(runId, { interrupt_id: ids[0], data: { v: 1 } });
    expect(first.status).toBe(200);
    const early = await resume(runId, { interrupt_id: ids[1], data: { v: 2 } });
    expect([early.status, early.body.detail]).toEqual([409, 'A run is already active on this thread']);
    await interrupt(api.deps.db, await pkOf(first.body.run_id), [ids[1] ?? '']);
    const second = await resume(runId, { interrupt_id: ids[1], data: { v: 2 } });
    expect(second.body.resumed_from_run_id).toBe(first.body.run_id);
  });

  test('two questions answered at the same moment open one run after the other, never two', async () => {
    await Promise.all(Array.from({ length: 4 }, () => api.deps.db.query('SELECT pg_sleep(0.1)')));
    for (let round = 0; round < 10; round += 1) {
      const { runId, ids } = await asked({ kind: 'input', actions: [] }, { kind: 'input', actions: [] });
      const answers = await Promise.all(
        ids.map((interruptId) => resume(runId, { interrupt_id: interruptId })),
      );
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const segments = await api.deps.db.query('SELECT 1 FROM runs WHERE root_run_pk = $1', [
        await pkOf(runId),
      ]);
      expect(segments).toHaveLength(2);
    }
  });

  test('several answers at once are taken together or not at all', async () => {
    const { runId, ids } = await asked({ kind: 'input', actions: [], form }, approval);
    const [input, decision] = ids;
    const wrong = await resume(runId, {
      responses: [
        { interrupt_id: input, data: { comment: 5 } },
        { interrupt_id: decision, action: 'explode' },
      ],
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['body', 'responses', 0, 'data', 'comment'],
      ['body', 'responses', 1, 'action'],
    ]);
    const right = await resume(runId, {
      responses: [
        { interrupt_id: input, data: { comment: 'fine' } },
        { interrupt_id: decision, action: 'reject' },
      ],
    });
    expect([right.status, right.body.interrupt_ids]).toEqual([200, ids]);
  });

  test.each([
    [{ action: 'approve', data: {} }, ['body', 'data', 'comment']],
    [{ action: 'approve' }, ['body', 'data', 'comment']],
    [{ action: 'approve', data: { comment: 'x', amount: 'many' } }, ['body', 'data', 'amount']],
    [{ action: 'explode', data: { comment: 'x' } }, ['body', 'action']],
    [{ data: { comment: 'x' } }, ['body', 'action']],
  ])('a bad answer %j is 422 and the question stays open', async (answer, loc) => {
    const { runId, ids } = await asked({ form });
    const refused = await resume(runId, { interrupt_id: ids[0], ...answer });
    expect(refused.status).toBe(422);
    expect(refused.body.detail[0].loc).toEqual(loc);
    const good = await resume(runId, { interrupt_id: ids[0], action: 'approve', data: { comment: 'now' } });
    expect(good.status).toBe(200);
  });

  test.each([
    ['that cannot be searched', '(', 'x', 'invalid_pattern'],
    ['that is too costly for the text', 'a{500}b{500}c{500}', 'x'.repeat(60_000), 'work_limit_exceeded'],
  ])('a pattern of the form %s is 422, and the question stays open', async (_, pattern, comment, type) => {
    const { runId, ids } = await asked({
      kind: 'input',
      actions: [],
      form: { properties: { comment: { pattern } } },
    });
    const refused = await resume(runId, { interrupt_id: ids[0], data: { comment } });
    expect([refused.status, refused.body.detail[0]]).toMatchObject([422, { loc: ['body', 'data'], type }]);
    expect((await resume(runId, { interrupt_id: ids[0], data: {} })).status).toBe(200);
  });

  test('SEC-H02: the answers of a request are checked with one budget, and the question beyond it stays open', async () => {
    const input = {
      kind: 'input' as const,
      actions: [],
      form: { properties: { text: { pattern: '^(a|b){20}c' } } },
    };
    const { runId, ids } = await asked(input, input);
    // Each text alone is within the budget.
    const text = `aaaaabbbbbaaaaabbbbbc${'x'.repeat(100_000)}`;
    const responses = ids.map((id) => ({ interrupt_id: id, data: { text } }));
    const refused = await resume(runId, { responses });
    expect([refused.status, refused.body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'responses', 1, 'data'], type: 'work_limit_exceeded' }],
    ]);
    const short = responses.map((given) => ({ ...given, data: { text: text.slice(0, 50_000) } }));
    expect((await resume(runId, { responses: short })).status).toBe(200);
  });

  test('a person who is no assignee gets 403; an assigned user or role may answer', async () => {
    const other = await asked({ assignees: { roles: [], user_ids: [randomUUID()] } });
    const body = { interrupt_id: other.ids[0], action: 'approve' };
    expect((await resume(other.runId, body)).status).toBe(403);
    const owners = await asked({ assignees: { roles: ['owner'], user_ids: [] } });
    expect((await resume(owners.runId, { interrupt_id: owners.ids[0], action: 'approve' })).status).toBe(200);
  });

  test('unknown run, question of another run, no question named', async () => {
    const [mine, other] = [await asked(approval), await asked(approval)];
    const answer = { interrupt_id: mine.ids[0], action: 'approve' };
    expect((await resume(randomUUID(), answer)).status).toBe(404);
    expect((await resume(other.runId, answer)).status).toBe(404);
    expect((await resume(mine.runId, {})).status).toBe(422);
    const stranger = await api.tenant();
    expect((await resume(mine.runId, answer, stranger)).status).toBe(404);
  });

  test('a cancelled or timed-out question is 410', async () => {
    const cancelled = await asked(approval);
    const done = await tenant.call('POST', `/workflows/cancel/${cancelled.runId}`);
    expect(done.body).toMatchObject({
      status: 'cancelled',
      previous_status: 'interrupted',
      already_terminal: false,
    });
    const late = await resume(cancelled.runId, { interrupt_id: cancelled.ids[0], action: 'approve' });
    expect(late.status).toBe(410);
    const timed = await asked(approval);
    await api.deps.db.query(
      `UPDATE run_interrupts SET expires_at = now() - interval '1 second' WHERE id = $1`,
      timed.ids,
    );
    expect((await resume(timed.runId, { interrupt_id: timed.ids[0], action: 'approve' })).status).toBe(410);
  });

  test('cancelling an answered run leaves its successor alone', async () => {
    const { runId, ids } = await asked(approval);
    const resumed = await resume(runId, { interrupt_id: ids[0], action: 'approve' });
    const cancelled = await tenant.call('POST', `/workflows/cancel/${runId}`);
    expect(cancelled.body).toMatchObject({ already_terminal: true, status: 'interrupted' });
    const record = await tenant.call('GET', `/workflow-runs/${await pkOf(resumed.body.run_id)}`);
    expect(record.body.status).toBe('running');
  });

  test('resume races cancel: one of them wins, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { runId, ids } = await asked(approval);
      const [resumed, cancelled] = await Promise.all([
        resume(runId, { interrupt_id: ids[0], action: 'approve' }),
        tenant.call('POST', `/workflows/cancel/${runId}`),
      ]);
      expect(cancelled.status).toBe(200);
      expect(resumed.status).toBe(cancelled.body.already_terminal ? 200 : 410);
    }
  });
});

describe('open questions', () => {
  test('are listed for the organization, filtered by assignee and in pages, until they are answered', async () => {
    const who = await api.tenant();
    const start = async (...questions: Parameters<typeof ask>[2][]) => {
      const { body } = await who.call('POST', '/workflows/run', { body: { workflow: hello('Refunds') } });
      return { runId: body.run_id as string, ids: await ask(api.deps.db, body.run_id, ...questions) };
    };
    const list = async (query = ''): Promise<[string[], boolean]> => {
      const { status, body } = await who.call('GET', `/interrupts?status=pending${query}`);
      expect(status).toBe(200);
      return [body.interrupts.map((one: { interrupt_id: string }) => one.interrupt_id), body.has_more];
    };
    const mine = await start(approval);
    const others = await start({ ...approval, assignees: { roles: ['admin'], user_ids: [randomUUID()] } });
    const [all] = await list();
    expect(all.toSorted()).toEqual([...mine.ids, ...others.ids].toSorted());
    expect(await list('&assignee=me')).toEqual([mine.ids, false]);
    expect(await list('&limit=1')).toEqual([all.slice(0, 1), true]);
    expect(await list('&limit=1&offset=1')).toEqual([all.slice(1), false]);
    const open = async (runId: string): Promise<boolean> => {
      const { body } = await who.call('GET', '/workflow-runs');
      return body.runs.find((run: { run_id: string }) => run.run_id === runId).has_open_interrupts;
    };
    expect(await open(mine.runId)).toBe(true);
    await resume(mine.runId, { interrupt_id: mine.ids[0], action: 'approve' }, who);
    expect(await list()).toEqual([others.ids, false]);
    expect(await open(mine.runId)).toBe(false);
    const stranger = await api.tenant();
    expect((await stranger.call('GET', '/interrupts')).body.interrupts).toEqual([]);
  });

  test('are listed for an assignee once and in the order of all, whoever else may answer, until they are closed', async () => {
    const who = await api.tenant();
    const { body: me } = await who.call('GET', '/auth/me');
    const { db } = api.deps;
    const { body } = await who.call('POST', '/workflows/run', { body: { workflow: hello('Refunds') } });
    const to = (roles: string[], userIds: string[], kind: 'approval' | 'callback' = 'approval') => ({
      ...approval,
      kind,
      assignees: { roles, user_ids: userIds },
    });
    const [everyone, both, others, role, user, callback, long, emails] = await ask(
      db,
      body.run_id,
      to([], []),
      to(['owner', 'owner'], [me.id, me.id]),
      to(['admin'], [randomUUID()]),
      to(['owner', 'admin'], []),
      to([], [me.id]),
      to([], [], 'callback'),
      to([], [me.id.repeat(100)]),
      { ...approval, assignees: { roles: [], user_ids: [], emails: ['somebody@example.com'] } },
    );
    const read = async (query: string) => {
      const { status, body: page } = await who.call('GET', `/interrupts?assignee=me&${query}`);
      expect(status).toBe(200);
      return { ids: page.interrupts.map((each: { interrupt_id: string }) => each.interrupt_id), ...page };
    };
    const { body: all } = await who.call('GET', '/interrupts');
    const ids: string[] = all.interrupts.map((each: { interrupt_id: string }) => each.interrupt_id);
    expect(ids.toSorted()).toEqual([everyone, both, others, role, user, callback, long, emails].toSorted());
    const mine = ids.filter((id) => [everyone, both, role, user, emails].includes(id));
    expect((await read('')).ids).toEqual(mine);
    const first = await read('limit=2');
    const second = await read(`limit=2&cursor=${first.next_cursor}`);
    const third = await read(`limit=2&cursor=${second.next_cursor}`);
    expect([first.ids, second.ids, third.ids]).toEqual([mine.slice(0, 2), mine.slice(2, 4), mine.slice(4)]);
    expect([third.next_cursor, (await read(`limit=2&cursor=${third.previous_cursor}`)).ids]).toEqual([
      null,
      second.ids,
    ]);
    expect((await read('limit=2&offset=1')).ids).toEqual(mine.slice(1, 3));
    await who.call('POST', `/workflows/cancel/${body.run_id}`);
    expect((await read('')).ids).toEqual([]);
    expect(await db.query('SELECT FROM open_question_assignees WHERE interrupt_id = ANY($1)', [ids])).toEqual(
      [],
    );
  });

  test('questions of one kind are listed alone, with those that the caller may answer, and by cursor', async () => {
    const who = await api.tenant();
    const { db } = api.deps;
    const { body } = await who.call('POST', '/workflows/run', { body: { workflow: hello() } });
    const nobody = { roles: [], user_ids: [randomUUID()] };
    const [approved, sent, others, again] = await ask(
      db,
      body.run_id,
      {},
      { kind: 'unknown_effect' },
      { kind: 'unknown_effect', assignees: nobody },
      { kind: 'unknown_effect' },
    );
    const read = async (query: string) => {
      const { body: page } = await who.call('GET', `/interrupts?${query}`);
      const ids = page.interrupts.map((each: { interrupt_id: string }) => each.interrupt_id);
      return { ids, next: page.next_cursor };
    };
    expect((await read('kind=unknown_effect')).ids.toSorted()).toEqual([sent, others, again].toSorted());
    const mine = 'kind=unknown_effect&assignee=me';
    expect((await read(mine)).ids.toSorted()).toEqual([sent, again].toSorted());
    const first = await read(`${mine}&limit=1`);
    const second = await read(`${mine}&limit=1&cursor=${first.next}`);
    expect([...first.ids, ...second.ids].toSorted()).toEqual([sent, again].toSorted());
    expect(second.next).toBeNull();
    expect((await read('kind=approval')).ids).toEqual([approved]);
    expect((await read('kind=callback')).ids).toEqual([]);
    await who.call('POST', `/workflows/cancel/${body.run_id}`);
    expect((await read('kind=unknown_effect')).ids).toEqual([]);
  });

  test.each([
    '/interrupts?status=open',
    '/interrupts?kind=riddle',
    '/interrupts?assignee=you',
    '/workflow-runs?status=done',
    '/workflows?status=live',
  ])('%s is 422: no such word', async (path) => {
    expect((await tenant.call('GET', path)).status).toBe(422);
  });
});
