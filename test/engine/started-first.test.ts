/** A node would act before the run's execution exists in Temporal, and nobody would take over after a crash. */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { RunRef } from '../../src/engine/runs/engine.ts';
import { toRunWorkflowId } from '../../temporal/contract.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import { openHistories, type HistoryReader } from '../support/histories.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, closedAs, eventually, questionsOf, resume, workflowIdOf } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let histories: HistoryReader;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
  histories = await openHistories();
  connection = await Connection.connect({ address: engine.config.temporal.address });
  client = new Client({ connection });
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await histories.close();
  await connection.close();
  await engine.close();
});

/** Holds the next start back. @returns what lets it go */
function holdStart(): { readonly isAsked: () => boolean; readonly release: () => void } {
  const real = engine.engine.start.bind(engine.engine);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const start = vi.spyOn(engine.engine, 'start').mockImplementationOnce(async (run) => {
    await held;
    return real(run);
  });
  return { isAsked: () => start.mock.calls.length > 0, release };
}

test('no node runs before the execution of its run is there, pure ones neither', async () => {
  const tag = randomUUID();
  const start = holdStart();
  const accepted = await engine.accept(chain(transform('pure'), http('call', recorder.url(tag))));
  await eventually(async () => (start.isAsked() ? true : null));
  const untouched = await engine.db.query(
    `SELECT r.last_seq, c.advance, (SELECT count(*) FROM run_steps s WHERE s.root_run_pk = r.id) AS steps
     FROM runs r JOIN run_cursors c ON c.root_run_pk = r.id WHERE r.id = $1`,
    [accepted.runPk],
  );
  expect(untouched).toEqual([{ last_seq: 1, advance: 0, steps: 0 }]);
  start.release();
  const played = await engine.follow(accepted);
  expect(played.end.type).toBe('run_completed');
  expect(recorder.calls(tag)).toHaveLength(1);
  expect(await closedAs(engine, accepted)).toBe('COMPLETED');
});

test('the execution is given one argument: what it is to run', async () => {
  const { accepted } = await engine.play(chain(transform('t')));
  const [history] = await histories.chain(workflowIdOf(engine, accepted));
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(started?.input?.payloads).toHaveLength(1);
});

test('a run that is cancelled while its start is on its way ends cancelled, and calls nothing', async () => {
  const tag = randomUUID();
  const start = holdStart();
  const accepted = await engine.accept(chain(http('call', recorder.url(tag))));
  await eventually(async () => (start.isAsked() ? true : null));
  await cancel(engine, accepted);
  start.release();
  expect((await engine.follow(accepted)).end.type).toBe('run_cancelled');
  expect(await closedAs(engine, accepted)).toBe('CANCELLED');
  expect(recorder.calls(tag)).toEqual([]);
});

test('REL-G2: a start that is delivered twice, with a lost answer, leads to one execution', async () => {
  const tag = randomUUID();
  const real = engine.engine.start.bind(engine.engine);
  /** The newest execution under the id of a run. */
  const executionOf = async ({ organizationId, rootRunPk }: RunRef): Promise<string> =>
    (await client.workflow.getHandle(toRunWorkflowId(organizationId, rootRunPk)).describe()).runId;
  const executions: string[] = [];
  vi.spyOn(engine.engine, 'start').mockImplementationOnce(async (run) => {
    await real(run);
    executions.push(await executionOf(run));
    await real(run);
    throw new Error('the answer was lost');
  });
  const played = await engine.play(
    chain(http('call', recorder.url(tag, { delay_ms: 1_500 })), transform('t')),
  );
  expect(played.end.type).toBe('run_completed');
  expect(recorder.calls(tag)).toHaveLength(1);
  const { organizationId } = engine;
  expect([await executionOf({ organizationId, rootRunPk: played.accepted.runPk })]).toEqual(executions);
  await eventually(async () => ((await engine.db.query('SELECT 1 FROM outbox')).length === 0 ? true : null));
});

test('REL-G1: a start that does not come through is made later, and the run asks and is answered as any other', async () => {
  vi.spyOn(engine.engine, 'start').mockRejectedValueOnce(new Error('Temporal is away'));
  const asked = await engine.play(
    chain(node('ask', 'interrupt', { kind: 'input', title: 'Why?' }), transform('after')),
  );
  expect(asked.end.type).toBe('run_interrupted');
  const { end } = await resume(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', data: 'so' });
  expect(end.type).toBe('run_completed');
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
});
