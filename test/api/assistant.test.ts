/** POST /assistant/chat: a message becomes a private run of the system workflow on a thread of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type ApiServer } from '../support/api-server.ts';

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

test.each([{}, { message: '' }, { message: 'x'.repeat(100_001) }, { message: 'a\u0000b' }, { message: 5 }])(
  'refuses the body %#',
  async (body) => {
    const tenant = await api.tenant();
    expect((await tenant.call('POST', '/assistant/chat', { body })).status).toBe(422);
    expect((await tenant.call('GET', '/workflow-runs')).body).toMatchObject({ runs: [] });
  },
);

test('L01: a message of exactly the limit is taken', async () => {
  const tenant = await api.tenant();
  expect(
    (await tenant.call('POST', '/assistant/chat', { body: { message: 'x'.repeat(100_000) } })).status,
  ).toBe(200);
});

test("L08: the stream of another user's chat does not exist", async () => {
  const [tenant, stranger] = [await api.tenant(), await api.tenant()];
  const { body } = await tenant.call('POST', '/assistant/chat', { body: { message: 'Hello' } });
  const answer = await stranger.call('GET', body['stream_url'] ?? '');
  expect(answer.status).toBe(404);
});
