/** The first advance of a run: what it writes, what a repetition of it is told, and how often it asks the database. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db, Tx } from '../../../src/db/client.ts';
import type { JsonObject } from '../../../src/graph/value.ts';
import { closeRun } from '../../../src/runs/ledger/events.ts';
import { advance, firstAdvance } from '../../../src/runs/execute/advance.ts';
import type { ExecuteDeps } from '../../../src/runs/execute/deps.ts';
import type { RunRef } from '../../../src/runs/engine.ts';
import { startAdvancing, type Advancing } from '../../support/advancing.ts';
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
} from '../../support/definitions.ts';

let advancing: Advancing;
let db: Db;
let deps: ExecuteDeps;
beforeAll(async () => {
  // An advance that has worked for 0.2 s stops for breath, as it would on a machine that stands still for so long.
  vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
  advancing = await startAdvancing();
  ({ db, deps } = advancing);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await advancing.close();
});

const run: Advancing['run'] = (definition, input) => advancing.run(definition, input);
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

/** How many statements an advance asks of its transaction, beside BEGIN and COMMIT. */
async function statementsOf(definition: JsonObject): Promise<number> {
  const ref = await run(definition);
  // Compiles the definition.
  await first(await run(definition));
  let count = 0;
  const counted = (tx: Tx): Tx => ({
    query(text, params) {
      count += 1;
      return tx.query(text, params);
    },
    notifyAfterCommit: tx.notifyAfterCommit,
  });
  const transaction: Db['transaction'] = (work) => db.transaction((tx) => work(counted(tx)));
  await advance({ ...deps, db: { ...db, transaction } }, firstAdvance(ref));
  return count;
}

test('a first advance is two statements: it reads and locks the run, and writes all that came of it', async () => {
  const pure = Array.from({ length: 10 }, (_, at) => transform(`t${at}`, { n: at }));
  expect(await statementsOf(chain(...pure))).toBe(2);
  expect(await statementsOf(chain(...pure, http('h', 'http://x.test/')))).toBe(2);
});
