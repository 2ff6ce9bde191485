/** A person would lose a chat with the Assistant or the Composer, or read somebody else's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('answers where the stream is, and lists the chat; a second message continues the thread', async () => {
  const tenant = await api.tenant();
  const first = await tenant.call('POST', '/assistant/chat', { body: { message: 'Hello' } });
  expect(first.status).toBe(200);
  const started = first.body;
  expect(started['stream_url']).toBe(`/workflows/listen/${started['run_id']}`);
  expect(started['workflow_source']).toBe('system:assistant');
  const second = await tenant.call('POST', '/assistant/chat', {
    body: { message: 'And?', thread_id: started['thread_id'] },
  });
  expect(second.body['chat_id']).toBe(started['chat_id']);
  const chats = await tenant.call('GET', '/assistant/chats');
  const { items } = chats.body as { items: { thread_id: string; message_count: number }[] };
  expect(items.map((item) => [item.thread_id, item.message_count])).toEqual([[started['thread_id'], 2]]);
});

test('a model that is null is as good as none, as in every other body', async () => {
  const tenant = await api.tenant();
  for (const llm of [null, { model: null, provider: null, credential_id: null }]) {
    const answer = await tenant.call('POST', '/assistant/chat', { body: { message: 'Hello', llm } });
    expect([answer.status, answer.body.status]).toEqual([200, 'running']);
  }
});

test.each([{}, { message: '' }, { message: 'x'.repeat(100_001) }, { message: 'a\u0000b' }, { message: 5 }])(
  'refuses the body %#',
  async (body) => {
    const tenant = await api.tenant();
    expect((await tenant.call('POST', '/assistant/chat', { body })).status).toBe(422);
    expect((await tenant.call('GET', '/workflow-runs')).body).toMatchObject({ runs: [] });
  },
);

test('SEC-L01: a message of exactly the limit is taken', async () => {
  const tenant = await api.tenant();
  expect(
    (await tenant.call('POST', '/assistant/chat', { body: { message: 'x'.repeat(100_000) } })).status,
  ).toBe(200);
});

test.each(['/assistant/chat', '/composer/chat'])(
  'SEC-P12: %s takes a message that is cut through a character where it is shown',
  async (path) => {
    const tenant = await api.tenant();
    const message = `a${'😀'.repeat(1_005)}`;
    const answer = await tenant.call('POST', path, { body: { message } });
    expect([answer.status, answer.body.human_message.content]).toEqual([200, `a${'😀'.repeat(999)}`]);
  },
);

test("SEC-L08: the stream of another user's chat does not exist", async () => {
  const [tenant, stranger] = [await api.tenant(), await api.tenant()];
  const { body } = await tenant.call('POST', '/assistant/chat', { body: { message: 'Hello' } });
  const answer = await stranger.call('GET', body['stream_url'] ?? '');
  expect(answer.status).toBe(404);
});

const say = (tenant: Tenant, message: string, more: object = {}): Promise<Answer> =>
  tenant.call('POST', '/assistant/chat', { body: { message, ...more } });

/** Ends the run of an answer, as the engine would. */
const end = (runId: string, status: string, output: object | null, error: object | null = null) =>
  api.deps.db.query(
    `UPDATE runs SET status = $2, output = $3::json, error = $4::json, completed_at = now() WHERE run_id = $1`,
    [
      runId,
      status,
      output === null ? null : JSON.stringify(output),
      error === null ? null : JSON.stringify(error),
    ],
  );

describe('the messages of a chat', () => {
  test('are questions and answers, newest first, page by page, with the ids that their starts told', async () => {
    const tenant = await api.tenant();
    const first = (await say(tenant, 'One?')).body;
    await end(first['run_id'], 'completed', { content: 'One.' });
    const second = (await say(tenant, 'Two?', { thread_id: first['thread_id'] })).body;
    await end(second['run_id'], 'failed', null, { code: 'provider_error', message: 'Away' });
    const third = (await say(tenant, 'Three?', { thread_id: first['thread_id'] })).body;
    const path = `/assistant/chats/${first['chat_id']}/messages`;
    const whole = (await tenant.call('GET', path)).body;
    expect(whole.next_cursor).toBeNull();
    expect(
      whole.items.map((item: { content: string; status: string }) => [item.content, item.status]),
    ).toEqual([
      ['', 'pending'],
      ['Three?', 'completed'],
      ['', 'failed'],
      ['Two?', 'completed'],
      ['One.', 'completed'],
      ['One?', 'completed'],
    ]);
    expect(whole.items[2].error).toEqual({ code: 'provider_error', message: 'Away' });
    expect(whole.items.slice(0, 2).map((item: { id: string }) => item.id)).toEqual([
      third['ai_message'].id,
      third['human_message'].id,
    ]);
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await tenant.call('GET', `${path}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...body.items);
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(whole.items);
  });

  test.each([3, 4])('go on after a page of %i whose last run was deleted meanwhile', async (limit) => {
    const tenant = await api.tenant();
    let threadId: string | undefined;
    let chatId = '';
    const runIds: unknown[] = [];
    for (const text of ['One?', 'Two?', 'Three?']) {
      const { body } = await say(tenant, text, threadId === undefined ? {} : { thread_id: threadId });
      await end(body['run_id'], 'completed', { content: text.replace('?', '.') });
      runIds.push(body['run_id']);
      ({ thread_id: threadId, chat_id: chatId = '' } = body as { thread_id: string; chat_id: string });
    }
    const path = `/assistant/chats/${chatId}/messages`;
    const { body: page } = await tenant.call('GET', `${path}?limit=${limit}`);
    const [second] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
      runIds[1],
    ]);
    expect((await tenant.call('DELETE', `/workflow-runs/${second?.id}`)).status).toBe(200);
    const { body: rest } = await tenant.call('GET', `${path}?cursor=${page.next_cursor}`);
    expect(rest.items.map(({ content }: { content: string }) => content)).toEqual(['One.', 'One?']);
  });

  test('of another user do not exist, nor does the chat', async () => {
    const [tenant, stranger] = [await api.tenant(), await api.tenant()];
    const { body } = await say(tenant, 'Hello');
    const path = `/assistant/chats/${body['chat_id']}`;
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/messages`],
      ['PATCH', path],
      ['DELETE', path],
    ] as const) {
      const change = method === 'PATCH' ? { body: { title: 'Mine' } } : {};
      expect((await stranger.call(method, at, change)).status).toBe(404);
    }
    expect((await tenant.call('GET', path)).body).toMatchObject({ title: 'Hello', status: 'running' });
    // A colleague with the same rights is no owner either.
    await api.deps.db.query(
      `INSERT INTO memberships (user_id, organization_id, role)
       SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1`,
      [stranger.org, tenant.org],
    );
    const colleague = { org: tenant.org };
    expect((await stranger.call('GET', path, colleague)).status).toBe(404);
    const thread = { message: 'What did we say?', thread_id: body['thread_id'] };
    expect((await stranger.call('POST', '/assistant/chat', { ...colleague, body: thread })).status).toBe(404);
    const run = { workflow: hello(), config: { thread_id: body['thread_id'] } };
    expect((await stranger.call('POST', '/workflows/run', { ...colleague, body: run })).status).toBe(404);
  });

  test('of a chat of the other kind do not exist', async () => {
    const tenant = await api.tenant();
    const { body } = await say(tenant, 'Hello');
    expect((await tenant.call('GET', `/composer/chats/${body['chat_id']}`)).status).toBe(404);
    const other = { message: 'x', thread_id: body['thread_id'] };
    expect((await tenant.call('POST', '/composer/chat', { body: other })).status).toBe(404);
  });
});

describe('a chat', () => {
  test('is named and pinned without counting as news', async () => {
    const tenant = await api.tenant();
    const older = (await say(tenant, 'First\n  line')).body;
    const newer = (await say(tenant, 'Second')).body;
    const path = `/assistant/chats/${older['chat_id']}`;
    expect((await tenant.call('GET', path)).body.title).toBe('First line');
    const changed = await tenant.call('PATCH', path, { body: { title: ' Named ', pinned: true } });
    expect(changed.body).toMatchObject({ title: 'Named', pinned: true });
    const { items } = (await tenant.call('GET', '/assistant/chats')).body;
    expect(items.map((item: { id: string }) => item.id)).toEqual([newer['chat_id'], older['chat_id']]);
    expect((await tenant.call('PATCH', path, { body: { title: ' ' } })).status).toBe(422);
  });

  test('says how its newest run is', async () => {
    const tenant = await api.tenant();
    const { body } = await say(tenant, 'Hello');
    const path = `/assistant/chats/${body['chat_id']}`;
    await end(body['run_id'], 'failed', null, { code: 'x', message: 'y' });
    expect((await tenant.call('GET', path)).body.status).toBe('error');
    const next = (await say(tenant, 'Again', { thread_id: body['thread_id'] })).body;
    expect((await tenant.call('GET', path)).body.status).toBe('running');
    await end(next['run_id'], 'completed', { content: 'Here' });
    expect((await tenant.call('GET', path)).body.status).toBe('idle');
  });

  test('is deleted with its memory, but not under a run; the records of runs stay', async () => {
    const tenant = await api.tenant();
    const { body } = await say(tenant, 'Hello');
    const path = `/assistant/chats/${body['chat_id']}`;
    expect((await tenant.call('DELETE', path)).status).toBe(409);
    await end(body['run_id'], 'completed', { content: 'Hi' });
    await api.deps.db.query(
      `INSERT INTO thread_messages (organization_id, thread_id, run_pk, step_id, role, content)
       SELECT organization_id, thread_id, id, gen_random_uuid(), 'user', 'Hello' FROM runs WHERE run_id = $1`,
      [body['run_id']],
    );
    expect((await tenant.call('DELETE', path)).status).toBe(200);
    expect((await tenant.call('GET', path)).status).toBe(404);
    expect((await tenant.call('GET', '/assistant/chats')).body.items).toEqual([]);
    const kept = await api.deps.db.query('SELECT 1 FROM thread_messages WHERE thread_id = $1', [
      body['thread_id'],
    ]);
    expect(kept).toEqual([]);
    expect((await tenant.call('GET', '/workflow-runs')).body.runs).toHaveLength(1);
  });
});

describe('POST /composer/chat', () => {
  const compose = (tenant: Tenant, body: object): Promise<Answer> =>
    tenant.call('POST', '/composer/chat', { body });

  test('answers where the stream is, and what is worked on; the chat is listed', async () => {
    const tenant = await api.tenant();
    const made = await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } });
    const answer = await compose(tenant, { message: 'Change it', workflow_id: made.body.id });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      stream_url: `/workflows/listen/${answer.body.run_id}`,
      workflow_source: 'system:composer',
      workflow_id: made.body.id,
      edit_version: 0,
    });
    expect((await tenant.call('GET', '/composer/chats')).body.items).toMatchObject([
      { id: answer.body.chat_id, workflow_id: made.body.id, title: 'Change it' },
    ]);
    expect((await tenant.call('GET', '/assistant/chats')).body.items).toEqual([]);
  });

  test("somebody else's workflow does not exist", async () => {
    const [tenant, stranger] = [await api.tenant(), await api.tenant()];
    const made = await tenant.call('POST', '/workflows', { body: { name: 'x', workflow_schema: hello() } });
    expect((await compose(stranger, { message: 'x', workflow_id: made.body.id })).status).toBe(404);
    expect((await stranger.call('GET', '/composer/chats')).body.items).toEqual([]);
  });

  test.each([{}, { message: '' }, { message: 'x'.repeat(100_001) }, { message: 'a\u0000b' }])(
    'SEC-L01: refuses the body %#',
    async (body) => {
      expect((await compose(await api.tenant(), body)).status).toBe(422);
    },
  );

  test('the gate refuses before anything is written', async () => {
    const tenant = await api.tenant();
    await api.deps.db.query(
      `UPDATE organizations SET plan = 'free', entitlements = '{"monthly_credits":0}' WHERE id = $1`,
      [tenant.org],
    );
    const refused = await compose(tenant, { message: 'x' });
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ code: 'credit_plan_exhausted', layer: 'credit' });
    expect((await tenant.call('GET', '/composer/chats')).body.items).toEqual([]);
    expect((await tenant.call('GET', '/workflow-runs')).body.runs).toEqual([]);
  });

  test('is the only way to the Composer, and what needs a live role needs it by every way', async () => {
    const tenant = await api.tenant();
    const run = (name: string): Promise<Answer> =>
      tenant.call('POST', '/workflows/run', { body: { system_workflow: name, input: { message: 'x' } } });
    expect((await run('composer')).status).toBe(404);
    expect((await run('assistant')).status).toBe(200);
    await api.deps.db.query(`UPDATE memberships SET role = 'member' WHERE organization_id = $1`, [
      tenant.org,
    ]);
    expect((await run('assistant')).status).toBe(403);
    expect((await compose(tenant, { message: 'x' })).status).toBe(403);
  });
});
