/** The Composer would save a broken workflow, save it twice, or overwrite a person's edit. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/platform/access/caller.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { WORKFLOW_CHANNEL } from '../../src/base/db/notices.ts';
import { listenTo } from '../../src/base/db/listen.ts';
import { compose } from '../../src/features/chats/composer-service.ts';
import { createWorkflow, lockWorkflow, saveWorkflow } from '../../src/features/workflows/service.ts';
import { chain, node, transform } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import { owner } from '../support/journeys.ts';
import type { ModelServer, ScriptedAnswer } from '../support/model-server.ts';
import { booksOf, setTerms } from '../support/money.ts';

let engine: TestEngine;
let model: ModelServer;
let scope: Scope;
beforeAll(async () => {
  ({ engine, model } = await startEngineWithModel());
  scope = owner(engine);
  const { userId, email } = scope.caller;
  await engine.db.query('INSERT INTO users (id, subject, email) VALUES ($1, $2, $3)', [
    userId,
    userId,
    email,
  ]);
  await engine.db.query(`INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'owner')`, [
    userId,
    engine.organizationId,
  ]);
});
beforeEach(() => setTerms(engine.db, engine.organizationId, { plan: 'pro' }));
afterAll(() => engine.close());

const says = (value: unknown): ScriptedAnswer => ({
  text: [typeof value === 'string' ? value : JSON.stringify(value)],
});
const composed = (definition: JsonObject, summary = 'Done'): ScriptedAnswer =>
  says({ summary, workflow_schema: definition });

async function saved(definition: JsonObject = chain(transform('a', { x: 1 }))): Promise<string> {
  const row = await createWorkflow(engine, scope, { name: 'Mine', workflow_schema: definition });
  return row.id;
}
const draft = (workflowId: string) => lockWorkflow(engine.db, scope, workflowId);

async function started(message: string, workflowId?: string, threadId?: string) {
  const { started: reply } = await compose(engine, scope, {
    message,
    ...(workflowId === undefined ? {} : { workflow_id: workflowId }),
    ...(threadId === undefined ? {} : { thread_id: threadId }),
  });
  engine.dispatcher.kick();
  const [run] = await engine.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    reply['run_id'],
  ]);
  return {
    runPk: run?.id ?? '',
    runId: String(reply['run_id']),
    threadId: String(reply['thread_id']),
    chatId: String(reply['chat_id']),
    createdAt: new Date(),
    messagePreview: '',
    claimed: null,
  };
}
const asked = async (message: string, workflowId?: string, threadId?: string): Promise<Played> =>
  engine.follow(await started(message, workflowId, threadId));

/** Asks for a change of a workflow, and does something else behind the model's back. */
async function meanwhile(workflowId: string, happens: () => Promise<unknown>): Promise<Played> {
  await engine.dispatcher.stop();
  try {
    const run = await started('Change it', workflowId);
    await happens();
    engine.dispatcher.start();
    return await engine.follow(run);
  } finally {
    engine.dispatcher.start();
  }
}

/** The messages that the model was asked with last. */
const lastPrompt = (): JsonObject[] => (model.requests.at(-1)?.body['messages'] ?? []) as JsonObject[];

const editsOf = (workflowId: string) =>
  engine.db.query<{ edit_version: number; user_id: string; patches: JsonObject[] }>(
    'SELECT edit_version, user_id, patches FROM workflow_edits WHERE workflow_id = $1 ORDER BY edit_version',
    [workflowId],
  );

describe('a composition', () => {
  test('is saved as one edit: version, history, last edit, only the nine keys, and a notice', async () => {
    const workflowId = await saved();
    const notices: string[] = [];
    let listening: { close(): Promise<void> } | undefined;
    await new Promise<void>((onConnect) => {
      const onMessage = (text: string): number => notices.push(text);
      const onLost = (): void => undefined;
      listening = listenTo(engine.config.databaseUrl, WORKFLOW_CHANNEL, { onConnect, onMessage, onLost });
    });
    const wanted = { ...chain(transform('a', { x: 1 }), transform('b', { y: 2 })), secret_extra: 1 };
    model.script(composed(wanted, 'Added b'));
    const played = await asked('Add a node', workflowId);
    expect(played.output).toEqual({
      content: 'Added b',
      saved: true,
      workflow_id: workflowId,
      edit_version: 1,
    });
    const row = await draft(workflowId);
    expect(row).toMatchObject({ edit_version: 1, last_edited_by: scope.caller.userId });
    expect(row.last_edited_at).not.toBeNull();
    expect(row.live_deployment_id).toBeNull();
    expect((row.workflow_schema['nodes'] as JsonObject[]).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(row.workflow_schema).not.toHaveProperty('secret_extra');
    const edits = await editsOf(workflowId);
    expect(edits).toMatchObject([{ edit_version: 1, user_id: scope.caller.userId }]);
    expect(edits[0]?.patches.map(({ op, path }) => `${String(op)} ${String(path)}`)).toContain(
      'add /workflow_schema/nodes/1',
    );
    await expect
      .poll(() => notices.map((text) => JSON.parse(text) as JsonObject))
      .toContainEqual({ w: workflowId, v: 1, s: 'composer', u: scope.caller.userId });
    await listening?.close();
  });

  test('shows the model the workflow as it is, and never reads it as a template', async () => {
    const workflowId = await saved(
      chain(node('t', 'transformer', { mode: 'template', template: '{{input.secret}}' })),
    );
    model.script(says({ summary: 'It repeats the secret', workflow_schema: null }));
    const played = await asked('What does it do?', workflowId);
    expect(played.output).toMatchObject({ content: 'It repeats the secret', saved: false, edit_version: 0 });
    const [system] = lastPrompt();
    expect(system?.['content']).toContain('{{input.secret}}');
    expect(system?.['content']).toContain('{{node_id.path}}');
    expect(await editsOf(workflowId)).toEqual([]);
  });

  test('without a workflow makes one, which the next message of the chat changes', async () => {
    model.script(composed({ ...chain(transform('a')), metadata: { name: 'Made' } }));
    const first = await asked('Make one');
    const made = (first.output as JsonObject)['workflow_id'] as string;
    expect(await draft(made)).toMatchObject({ name: 'Made', edit_version: 1, status: 'draft' });
    expect(await editsOf(made)).toHaveLength(1);
    model.script(composed(chain(transform('a'), transform('b'))));
    const second = await asked('And b', undefined, String(first.accepted.threadId));
    expect(second.output).toMatchObject({ workflow_id: made, edit_version: 2 });
    const said = lastPrompt();
    expect(said.map(({ content }) => content)).toContain('Make one');
  });

  test('what cannot be used goes back to the model with the problems, and each round is paid for', async () => {
    const workflowId = await saved();
    const before = (await booksOf(engine.db, engine.organizationId)).used;
    const usage = { input: 1_000, output: 0 };
    model.script(
      { ...says('Sure! Here you are.'), usage },
      { ...composed(chain(node('x', 'unheard_of', {}))), usage },
      { ...composed(chain(transform('ok'))), usage },
    );
    const played = await asked('Do it', workflowId);
    expect(played.output).toMatchObject({ saved: true, edit_version: 1 });
    const last = lastPrompt().at(-1)?.['content'];
    expect(last).toContain('unknown type');
    expect(played.of('node_completed', 'save').map((frame) => frame['selected_handle'])).toEqual([
      'again',
      'again',
      'done',
    ]);
    expect((await booksOf(engine.db, engine.organizationId)).used - before).toBe(3_000);
    expect(await editsOf(workflowId)).toHaveLength(1);
  });

  test('a model that never makes a workflow fails the run clearly, and saves nothing', async () => {
    const workflowId = await saved();
    model.script(says('I cannot'));
    const played = await asked('Do it', workflowId);
    expect(played.error).toMatchObject({ code: 'composition_invalid', node_id: 'save' });
    expect(played.error?.message).toContain('not a JSON object');
    expect(played.of('node_started', 'compose')).toHaveLength(4);
    expect(await draft(workflowId)).toMatchObject({ edit_version: 0 });
    const none = await asked('Make one');
    expect(none.error?.code).toBe('composition_invalid');
    const made = await engine.db.query(`SELECT 1 FROM workflows WHERE name = 'Untitled workflow'`);
    expect(made).toEqual([]);
  });

  test.each([
    ['a node of the service itself', chain(node('c', 'composer', {})), 'unknown type'],
    [
      'an MCP server that is a command',
      chain(node('m', 'tool', { kind: 'mcp', transport: 'stdio', command: 'rm', tool: 'x' })),
      'only HTTP servers are supported',
    ],
    [
      "somebody else's credential",
      chain(
        node('l', 'llm', {
          provider: 'openai',
          model: 'm',
          credential_id: randomUUID(),
          messages: [{ role: 'user', content: 'x' }],
        }),
      ),
      'credential does not exist',
    ],
    [
      'a workflow that is not there',
      chain(node('w', 'tool', { kind: 'workflow', workflow_id: randomUUID() })),
      'this organization has no workflow',
    ],
    ['a name that is no name', { ...chain(transform('a')), metadata: { name: 5 } }, 'name'],
  ])('SEC-L03: %s is refused as it would be from a client', async (_, definition, problem) => {
    const workflowId = await saved();
    model.script(composed(definition), says({ summary: 'I give up', workflow_schema: null }));
    const played = await asked('Do it', workflowId);
    expect(played.output).toMatchObject({ saved: false });
    expect(JSON.stringify(played.of('node_completed', 'save')[0]?.['output'])).toContain(problem);
    expect(await editsOf(workflowId)).toEqual([]);
  });

  test('SEC-L03: keys that poison prototypes are refused', async () => {
    const workflowId = await saved();
    const text =
      '{"summary":"x","workflow_schema":{"nodes":[{"id":"__proto__","__proto__":{"a":1}}],"edges":[]}}';
    model.script(says(text), says({ summary: 'I give up', workflow_schema: null }));
    const played = await asked('Do it', workflowId);
    expect(JSON.stringify(played.of('node_completed', 'save')[0]?.['output'])).toContain('__proto__');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});

describe('somebody else saves meanwhile', () => {
  async function overtaken(definition: JsonObject, answer: JsonObject, other: JsonObject): Promise<Played> {
    const workflowId = await saved(definition);
    model.script(composed(answer));
    return meanwhile(workflowId, () =>
      saveWorkflow(engine, scope, { workflowId, body: { workflow_schema: other } }),
    );
  }

  test('in other places: both changes are there, one edit each', async () => {
    const a = transform('a', { x: 1 });
    const played = await overtaken(
      chain(a, transform('b', { y: 1 })),
      chain(a, transform('b', { y: 2 })),
      chain(transform('a', { x: 2 }), transform('b', { y: 1 })),
    );
    expect(played.output).toMatchObject({ saved: true, edit_version: 2 });
    const row = await draft(String((played.output as JsonObject)['workflow_id']));
    const configs = (row.workflow_schema['nodes'] as JsonObject[]).map(({ config }) => config);
    expect(configs).toMatchObject([{ fields: { x: 2 } }, { fields: { y: 2 } }]);
    expect((await editsOf(row.id)).map(({ edit_version: version }) => version)).toEqual([1, 2]);
  });

  test('in the same place: a clear conflict, and nothing is lost', async () => {
    const played = await overtaken(
      chain(transform('a', { x: 1 })),
      chain(transform('a', { x: 2 })),
      chain(transform('a', { x: 3 })),
    );
    expect(played.error).toMatchObject({ code: 'edit_conflict' });
    expect(played.error?.message).toContain('nodes/a');
    const [row] = await engine.db.query<{ workflow_schema: JsonObject; edit_version: number }>(
      `SELECT w.workflow_schema, w.edit_version FROM workflows w JOIN runs r ON r.workflow_id = w.id WHERE r.id = $1`,
      [played.accepted.runPk],
    );
    expect(row).toMatchObject({
      edit_version: 1,
      workflow_schema: { nodes: [{ config: { fields: { x: 3 } } }] },
    });
  });
});

test('a step that is repeated after its worker was lost has saved once', async () => {
  const workflowId = await saved();
  const [step] = await engine.db.query<{ step_id: string }>('SELECT gen_random_uuid() AS step_id');
  const base = { workflowId, editVersion: 0, definition: (await draft(workflowId)).workflow_schema };
  const composition = {
    organizationId: engine.organizationId,
    userId: scope.caller.userId,
    threadId: null,
    stepId: step?.step_id ?? '',
    base,
    definition: chain(transform('b')),
  };
  const { compositions } = engine.deps.tools;
  const first = await compositions.save(composition);
  expect(first).toEqual({ kind: 'saved', workflowId, editVersion: 1 });
  await saveWorkflow(engine, scope, { workflowId, body: { description: 'Later' } });
  expect(await compositions.save(composition)).toEqual(first);
  expect(await editsOf(workflowId)).toHaveLength(2);
});

test('nothing is saved for a person who has lost the role meanwhile', async () => {
  const workflowId = await saved();
  model.script(composed(chain(transform('b'))));
  const { userId } = scope.caller;
  const setActive = (isActive: boolean) =>
    engine.db.query('UPDATE memberships SET is_active = $2 WHERE user_id = $1', [userId, isActive]);
  try {
    const played = await meanwhile(workflowId, () => setActive(false));
    expect(played.error?.code).toBe('forbidden');
    expect(await editsOf(workflowId)).toEqual([]);
  } finally {
    await setActive(true);
  }
});
