/** A text or object that somebody stores by the API would come back changed, or cause a server error. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { makeBase } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { approval, ask } from '../support/questions.ts';
import { faultyText, forbiddenValue, LONG_TEXTS, wholeText } from './doors.ts';
import { unlimited } from './unlimited.ts';

let api: ApiServer;
let models: ModelServer;
let tenant: Tenant;
let workflowId: string;
let baseId: string;
let chatId: string;
let scheduleId: string;
let endedPk: string;
beforeAll(async () => {
  models = await startModelServer();
  api = await startApi({
    MANAGED_LLM_BASE_URL: models.baseUrl,
    MANAGED_LLM_API_KEY: 'managed-llm-key',
    MANAGED_LLM_MODEL: 'm',
    MANAGED_EMBEDDING_BASE_URL: models.baseUrl,
    MANAGED_EMBEDDING_MODEL: 'm',
  });
  tenant = await api.tenant();
  await unlimited(api);
  const made = await post('/workflows', { name: 'W', workflow_schema: hello() });
  workflowId = made.body.id;
  await post(`/workflows/${workflowId}/deploy`, {});
  baseId = await makeBase(tenant);
  chatId = (await post('/assistant/chat', { message: 'Hi' })).body.chat_id;
  scheduleId = (
    await post('/schedules', { workflow_id: workflowId, name: 'S', cron_expression: '0 6 * * *' })
  ).body.id;
  endedPk = await pkOf((await post('/workflows/run', { workflow_id: workflowId })).body.run_id);
  const closing = { from: ['running'], status: 'completed', payload: {}, output: 1 } as const;
  await closeRun(api.deps.db, { ...closing, runPk: endedPk });
});
afterAll(async () => {
  await api.close();
  await models.close();
});

const post = (path: string, body: unknown): Promise<Answer> => tenant.call('POST', path, { body });
const patch = (path: string, body: unknown): Promise<Answer> => tenant.call('PATCH', path, { body });
const get = async (path: string): Promise<Answer['body']> => {
  const { status, body } = await tenant.call('GET', path);
  expect(status, path).toBe(200);
  return body;
};
async function pkOf(runId: string): Promise<string> {
  const rows = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  return rows[0]?.id ?? '';
}
const recordOf = async ({ body }: Answer) => get(`/workflow-runs/${await pkOf(body.run_id)}`);
const named = (metadata: object): object => ({ ...hello(), metadata });
async function waiting(): Promise<{ runId: string; id: string }> {
  const { body } = await post('/workflows/run', { workflow_id: workflowId });
  const question = { ...approval, form: null };
  const [id = ''] = await ask(api.deps.db, body.run_id, question);
  return { runId: body.run_id, id };
}

/** A door: what is sent with a value, and the value as it is read back; undefined where it is not shown. */
interface Door {
  readonly send: (value: unknown) => Promise<Answer>;
  readonly read?: (answer: Answer) => unknown;
}

/** Doors of texts, by name; where a text is cut on its way, `read` gives nothing. */
const TEXTS: Readonly<Record<string, Door>> = {
  'the input of a run': {
    send: (text) => post('/workflows/run', { workflow: hello(), input: { text } }),
    read: async (answer) => (await recordOf(answer)).input.text,
  },
  'the default input of a workflow, run': {
    send: async (text) => {
      const changed = await patch(`/workflows/${workflowId}`, { input: { text } });
      if (changed.status !== 200) return changed;
      await post(`/workflows/${workflowId}/deploy`, {});
      return post('/workflows/run', { workflow_id: workflowId });
    },
  },
  'the name, version and description of a definition that is run': {
    send: (text) =>
      post('/workflows/run', { workflow: named({ name: text, version: text, description: text }) }),
  },
  'the thread of a run': {
    send: (text) => post('/workflows/run', { workflow: hello(), config: { thread_id: text } }),
    read: ({ body }) => body.thread_id,
  },
  'the input of a rerun': {
    send: (text) => post(`/workflow-runs/${endedPk}/rerun`, { input: { text } }),
    read: async (answer) => (await recordOf(answer)).input.text,
  },
  'an override of a rerun': {
    send: (text) => post(`/workflow-runs/${endedPk}/rerun`, { overrides: { hello: { text } } }),
  },
  'the input of a test of a node': {
    send: (text) => post(`/workflows/${workflowId}/nodes/hello/test`, { input: { text } }),
    read: async (answer) => (await recordOf(answer)).input.text,
  },
  'a message to the Assistant': {
    send: (message) => post('/assistant/chat', { message }),
    read: async (answer) => (await recordOf(answer)).input.message,
  },
  'a message to the Composer': {
    send: (message) => post('/composer/chat', { message }),
    read: async (answer) => (await recordOf(answer)).input.message,
  },
  'the title of a chat': {
    send: (title) => patch(`/assistant/chats/${chatId}`, { title }),
    read: ({ body }) => body.title,
  },
  'the reason of a cancellation': {
    send: async (reason) => {
      const { body } = await post('/workflows/run', { workflow_id: workflowId });
      const answer = await post(`/workflows/cancel/${body.run_id}`, { reason });
      return answer.status === 200 ? { ...answer, body: { ...answer.body, run_id: body.run_id } } : answer;
    },
    read: async (answer) => (await recordOf(answer)).cancel_reason,
  },
  'the comment of an answer': {
    send: async (comment) => {
      const { runId, id } = await waiting();
      return post(`/workflows/resume/${runId}`, { interrupt_id: id, action: 'approve', data: { comment } });
    },
    read: async (answer) => (await recordOf(answer)).interrupts[0].response.data.comment,
  },
  'the name of a workflow': {
    send: (name) => patch(`/workflows/${workflowId}`, { name }),
    read: ({ body }) => body.name,
  },
  'the description of a workflow': {
    send: (description) => patch(`/workflows/${workflowId}`, { description }),
    read: ({ body }) => body.description,
  },
  'the version of a workflow': {
    send: (version) => patch(`/workflows/${workflowId}`, { version }),
    read: ({ body }) => body.version,
  },
  'the category and tags of a workflow': {
    send: (text) => patch(`/workflows/${workflowId}`, { category: text, tags: [text] }),
    read: ({ body }) => body.category,
  },
  'the definition of a workflow': {
    send: (text) => {
      const definition = hello() as { nodes: object[] };
      const nodes = definition.nodes.map((node) => ({ ...node, name: text }));
      return post('/workflows', { name: 'X', workflow_schema: { ...definition, nodes } });
    },
    read: ({ body }) => body.workflow_schema.nodes[0].name,
  },
  'the note of a deployment': {
    send: (note) => post(`/workflows/${workflowId}/deploy`, { deployment_note: note }),
    read: ({ body }) => body.deployment_note,
  },
  'the name of a schedule': {
    send: (name) => patch(`/schedules/${scheduleId}`, { name }),
    read: ({ body }) => body.name,
  },
  'the input of a schedule': {
    send: (text) => patch(`/schedules/${scheduleId}`, { input: { text } }),
    read: ({ body }) => body.input.text,
  },
  'the name of an organization': { send: (name) => post('/organizations', { name }) },
  'the name of a knowledge base': {
    send: (name) => patch(`/knowledge-bases/${baseId}`, { name }),
    read: ({ body }) => body.name,
  },
  'the description of a knowledge base': {
    send: (description) => patch(`/knowledge-bases/${baseId}`, { description }),
    read: ({ body }) => body.description,
  },
  'a question to a knowledge base': {
    send: (query) => post(`/knowledge-bases/${baseId}/search`, { query }),
  },
};

/** What lists and previews show of what was stored. */
const LISTS = [
  '/workflow-runs?limit=20',
  '/interrupts',
  '/assistant/chats?limit=20',
  '/composer/chats?limit=20',
  '/workflows?page_size=20',
  '/schedules',
  '/knowledge-bases',
];

describe.each(Object.entries(TEXTS))('%s', (_, { send, read }) => {
  test('SEC-P12: comes back as it was sent, or is refused; lists can be read afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(wholeText, async (text) => {
        const answer = await send(text);
        expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
        if (answer.status >= 300) return;
        if (read !== undefined) expect([text, text.trim()]).toContain(await read(answer));
      }),
      { numRuns: 25, examples: LONG_TEXTS.map((text) => [text]) },
    );
    for (const path of LISTS) await get(path);
  });

  test('SEC-P11, SEC-P12: is refused with NUL or half a character in it', async () => {
    await fc.assert(
      fc.asyncProperty(faultyText, async (text) => {
        const { status, body } = await send(text);
        expect(status).toBe(422);
        expect(body.detail[0].type).toMatch(/^string_(nul|surrogate)$/);
      }),
      { numRuns: 10 },
    );
  });
});

/** Doors that take objects, by name. */
const OBJECTS: Readonly<Record<string, (value: unknown) => Promise<Answer>>> = {
  'the input of a run': (input) => post('/workflows/run', { workflow: hello(), input: { input } }),
  'a definition that is run': (config) => post('/workflows/run', { workflow: { ...hello(), config } }),
  'a workflow that is made': (x) => post('/workflows', { name: 'X', workflow_schema: { ...hello(), x } }),
  'a workflow that is changed': (config) => patch(`/workflows/${workflowId}`, { config: { config } }),
  'the input of a rerun': (input) => post(`/workflow-runs/${endedPk}/rerun`, { input: { input } }),
  'an override of a rerun': (output) =>
    post(`/workflow-runs/${endedPk}/rerun`, { overrides: { hello: output } }),
  'the state of a test of a node': (state) =>
    post(`/workflows/${workflowId}/nodes/hello/test`, { state: { state } }),
  'the data of an answer': async (data) => {
    const { runId, id } = await waiting();
    return post(`/workflows/resume/${runId}`, { interrupt_id: id, action: 'approve', data: { data } });
  },
  'the input of a schedule': (input) => patch(`/schedules/${scheduleId}`, { input: { input } }),
  'the data of a credential': (data) =>
    post('/credentials', { name: 'x', integration: 'http', auth_type: 'bearer', data: { data } }),
  'the filters of a search': (filters) =>
    post(`/knowledge-bases/${baseId}/search`, { query: 'x', filters: { filters } }),
  'the metadata of a document': (value) => {
    const boundary = 'b';
    const part = (name: string, more: string, content: string): string =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
    const raw = `${part('doc_metadata', '', JSON.stringify({ value }))}${part('file', '; filename="a.txt"', 'text')}--${boundary}--\r\n`;
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return tenant.call('POST', `/knowledge-bases/${baseId}/documents`, { raw, headers });
  },
};

describe.each(Object.entries(OBJECTS))('%s', (_, send) => {
  test('SEC-P09: is refused with a key that none may write, however deep it is', async () => {
    await fc.assert(
      fc.asyncProperty(forbiddenValue, async (value) => {
        const { status, body } = await send(value);
        expect([status, body.detail[0]?.type]).toEqual([422, 'key_forbidden']);
      }),
      { numRuns: 15 },
    );
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  test('SEC-P09: takes constructor and prototype as keys like any other', async () => {
    const { status, body } = await send({ constructor: { prototype: { isAdmin: true } }, prototype: null });
    // A door may have a schema that knows neither.
    expect([status < 500, JSON.stringify(body)]).toEqual([
      true,
      expect.not.stringContaining('key_forbidden'),
    ]);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });
});
