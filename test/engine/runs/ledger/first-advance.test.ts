/** A repeated first advance would run nodes again, or each run would cost the database more round trips. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Tx } from '../../../../src/base/db/client.ts';
import { decodeProgress, encodeProgress } from '../../../../src/language/graph/schedule/progress.ts';
import { settleNode, startNode } from '../../../../src/language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../../src/language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { closeRun } from '../../../../src/engine/runs/ledger/write/events.ts';
import { newStep } from '../../../../src/engine/runs/walk/step.ts';
import { writeSteps } from '../../../../src/engine/runs/ledger/write/write-steps.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import type { ExecuteDeps } from '../../../../src/engine/runs/execute/deps.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import {
  END,
  START,
  chain,
  conditional,
  edge,
  http,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../../../support/definitions.ts';
import { stepsOf } from '../../../support/records.ts';

let advancing: Advancing;
let db: Db;
let deps: ExecuteDeps;
beforeAll(async () => {
  // An advance that has worked for 0.2 s stops for breath: here no time passes.
  advancing = await startAdvancing({}, { ...systemClock, monotonic: () => 0 });
  ({ db, deps } = advancing);
});
afterAll(() => advancing.close());

const run: Advancing['run'] = (...given) => advancing.run(...given);
const first = (ref: RunRef) => advance(deps, firstAdvance(ref));
const countOf = async (table: string, ref: RunRef): Promise<unknown> =>
  (await db.query(`SELECT count(*)::int AS n FROM ${table} WHERE root_run_pk = $1`, [ref.rootRunPk]))[0];

const twoWays = workflow(
  [
    transform('t', { n: '{{input.n}}' }),
    conditional('c', when('big', rule('{{t.n}}', 'gt', 1))),
    transform('yes', { said: '{{t.n}}' }),
    transform('no', {}),
    transform('after', { all: '{{state}}' }),
  ],
  [
    edge(START, 't'),
    edge('t', 'c'),
    edge('c', 'yes', 'big'),
    edge('c', 'no', 'else'),
    edge('yes', 'after'),
    edge('no', 'after'),
    edge('after', END),
  ],
  { state_schema: { fields: { total: { type: 'number', default: 5 } } } },
);
const bad = (envelope: JsonObject = {}): JsonObject =>
  node('bad', 'transformer', { mode: 'template', template: 'no', parse_as: 'json' }, envelope);
const DEFINITIONS: Record<string, JsonObject> = {
  'a line of pure nodes': chain(transform('a', { n: '{{input.n}}' }), transform('b', { m: '{{a.n}}' })),
  'a branch, with what is skipped': twoWays,
  'pure nodes before an effectful one': chain(
    transform('a', { n: '{{input.n}}' }),
    http('h', 'http://x.test/'),
  ),
  'an effectful node at once': chain(http('h', 'http://x.test/')),
  'a summary that is cut within a character': chain(
    node('t', 'transformer', { mode: 'template', template: `${'x'.repeat(190)}😀` }),
  ),
  'a disabled node': chain(transform('a', {}, { disabled: true }), transform('b')),
  'a pure node for each of a list': chain(
    transform('m', { v: '{{item}}' }, { for_each: { items: '{{input.list}}' } }),
  ),
  'an effectful node for each of a list': chain(
    http('m', 'http://x.test/', {}, { for_each: { items: '{{input.list}}' } }),
  ),
  'a handled failure': chain(
    bad({ on_error: 'continue' }),
    transform('after', { code: '{{bad.error.code}}' }),
  ),
  'a question': chain(node('ask', 'interrupt', { kind: 'input', title: 'Why?' })),
  'an unhandled failure': chain(transform('a'), bad()),
};

test.each(Object.entries(DEFINITIONS))('%s: a repetition gets the stored answer', async (_, definition) => {
  const ref = await run(definition, { n: 3, list: [1, 2, 3], __proto__x: 'ä\u2028' });
  const { skeleton: _skeleton, ...answer } = { skeleton: null, ...(await first(ref)) };
  const steps = await countOf('run_steps', ref);
  expect(await first(ref)).toEqual({ ...answer, repeated: true });
  expect(await countOf('run_steps', ref)).toEqual(steps);
  expect(await countOf('run_advances', ref)).toEqual({ n: 1 });
});

test('of two at once one does it, and the other is told', async () => {
  const ref = await run(chain(transform('a')));
  const answers = await Promise.all([first(ref), first(ref)]);
  expect(answers.map(({ repeated }) => repeated).toSorted()).toEqual([false, true]);
  expect(await countOf('run_steps', ref)).toEqual({ n: 1 });
});

test('nothing is written of a run that has ended', async () => {
  const ref = await run(chain(transform('a')));
  await closeRun(db, { runPk: ref.rootRunPk, from: ['running'], status: 'cancelled', payload: {} });
  expect(await first(ref)).toMatchObject({ state: 'closed', status: 'cancelled' });
  expect(await countOf('run_steps', ref)).toEqual({ n: 0 });
  expect(await countOf('run_advances', ref)).toEqual({ n: 0 });
});

test('of an advance that only ends the run, nothing is kept when a cancellation comes first', async () => {
  const ref = await run(chain(http('h', 'http://x.test/')));
  const { skeleton, progress: begun } = await first(ref);
  const graph = JSON.parse(skeleton ?? '') as Skeleton;
  const progress = decodeProgress(begun);
  const execution = startNode(graph, progress, 0);
  settleNode(graph, progress, { node: 0, visit: execution?.visit ?? 0, taken: [0] });
  const last = { ...firstAdvance(ref), advance: 2, progress: encodeProgress(progress) };
  const cancelled: Db = {
    ...db,
    // The advance has read the run as running.
    async deferred(begin, work) {
      await closeRun(db, { runPk: ref.rootRunPk, from: ['running'], status: 'cancelled', payload: {} });
      return db.deferred(begin, work);
    },
  };
  expect(await advance({ ...deps, db: cancelled }, last)).toMatchObject({
    repeated: false,
    state: 'closed',
    status: 'cancelled',
  });
  expect(await countOf('run_advances', ref)).toEqual({ n: 1 });
});

test('an advance that fails the run ends the steps of lost workers, also when only the output of the run fails it', async () => {
  const config = { strict_templates: true, output: '{{t.missing}}' };
  const ref = await run({ ...chain(transform('t', { n: 1 })), config });
  const { organizationId, rootRunPk } = ref;
  const key = { organizationId, rootRunPk, runPk: rootRunPk };
  const lost = newStep(
    {
      step_id: randomUUID(),
      run_pk: rootRunPk,
      root_run_pk: rootRunPk,
      node_id: 'lost',
      node_type: 'tool',
      node_name: 'Lost',
      visit: 1,
      item_index: -1,
      turn: 0,
      call: 0,
      parent_step_id: null,
      iteration: null,
      depth: 1,
      position: 1,
      effect: 'idempotent',
      held_by: randomUUID(),
    },
    new Date(0).toISOString(),
  );
  await writeSteps(db, key, { steps: [lost] });
  expect(await first(ref)).toMatchObject({ repeated: false, state: 'closed', status: 'failed' });
  expect((await stepsOf(db, rootRunPk)).map(({ node_id: id, status }) => [id, status]).toSorted()).toEqual([
    ['lost', 'cancelled'],
    ['t', 'succeeded'],
  ]);
});

/** How many statements an advance sends, and how many transactions it begins. */
async function costOf(definition: JsonObject): Promise<{ statements: number; transactions: number }> {
  // Compiles the definition for its organization.
  const before = await run(definition);
  await first(before);
  const ref = await run(definition, {}, before.organizationId);
  const cost = { statements: 0, transactions: 0 };
  const counted = <Sql extends Tx>(sql: Sql): Sql => ({
    ...sql,
    query(text: string, params: readonly unknown[]) {
      cost.statements += 1;
      return sql.query(text, params);
    },
  });
  const counting: Db = {
    ...counted(db),
    transaction(work) {
      cost.transactions += 1;
      return db.transaction((tx) => work(counted(tx)));
    },
    deferred: (begun, work) =>
      db.deferred(
        (tx) => {
          cost.transactions += 1;
          return begun(counted(tx));
        },
        (tx) => {
          const { queryWithoutBegin } = tx;
          const last: typeof queryWithoutBegin = (text, params) => {
            cost.statements += 1;
            return queryWithoutBegin(text, params);
          };
          return work({ ...counted(tx), queryWithoutBegin: last });
        },
      ),
  };
  await advance({ ...deps, db: counting }, firstAdvance(ref));
  return cost;
}

test('a first advance is two statements and no transaction: it reads the run, and writes all that came of it', async () => {
  const pure = Array.from({ length: 10 }, (_, at) => transform(`t${at}`, { n: at }));
  const cost = { statements: 2, transactions: 0 };
  expect(await costOf(chain(...pure))).toEqual(cost);
  expect(await costOf(chain(...pure, http('h', 'http://x.test/')))).toEqual(cost);
});
