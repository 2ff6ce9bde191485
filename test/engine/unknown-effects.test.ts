/** A request whose outcome is unknown would fail its run, or be sent twice, without the word of a person. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { resumeRun } from '../../src/engine/runs/accept/resume.ts';
import type { ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import type { NodeOutcome, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { settleLost } from '../../src/engine/runs/execute/settle.ts';
import { createNodeActivities } from '../../temporal/activities/nodes.ts';
import { firstTask } from '../support/advancing.ts';
import { chain, edge, END, http, START, transform, workflow } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { readUnknownOutcomes } from '../../src/engine/runs/ledger/questions/settled-outcomes.ts';
import { toReader } from '../../src/engine/runs/ledger/read/run-reads.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { settleOutcome } from '../../src/engine/runs/rerun/settle-outcome.ts';
import { answer, cancel, owner, questionsOf, resume, runBy } from '../support/journeys.ts';
import { eventsOf, happened, stepsOf } from '../support/records.ts';
import { newRun } from '../support/runs.ts';
import { startOtherWorker } from '../support/workers.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

/** A POST whose first call gets no answer in time. */
const pay = (tag: string, envelope: JsonObject = {}): JsonObject =>
  http(
    'pay',
    recorder.url(tag, { hold: 1 }),
    { body: { amount: 12 } },
    { on_unknown: 'ask', timeout_ms: 500, ...envelope },
  );
const reads = (): JsonObject => transform('t', { read: '{{pay.data.number}}' });
const idOf = (played: Played): string => questionsOf(played)['pay'] ?? '';
const stepOf = async (played: Played) => (await stepsOf(engine.db, played.accepted.runPk, 'pay'))[0];

async function ask(definition: (tag: string) => JsonObject): Promise<{ tag: string; asked: Played }> {
  const tag = randomUUID();
  const asked = await engine.play(definition(tag));
  expect(asked.end.type).toBe('run_interrupted');
  return { tag, asked };
}

describe('a request that got no answer', () => {
  test('asks people, and shows what was sent', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name), reads()));
    expect(asked.of('interrupt', 'pay')).toMatchObject([
      {
        kind: 'unknown_effect',
        title: 'Did "pay" happen?',
        payload: {
          door: 'http',
          target: { method: 'POST', host: recorder.hostPort },
          credential: null,
          request: { method: 'POST', body: { amount: 12 } },
          reason: 'outcome_unknown',
        },
        actions: [{ id: 'happened' }, { id: 'send' }, { id: 'give_up' }],
        expires_at: null,
      },
    ]);
    expect(await stepOf(asked)).toMatchObject({
      status: 'interrupted',
      attempts: [{ attempt: 1, status: 'failed', error: { code: 'outcome_unknown' } }],
    });
    expect((await stepOf(asked))?.sent_at).not.toBeNull();
    await cancel(engine, asked.accepted);
    expect(recorder.calls(tag)).toHaveLength(1);
  });

  test('happened, says a person, with its answer: the run goes on with it, and nothing is sent', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name), reads()));
    const output = { data: { number: 41 }, status: 201 };
    const resumed = await resume(engine, asked, {
      interrupt_id: idOf(asked),
      action: 'happened',
      data: { output },
    });
    expect(resumed.end).toMatchObject({ type: 'run_completed', output: { read: 41 } });
    expect(await stepOf(resumed)).toMatchObject({
      status: 'succeeded',
      output,
      attempts: [{ attempt: 1, status: 'failed', error: { code: 'outcome_unknown' } }],
    });
    expect((await stepOf(asked))?.sent_at).toBeNull();
    expect((await stepOf(resumed))?.sent_at).not.toBeNull();
    expect(recorder.calls(tag)).toHaveLength(1);
  });

  test('did not happen, says a person: it is sent once more', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name), reads()));
    const resumed = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'send' });
    expect(resumed.end).toMatchObject({ type: 'run_completed', output: { read: 2 } });
    expect(resumed.of('interrupt_resolved', 'pay')).toMatchObject([{ action: 'send', timed_out: false }]);
    expect(await stepOf(resumed)).toMatchObject({
      status: 'succeeded',
      attempts: [
        { attempt: 1, status: 'failed' },
        { attempt: 2, status: 'succeeded' },
      ],
    });
    expect(recorder.calls(tag)).toHaveLength(2);
  });

  test('is given up: the node fails, and its error edge is taken', async () => {
    const { tag, asked } = await ask((name) =>
      workflow(
        [pay(name), transform('failed', { code: '{{pay.error.code}}' })],
        [edge(START, 'pay'), edge('pay', END), edge('pay', 'failed', 'error'), edge('failed', END)],
      ),
    );
    const resumed = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'give_up' });
    expect(resumed.end).toMatchObject({ type: 'run_completed', output: { code: 'outcome_unknown' } });
    expect(recorder.calls(tag)).toHaveLength(1);
  });

  test('asks again when the second request gets no answer either', async () => {
    const tag = randomUUID();
    const twice = http('pay', recorder.url(tag, { hold: 2 }), {}, { on_unknown: 'ask', timeout_ms: 500 });
    const asked = await engine.play(chain(twice, reads()));
    const again = await resume(engine, asked, { interrupt_id: idOf(asked), action: 'send' });
    expect(again.end.type).toBe('run_interrupted');
    expect(idOf(again)).not.toBe(idOf(asked));
    const last = await resume(engine, again, { interrupt_id: idOf(again), action: 'send' });
    expect(last.end).toMatchObject({ type: 'run_completed', output: { read: 3 } });
  });

  test('is settled by one of two people; the answer of the other is refused', async () => {
    const { tag, asked } = await ask((name) => chain(pay(name), reads()));
    const answers = await Promise.allSettled([
      answer(engine, asked, { interrupt_id: idOf(asked), action: 'send' }),
      answer(engine, asked, { interrupt_id: idOf(asked), action: 'send' }, owner(engine)),
    ]);
    const refused = answers.filter((each) => each.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { failure: { status: 410, code: 'interrupt_closed' } } }]);
    const won = answers.find((each) => each.status === 'fulfilled');
    expect((await engine.follow(won!.value)).end.type).toBe('run_completed');
    expect(recorder.calls(tag)).toHaveLength(2);
  });

  test('did not happen without its answer: 422, and the question stays open', async () => {
    const { asked } = await ask((name) => chain(pay(name), reads()));
    const refused = async (data: JsonObject): Promise<unknown> =>
      answer(engine, asked, { interrupt_id: idOf(asked), action: 'happened', data }).catch(
        (error: unknown) => error,
      );
    expect(await refused({})).toMatchObject({ failure: { shape: 'C' } });
    expect(await refused({ output: 'done' })).toMatchObject({ failure: { shape: 'C' } });
    expect(await refused({ output: {} })).toMatchObject({ failure: { shape: 'C' } });
    await cancel(engine, asked.accepted);
  });

  test('is answered while another branch runs: the same run goes on', async () => {
    const [tag, other] = [randomUUID(), randomUUID()];
    const accepted = await engine.accept(
      workflow(
        [pay(tag), http('slow', recorder.url(other, { hold: 1 }))],
        [edge(START, 'pay'), edge(START, 'slow'), edge('pay', END), edge('slow', END)],
      ),
    );
    const asked = await happened(engine.db, accepted.runPk, 'interrupt', 'pay');
    await recorder.waitFor(other, 1);
    const body = { interrupt_id: String(asked.payload['interrupt_id']), action: 'send' };
    await resumeRun(engine, owner(engine), {
      runId: accepted.runId,
      body: body as never,
      joinsRunning: true,
    });
    await happened(engine.db, accepted.runPk, 'node_completed', 'pay');
    recorder.release(({ tag: name }) => name === other);
    const played = await engine.follow(accepted);
    expect(played.end.type).toBe('run_completed');
    expect(await stepOf(played)).toMatchObject({ status: 'succeeded', attempts: [{}, { attempt: 2 }] });
    expect(recorder.calls(tag)).toHaveLength(2);
  });

  test('fails its node when the definition does not say otherwise, and in an ephemeral run', async () => {
    const tag = randomUUID();
    const failed = await engine.play(chain(pay(tag, { on_unknown: 'fail' })));
    expect(failed.end).toMatchObject({ type: 'run_failed', error: { code: 'outcome_unknown' } });
    const definitionHash = await storeDefinition(engine.db, engine.organizationId, chain(pay(randomUUID())));
    const { organizationId } = engine;
    const run = await newRun(engine.db, {
      organizationId,
      definitionHash,
      recursionLimit: 100,
      runInput: {},
    });
    const brief = await engine.acceptor.accept({ ...run, ephemeral: true });
    engine.dispatcher.kick();
    expect((await engine.follow(brief)).end).toMatchObject({
      type: 'run_failed',
      error: { code: 'outcome_unknown' },
    });
  });
});

describe('a run that has failed with an unknown outcome', () => {
  const output = { data: { number: 41 } };
  const settle = (stepId: string, action: 'happened' | 'send' | 'give_up', who = owner(engine)) =>
    settleOutcome(engine, who, { stepId, action, output: action === 'happened' ? output : null });
  const again = (runPk: string, body: JsonObject = { from: 'failed' }) =>
    rerun(engine, owner(engine), { runPk, body: rerunBody.parse(body), idempotencyKey: null });
  const listed = (runPk: string, who = owner(engine)) =>
    readUnknownOutcomes(engine.db, toReader(who), {
      page: { from: null, isBackward: false, limit: 10, offset: 0 },
      runPk,
    });
  const effects = (runPk: string) =>
    engine.db.query<{ outcome: string }>('SELECT outcome FROM run_effects WHERE run_pk = $1', [runPk]);

  async function fail(envelope: JsonObject = {}) {
    const tag = randomUUID();
    const failed = await engine.play(chain(pay(tag, { on_unknown: 'fail', ...envelope }), reads()));
    const { runPk } = failed.accepted;
    const [found] = await listed(runPk);
    return { tag, failed, runPk, stepId: found?.step_id ?? '' };
  }

  test('is listed; it happened, says a person: a rerun goes on with its answer, and nothing is sent', async () => {
    const { tag, runPk, stepId } = await fail();
    expect(await listed(runPk)).toMatchObject([
      { step_id: stepId, node_id: 'pay', door: 'http', target: { method: 'POST', host: recorder.hostPort } },
    ]);
    await expect(again(runPk)).rejects.toMatchObject({ failure: { code: 'run_not_reusable' } });
    expect(await settle(stepId, 'happened')).toMatchObject({
      action: 'happened',
      node_id: 'pay',
      unsettled: 0,
    });
    expect(await listed(runPk)).toEqual([]);
    expect(await effects(runPk)).toEqual([{ outcome: 'settled' }]);
    const started = await again(runPk);
    const played = await engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
    expect(played.end).toMatchObject({ type: 'run_completed', output: { read: 41 } });
    expect(recorder.calls(tag)).toHaveLength(1);
  });

  test('it did not happen, says a person: of two reruns at once one sends it', async () => {
    const { tag, runPk, stepId } = await fail();
    await settle(stepId, 'send');
    expect(await effects(runPk)).toEqual([{ outcome: 'not_sent' }]);
    const reruns = await Promise.allSettled([again(runPk), again(runPk)]);
    expect(reruns.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { failure: { status: 409, code: 'run_not_reusable' } } },
    ]);
    const won = reruns.find((each) => each.status === 'fulfilled');
    const played = await engine.follow(await runBy(engine, 'run_id', String(won!.value['run_id'])));
    expect(played.end).toMatchObject({ type: 'run_completed', output: { read: 2 } });
    await expect(again(runPk)).rejects.toMatchObject({ failure: { code: 'run_not_reusable' } });
    expect(recorder.calls(tag)).toHaveLength(2);
  });

  test('it happened, says a person: a rerun of everything takes the answer, and sends the request once more only with another input', async () => {
    const { tag, runPk, stepId } = await fail();
    await settle(stepId, 'happened');
    const plan = await again(runPk, { dry_run: true });
    expect(plan).toMatchObject({
      effects_to_confirm: [],
      nodes: [{ node_id: 'pay', action: 'reuse', reason: 'override', repeats: [] }, { action: 'run' }],
    });
    const started = await again(runPk, { confirm_effects: true });
    const played = await engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
    expect(played.end).toMatchObject({ type: 'run_completed', output: { read: 41 } });
    expect(recorder.calls(tag)).toHaveLength(1);
    const other = { input: { message: 'another' } };
    await expect(again(runPk, other)).rejects.toMatchObject({ failure: { code: 'effects_not_confirmed' } });
    const anew = await again(runPk, { ...other, confirm_effects: true });
    const sent = await engine.follow(await runBy(engine, 'run_id', String(anew['run_id'])));
    expect(sent.end).toMatchObject({ type: 'run_completed', output: { read: 2 } });
  });

  test('it did not happen, says a person: a rerun of everything claims the request, also a confirmed one, and one beside it is refused', async () => {
    const { tag, runPk, stepId } = await fail();
    await settle(stepId, 'send');
    expect(await again(runPk, { dry_run: true })).toMatchObject({ effects_to_confirm: [] });
    const reruns = await Promise.allSettled([
      again(runPk, { confirm_effects: true }),
      again(runPk, { from: 'failed' }),
    ]);
    const won = reruns.filter((each) => each.status === 'fulfilled');
    expect(won).toHaveLength(1);
    const played = await engine.follow(await runBy(engine, 'run_id', String(won[0]?.value['run_id'])));
    expect(played.end).toMatchObject({ type: 'run_completed', output: { read: 2 } });
    // The word of the person is used up.
    await expect(again(runPk)).rejects.toMatchObject({ failure: { code: 'run_not_reusable' } });
    await expect(again(runPk, {})).rejects.toMatchObject({ failure: { code: 'effects_not_confirmed' } });
    expect(recorder.calls(tag)).toHaveLength(2);
  });

  test('is settled by one of two people at once; the other is told who was first', async () => {
    const { runPk, stepId } = await fail();
    const settled = await Promise.allSettled([settle(stepId, 'give_up'), settle(stepId, 'happened')]);
    const won = settled.find((each) => each.status === 'fulfilled');
    const { settled_by: first } = won!.value;
    expect(settled.filter(({ status }) => status === 'rejected')).toMatchObject([
      {
        reason: {
          failure: {
            status: 410,
            code: 'outcome_settled',
            detail: expect.stringContaining(String(first)) as string,
          },
        },
      },
    ]);
    expect(await listed(runPk)).toEqual([]);
  });

  test('is given up: it leaves the list, and a rerun still names its node', async () => {
    const { runPk, stepId } = await fail();
    await settle(stepId, 'give_up');
    expect(await listed(runPk)).toEqual([]);
    expect(await effects(runPk)).toEqual([{ outcome: 'given_up' }]);
    const entries = await engine.db.query(
      'SELECT action, object_name, details FROM audit_log WHERE object_id = $1',
      [stepId],
    );
    expect(entries).toEqual([
      { action: 'unknown_outcome.settled', object_name: 'pay', details: { action: 'give_up' } },
    ]);
    await expect(again(runPk)).rejects.toMatchObject({ failure: { code: 'run_not_reusable' } });
  });

  test('does not exist for another organization, nor for a step whose failure was handled', async () => {
    const { runPk, stepId } = await fail();
    const other = { ...owner(engine), organizationId: randomUUID() };
    await expect(settle(stepId, 'give_up', other)).rejects.toMatchObject({ failure: { status: 404 } });
    expect(await listed(runPk, other)).toEqual([]);
    expect(await listed(runPk)).toHaveLength(1);
    const handled = await engine.play(
      chain(pay(randomUUID(), { on_unknown: 'fail', on_error: 'continue' }), transform('t', { read: 1 })),
    );
    expect(await listed(handled.accepted.runPk)).toEqual([]);
    const step = (await stepOf(handled))?.step_id ?? '';
    await expect(settle(step, 'give_up')).rejects.toMatchObject({ failure: { status: 404 } });
  });
});

describe('a worker that was lost after it sent the request', () => {
  const worker = (): MockActivityEnvironment =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const attempt = (task: NodeTask, deps: ExecuteDeps = engine.deps): Promise<NodeOutcome> =>
    worker().run(() => createNodeActivities(deps).tool(task)) as Promise<NodeOutcome>;
  const paused = { taken: [], failed: false, asked: { fireAtMs: null } };

  test('leaves a question, opened once; its late answer changes nothing', async () => {
    await engine.dispatcher.stop();
    const tag = randomUUID();
    const { runPk } = await engine.accept(chain(pay(tag, { timeout_ms: 60_000 })));
    const task = firstTask({ organizationId: engine.organizationId, rootRunPk: runPk }, 'pay');
    const other = await startOtherWorker(engine.deps);
    const lost = attempt(task, other.deps);
    await recorder.waitFor(tag, 1);
    await other.lose();
    expect(await attempt(task)).toEqual(paused);
    expect(await attempt(task)).toEqual(paused);
    expect(await settleLost(engine.deps, task, 'lost')).toEqual(paused);
    recorder.release();
    // Too late: the question stands.
    expect(await lost).toEqual(paused);
    const asked = (await eventsOf(engine.db, runPk)).filter(({ type }) => type === 'interrupt');
    expect(asked).toMatchObject([{ payload: { payload: { request: { body: { amount: 12 } } } } }]);
    const [step] = await stepsOf(engine.db, runPk, 'pay');
    expect(step).toMatchObject({ status: 'interrupted', outcome: null, attempts: [{ status: 'lost' }] });
    expect(recorder.calls(tag)).toHaveLength(1);
  });

  test('leaves a question also when no other worker could take its task', async () => {
    const tag = randomUUID();
    const { runPk } = await engine.accept(chain(pay(tag, { timeout_ms: 60_000 })));
    const task = firstTask({ organizationId: engine.organizationId, rootRunPk: runPk }, 'pay');
    const other = await startOtherWorker(engine.deps);
    const lost = attempt(task, other.deps);
    await recorder.waitFor(tag, 1);
    await other.lose();
    expect(await settleLost(engine.deps, task, 'lost')).toEqual(paused);
    recorder.release();
    expect(await lost).toEqual(paused);
  });
});
