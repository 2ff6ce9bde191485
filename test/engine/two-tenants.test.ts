/** One organization would hold all slots of a worker, and the runs of another would wait until it is done. */
import { WORKER_SLOTS } from '../../temporal/worker/worker-slots.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { START, chain, edge, http, node, rule, transform, workflow } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, eventually } from '../support/journeys.ts';
import { newRun } from '../support/runs.ts';

/** Fewer than the worker has, so that the first tenant fills them with dozens of calls. */
const SLOTS = {
  ...WORKER_SLOTS,
  executions: { capacity: 4, perOrganization: 3 },
  nodeTasks: 8,
  workflowTasks: 4,
};
/** More than the slots of any kind. */
const CALLS = 12;
/** Longer than what is short by nature: an activity from the start. */
const LONG = { timeout_ms: 200_000 };

let engine: TestEngine;
let recorder: HttpRecorder;
/** The engine of the fixture belongs to the first tenant. */
let second: string;
beforeAll(async () => {
  let model;
  ({ engine, recorder, model } = await startEngineWithModel({}, { slots: SLOTS }));
  model.script({ text: ['Hello'] });
  const [other] = await engine.db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Other', 'other-' || gen_random_uuid()) RETURNING id`,
  );
  second = other?.id ?? '';
});
afterAll(() => engine.close());

const flood: AcceptedRun[] = [];
const acceptFlood = async (definition: JsonObject, input: JsonObject = {}): Promise<void> =>
  void flood.push(await engine.accept(definition, input));
afterEach(async () => {
  recorder.release();
  await Promise.all(flood.splice(0).map((run) => cancel(engine, run)));
});

async function playSecond(definition: JsonObject): Promise<string> {
  const definitionHash = await storeDefinition(engine.db, second, definition);
  const run = await newRun(engine.db, { organizationId: second, definitionHash });
  const accepted = await engine.acceptor.accept(run);
  engine.dispatcher.kick();
  const { end, error } = await engine.follow(accepted, 100_000);
  return error === null ? end.type : error.code;
}

/** The second tenant's runs: nothing but data, a model, a function, and a call that outlives its local activity. */
async function playEachKind(): Promise<readonly string[]> {
  const messages = [{ role: 'user', content: 'x' }];
  const url = recorder.url(randomUUID(), { delay_ms: 1_500 });
  return Promise.all(
    [
      transform('t', { n: 1 }),
      node('m', 'llm', { provider: 'openai', model: 'test-model', messages }),
      node('f', 'function', {
        language: 'javascript',
        code: 'export default () => 1',
        limits: { timeout_ms: 30_000 },
      }),
      http('h', url, { method: 'GET' }),
    ].map((each) => playSecond(chain(each))),
  );
}
const COMPLETED = ['run_completed', 'run_completed', 'run_completed', 'run_completed'];

const get = (id: string, url: string, envelope: JsonObject = {}): JsonObject =>
  http(id, url, { method: 'GET' }, envelope);
const held = (tag: string): number => recorder.calls(tag).filter((call) => call.endedAtMs === null).length;

test('more calls that hang than the worker takes tasks: the runs of another tenant end meanwhile', async () => {
  const tag = randomUUID();
  const url = recorder.url(tag, { hold: SLOTS.executions.perOrganization });
  const ids = Array.from({ length: CALLS }, (_, i) => `h${i}`);
  // Activities from the start, and calls that begin as local activities and continue as activities of this process.
  await acceptFlood(
    workflow(
      ids.map((id) => get(id, url, LONG)),
      ids.map((id) => edge(START, id)),
    ),
  );
  for (const id of ids) await acceptFlood(chain(get(id, url)));
  await recorder.waitFor(tag, SLOTS.executions.perOrganization);
  expect(await playEachKind()).toEqual(COMPLETED);
  expect(held(tag)).toBe(SLOTS.executions.perOrganization);

  // Tasks that were given back to Temporal come again.
  recorder.release();
  const ends = await Promise.all(flood.map((run) => engine.follow(run, 100_000)));
  expect(ends.filter(({ end }) => end.type !== 'run_completed')).toEqual([]);
}, 240_000);

test('more rows of quick calls than the worker takes workflow tasks: the runs of another tenant end meanwhile', async () => {
  const tag = randomUUID();
  // Each call ends within the patience of its local activity, so that the next one follows in the same workflow task.
  const url = recorder.url(tag, { delay_ms: 450 });
  // A row takes 135 s at least: longer than anybody follows a run of the second tenant.
  const ids = Array.from({ length: 300 }, (_, i) => `r${i}`);
  const row = chain(...ids.map((id) => get(id, url)));
  const rows = SLOTS.workflowTasks;
  for (let i = 0; i < rows; i += 1) await acceptFlood(row);
  await recorder.waitFor(tag, 2 * rows);
  expect(await playEachKind()).toEqual(COMPLETED);
  expect(recorder.calls(tag).length).toBeLessThan(rows * ids.length);
}, 240_000);

test('functions without end, large values and many starts beside calls that hang: the runs of another tenant end meanwhile', async () => {
  const tag = randomUUID();
  const calls = SLOTS.executions.perOrganization - 1;
  for (let i = 0; i < calls; i += 1) await acceptFlood(chain(get('h', recorder.url(tag, { hold: calls }))));
  await recorder.waitFor(tag, calls);
  const limits = { timeout_ms: 30_000 };
  const endless = { language: 'javascript', code: 'export default () => { for (;;); }', limits };
  const large = recorder.url(randomUUID(), { size: 3_000_000 });
  for (let i = 0; i < CALLS / 2; i += 1) {
    await acceptFlood(chain(node('f', 'function', endless)));
    await acceptFlood(chain(get('v', large), transform('t', { copy: '{{v.data.blob}}' })));
    await acceptFlood(chain(transform('t')));
  }
  expect(await playEachKind()).toEqual(COMPLETED);
  expect(held(tag)).toBe(calls);
}, 240_000);

test('more runs of long searches than the worker takes workflow tasks: a run of another tenant ends meanwhile', async () => {
  // A search takes about 20 ms of the event loop, a node a fifth of a second, and a run a minute.
  const texts = Array.from({ length: 10 }, () => 'ab'.repeat(500));
  const search = (id: string): JsonObject =>
    node(id, 'transformer', {
      mode: 'list',
      source: '{{input.texts}}',
      filter: [rule('{{item}}', 'matches', '[ab]*a[ab]{900}[cd]|x')],
    });
  const row = chain(...Array.from({ length: 300 }, (_, i) => search(`s${i}`)));
  for (let i = 0; i < SLOTS.workflowTasks + 2; i += 1) await acceptFlood(row, { texts });
  const runPks = flood.map(({ runPk }) => runPk);
  await eventually(async () => {
    const begun = await engine.db.query(
      `SELECT DISTINCT run_pk FROM run_steps WHERE run_pk = ANY($1) AND status = 'succeeded'`,
      [runPks],
    );
    return begun.length >= SLOTS.workflowTasks || null;
  });
  expect(await playSecond(chain(transform('t', { n: 1 })))).toBe('run_completed');
  const open = await engine.db.query(`SELECT id FROM runs WHERE id = ANY($1) AND status = 'running'`, [
    runPks,
  ]);
  expect(open.length).toBe(runPks.length);
}, 240_000);
