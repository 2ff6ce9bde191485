/** People would approve one request, and another one would leave. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/platform/access/caller.ts';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { resumeRun } from '../../src/engine/runs/accept/resume.ts';
import { settleLost } from '../../src/engine/runs/execute/settle.ts';
import { deleteValues } from '../../src/engine/runs/ledger/erase/delete-values.ts';
import type { ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import type { NodeOutcome, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import { createNodeActivities } from '../../temporal/activities/nodes.ts';
import { firstTask } from '../support/advancing.ts';
import { chain, edge, END, http, node, START, transform, workflow } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import {
  answer,
  cancel,
  childOf,
  deploy,
  nextSegment,
  owner,
  questionsOf,
  resume,
} from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { stepsOf } from '../support/records.ts';
import { startOtherWorker } from '../support/workers.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
  ({ engine, recorder, model } = await startEngineWithModel({ ENCRYPTION_KEYS }));
});
afterAll(() => engine.close());

const BODY = { amount: '{{input.amount}}', to: 'Ada' };
/** A POST that people approve. */
const pay = (tag: string, confirm: JsonObject = {}, envelope: JsonObject = {}): JsonObject =>
  http('pay', recorder.url(tag), { body: BODY }, { confirm, ...envelope });
const reads = (): JsonObject => transform('t', { read: '{{pay.data.number}}' });
const idOf = (played: Played): string => questionsOf(played)['pay'] ?? '';
const payloadOf = (played: Played): JsonObject => played.of('interrupt', 'pay')[0]?.['payload'] as JsonObject;
const digestOf = (played: Played): string => String(payloadOf(played)['digest']);
const bodiesOf = (tag: string): Json[] => recorder.calls(tag).map(({ body }) => body as Json);
const held = (interruptId: string) =>
  engine.db.query<{ digest: string; approved_at: Date | null; ciphertext: Buffer }>(
    'SELECT digest, approved_at, ciphertext FROM held_effects WHERE interrupt_id = $1 ORDER BY revision',
    [interruptId],
  );

async function ask(
  definition: (tag: string) => JsonObject,
  input: JsonObject = { amount: 82_000 },
): Promise<{ tag: string; asked: Played }> {
  const tag = randomUUID();
  const asked = await engine.play(definition(tag), input);
  expect(asked.end.type).toBe('run_interrupted');
  return { tag, asked };
}

const approve = (asked: Played, data: JsonObject = {}): JsonObject => ({
  interrupt_id: idOf(asked),
  action: 'approve',
  data: { digest: digestOf(asked), ...data },
});

async function join(email: string): Promise<Scope> {
  const scope = owner(engine);
  const { userId } = scope.caller;
  await engine.db.query('INSERT INTO users (id, subject, email) VALUES ($1, $2, $3)', [
    userId,
    userId,
    email,
  ]);
  await engine.db.query('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', [
    engine.organizationId,
    userId,
    'owner',
  ]);
  return { ...scope, caller: { ...scope.caller, email } };
}

const refusal = (asked: Played, body: JsonObject, who?: Scope): Promise<unknown> =>
  resumeRun(engine, who ?? owner(engine), { runId: asked.accepted.runId, body: body as never }).catch(
    (error: unknown) => error,
  );

describe('a request that waits for approval', () => {
  test('REL-approved-effects: is shown, sealed and not sent; once approved it leaves as it was shown', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name), reads()));
    expect(asked.of('interrupt', 'pay')).toMatchObject([
      {
        kind: 'effect_approval',
        title: `Send POST to ${recorder.hostPort}?`,
        payload: {
          door: 'http',
          request: { method: 'POST', url: recorder.url(tag), body: { amount: 82_000, to: 'Ada' } },
          credential: null,
        },
        actions: [{ id: 'approve' }, { id: 'reject' }],
      },
    ]);
    expect(recorder.calls(tag)).toHaveLength(0);
    const [row] = await held(idOf(asked));
    expect(row).toMatchObject({ digest: digestOf(asked), approved_at: null });
    expect(row?.ciphertext.includes('82000')).toBe(false);
    const resumed = await resume(engine, asked, approve(asked));
    expect(resumed.end).toMatchObject({ type: 'run_completed', output: { read: 1 } });
    expect(bodiesOf(tag)).toEqual([{ amount: 82_000, to: 'Ada' }]);
    expect((await held(idOf(asked)))[0]?.approved_at).not.toBeNull();
    const [step] = await stepsOf(engine.db, resumed.accepted.runPk, 'pay');
    expect(step).toMatchObject({ status: 'succeeded', input: { body: { amount: 82_000 } } });
    const told = 'SELECT digest, approved_by_interrupt AS "approvedBy" FROM run_effects WHERE run_pk = $1';
    expect(await engine.db.query(told, [resumed.accepted.runPk])).toEqual([
      { digest: digestOf(asked), approvedBy: idOf(asked) },
    ]);
  });

  test('REL-approved-effects: leaves as it was approved, although its state was changed since', async () => {
    const { tag, asked } = await ask((name) =>
      workflow(
        [
          transform('amount', { of: '{{input.amount}}' }),
          http('pay', recorder.url(name), { body: { amount: '{{amount.of}}' } }, { confirm: {} }),
        ],
        [edge(START, 'amount'), edge('amount', 'pay'), edge('pay', END)],
      ),
    );
    await engine.db.query(
      `UPDATE run_steps SET output = '{"of": 820000}' WHERE root_run_pk = $1 AND node_id = 'amount'`,
      [asked.accepted.runPk],
    );
    expect((await resume(engine, asked, approve(asked))).end.type).toBe('run_completed');
    expect(bodiesOf(tag)).toEqual([{ amount: 82_000 }]);
  });

  test('REL-approved-effects: is refused when what is kept is another request than the approved one', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name)));
    const other = await ask((name) => chain(pay(name)), { amount: 820_000 });
    const [row] = await held(idOf(other.asked));
    await engine.db.query('UPDATE held_effects SET digest = $2 WHERE interrupt_id = $1', [
      idOf(asked),
      row?.digest,
    ]);
    expect(await refusal(asked, approve(asked))).toMatchObject({ failure: { code: 'effect_changed' } });
    expect(recorder.calls(tag)).toHaveLength(0);
    await cancel(engine, asked.accepted);
    await cancel(engine, other.asked.accepted);
  });

  test('is rejected: the node fails as `rejected`, by its error edge, and nothing is sent', async () => {
    const { tag, asked } = await ask((name) =>
      workflow(
        [pay(name), transform('failed', { code: '{{pay.error.code}}', why: '{{pay.error.message}}' })],
        [edge(START, 'pay'), edge('pay', END), edge('pay', 'failed', 'error'), edge('failed', END)],
      ),
    );
    const body = { interrupt_id: idOf(asked), action: 'reject', data: { comment: 'too much' } };
    const resumed = await resume(engine, asked, body);
    expect(resumed.end).toMatchObject({
      type: 'run_completed',
      output: { code: 'rejected', why: 'The request was rejected and not sent: too much' },
    });
    expect(recorder.calls(tag)).toHaveLength(0);
  });

  test('is not approved in time: the node fails as `approval_expired`', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name, { timeout_seconds: 1 })));
    const played = await engine.follow(await nextSegment(engine, asked));
    expect(played.end).toMatchObject({ type: 'run_failed', error: { code: 'approval_expired' } });
    expect(recorder.calls(tag)).toHaveLength(0);
  });

  test('is sent again by its rules of retries, as it was approved', async () => {
    const tag = randomUUID();
    const node = http(
      'pay',
      recorder.url(tag, { fail: 1 }),
      { method: 'PUT', body: BODY },
      { confirm: {}, retry: { max_attempts: 2, initial_interval_ms: 10 } },
    );
    const asked = await engine.play(chain(node), { amount: 5 });
    const resumed = await resume(engine, asked, approve(asked));
    expect(resumed.end.type).toBe('run_completed');
    expect(bodiesOf(tag)).toEqual([
      { amount: 5, to: 'Ada' },
      { amount: 5, to: 'Ada' },
    ]);
    const keys = recorder.calls(tag).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([`${asked.accepted.runPk}:pay:1`]));
  });

  test('starts its sub-workflow with the input that was approved', async () => {
    const workflowId = await deploy(engine, chain(transform('got', { amount: '{{input.amount}}' })));
    const call = {
      id: 'pay',
      type: 'tool',
      config: { kind: 'workflow', workflow_id: workflowId, input: { amount: '{{input.amount}}' } },
      confirm: { editable: ['input.amount'] },
    };
    const { asked } = await ask(() => chain(call));
    expect(payloadOf(asked)).toMatchObject({ door: 'run', request: { input: { amount: 82_000 } } });
    const resumed = await resume(engine, asked, approve(asked, { 'input.amount': 7 }));
    expect(resumed.end.type).toBe('run_completed');
    const child = await childOf(engine, resumed.accepted);
    expect((await stepsOf(engine.db, child.runPk, 'got'))[0]).toMatchObject({ output: { amount: 7 } });
  });
});

describe('an edited request', () => {
  const editable = ['body.amount'];

  test('is another one, with its own digest, shown with who has changed what', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name, { editable })));
    const resumed = await resume(engine, asked, approve(asked, { 'body.amount': 820 }));
    expect(resumed.end.type).toBe('run_completed');
    expect(bodiesOf(tag)).toEqual([{ amount: 820, to: 'Ada' }]);
    const [first, second] = await held(idOf(asked));
    expect(first).toMatchObject({ digest: digestOf(asked), approved_at: null });
    expect(second?.approved_at).not.toBeNull();
    expect(second?.digest).not.toBe(first?.digest);
    const [question] = await engine.db.query<{ payload: JsonObject; digest: string }>(
      `SELECT question->'payload' AS payload, response->'data'->>'digest' AS digest FROM run_interrupts WHERE id = $1`,
      [idOf(asked)],
    );
    expect(question?.digest).toBe(second?.digest);
    expect(question?.payload).toMatchObject({
      digest: second?.digest,
      request: { body: { amount: 820 } },
      changes: [
        { before_digest: first?.digest, changes: [{ path: 'body.amount', before: 82_000, after: 820 }] },
      ],
    });
  });

  test('may change named values alone', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name, { editable })));
    for (const data of [{ 'body.to': 'Eve' }, { url: 'https://evil.example' }, { 'body.amount': 'much' }])
      expect(await refusal(asked, approve(asked, data))).toMatchObject({ failure: { shape: 'C' } });
    expect(await refusal(asked, { ...approve(asked), data: {} })).toMatchObject({ failure: { shape: 'C' } });
    expect(recorder.calls(tag)).toHaveLength(0);
    await cancel(engine, asked.accepted);
  });

  test('counts people anew; the answer of a colleague to the earlier one is 409', async () => {
    const [ada, ben, cleo] = [
      await join('ada@x.example'),
      await join('ben@x.example'),
      await join('cleo@x.example'),
    ];
    const { tag, asked } = await ask((name) => chain(pay(name, { editable, required_responses: 2 })));
    expect(await refusal(asked, approve(asked), ada)).toMatchObject({
      status: 'interrupted',
      interrupts: [{ responses: 1 }],
    });
    expect(await refusal(asked, approve(asked, { 'body.amount': 820 }), ben)).toMatchObject({
      status: 'interrupted',
      interrupts: [{ responses: 1, required_responses: 2 }],
    });
    expect(await refusal(asked, approve(asked), cleo)).toMatchObject({
      failure: { status: 409, code: 'effect_changed' },
    });
    const [, second] = await held(idOf(asked));
    const seen = { ...approve(asked), data: { digest: second?.digest ?? '' } };
    const resumed = await engine.follow(await answer(engine, asked, seen, ada));
    expect(resumed.end.type).toBe('run_completed');
    expect(bodiesOf(tag)).toEqual([{ amount: 820, to: 'Ada' }]);
    expect(await refusal(asked, seen, cleo)).toMatchObject({
      failure: { status: 410, code: 'interrupt_closed' },
    });
  });
});

describe('a call of an agent that waits for approval', () => {
  /** An agent whose tool reads a value that can be changed while people are asked. */
  async function askAgent(given: JsonObject, tool: JsonObject = {}): Promise<{ tag: string; asked: Played }> {
    model.script({ toolCalls: [{ id: 'call-1', name: 'pay', arguments: given }] }, { text: ['Paid'] });
    return ask(
      (name) =>
        workflow(
          [
            transform('payer', { of: '{{input.payer}}' }),
            node('pay', 'agent', {
              provider: 'openai',
              model: 'test-model',
              messages: [{ role: 'user', content: 'Go' }],
              tools: [
                {
                  kind: 'http',
                  name: 'pay',
                  method: 'POST',
                  url: recorder.url(name),
                  headers: { authorization: 'Bearer abcdefgh12345678' },
                  body: { payer: '{{payer.of}}', run: '{{run.id}}' },
                  approval: 'always',
                  ...tool,
                },
              ],
            }),
          ],
          [edge(START, 'payer'), edge('payer', 'pay'), edge('pay', END)],
        ),
      { payer: 'Ada' },
    );
  }
  const changePayer = (asked: Played) =>
    engine.db.query(
      `UPDATE run_steps SET output = '{"of": "Eve"}' WHERE root_run_pk = $1 AND node_id = 'payer'`,
      [asked.accepted.runPk],
    );
  const told = 'SELECT digest, approved_by_interrupt AS "approvedBy" FROM run_effects WHERE run_pk = $1';

  test('REL-approved-effects: shows its request, and leaves as it was shown, although its state was changed since', async () => {
    const { tag, asked } = await askAgent({ amount: 5 });
    const body = { payer: 'Ada', run: asked.accepted.runId, amount: 5 };
    expect(asked.of('interrupt', 'pay')).toMatchObject([
      {
        kind: 'tool_approval',
        title: 'Call pay?',
        payload: {
          tool: 'pay',
          arguments: { amount: 5 },
          door: 'http',
          request: { method: 'POST', url: recorder.url(tag), headers: { authorization: '***' }, body },
        },
      },
    ]);
    expect(await held(idOf(asked))).toMatchObject([{ digest: digestOf(asked) }]);
    await changePayer(asked);
    const resumed = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    expect(resumed.end.type).toBe('run_completed');
    expect(bodiesOf(tag)).toEqual([body]);
    expect(await engine.db.query(told, [resumed.accepted.runPk])).toEqual([
      { digest: digestOf(asked), approvedBy: idOf(asked) },
    ]);
  });

  test('REL-approved-effects: is not made when what is kept is another request', async () => {
    const { tag, asked } = await askAgent({ amount: 5 });
    await engine.db.query('UPDATE held_effects SET digest = $2 WHERE interrupt_id = $1', [
      idOf(asked),
      'f'.repeat(64),
    ]);
    const resumed = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'approve' });
    const [{ tool_calls: calls } = { tool_calls: [] }] = resumed
      .of('node_completed', 'pay')
      .map(({ output }) => output as { tool_calls: JsonObject[] });
    expect(calls).toMatchObject([{ error: { code: 'effect_changed' } }]);
    expect(recorder.calls(tag)).toHaveLength(0);
  });

  test('with edited arguments leaves with these', async () => {
    const { tag, asked } = await askAgent({ amount: 5 });
    const data = { arguments: { amount: 4 } };
    await resume(engine, asked, { interrupt_id: idOf(asked), action: 'edit', data });
    expect(bodiesOf(tag)).toMatchObject([{ payer: 'Ada', amount: 4 }]);
  });
});

test('the values of a run are deleted with the request that it held', async () => {
  const { asked } = await ask((name) => chain(pay(name)));
  await resume(engine, asked, approve(asked));
  expect(await held(idOf(asked))).toHaveLength(1);
  await engine.db.transaction((tx) => deleteValues(tx, [asked.accepted.runPk]));
  expect(await held(idOf(asked))).toHaveLength(0);
});

describe('a worker that is lost', () => {
  beforeEach(() => engine.dispatcher.stop());
  const worker = (): MockActivityEnvironment =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const attempt = (task: NodeTask, deps: ExecuteDeps = engine.deps): Promise<NodeOutcome> =>
    worker().run(() => createNodeActivities(deps).tool(task)) as Promise<NodeOutcome>;
  const paused = { taken: [], failed: false, asked: { fireAtMs: null } };

  test('while it asks leaves one question with one request', async () => {
    const tag = randomUUID();
    const { runPk } = await engine.accept(chain(pay(tag)), { amount: 1 });
    const task = firstTask({ organizationId: engine.organizationId, rootRunPk: runPk }, 'pay');
    const other = await startOtherWorker(engine.deps);
    expect(await attempt(task, other.deps)).toEqual(paused);
    await other.lose();
    expect(await attempt(task)).toEqual(paused);
    expect(await settleLost(engine.deps, task, 'lost')).toEqual(paused);
    const rows = await engine.db.query(
      'SELECT 1 FROM run_interrupts i JOIN held_effects h ON h.interrupt_id = i.id WHERE i.root_run_pk = $1',
      [runPk],
    );
    expect(rows).toHaveLength(1);
    expect(recorder.calls(tag)).toHaveLength(0);
  });
});
