/** The first advance of a run in one statement: as the transaction would have done it, or not at all. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import type { JsonObject } from '../../../src/graph/value.ts';
import { closeRun } from '../../../src/runs/ledger/events.ts';
import { storeDefinition } from '../../../src/runs/accept/definitions.ts';
import type { ToBegin } from '../../../src/runs/outbox/first-advance.ts';
import { claimOutbox } from '../../../src/runs/outbox/outbox.ts';
import { advanceAlone } from '../../../src/runs/execute/advance-alone.ts';
import { advance } from '../../../src/runs/execute/advance.ts';
import { firstAdvance } from '../../../src/runs/execute/begin.ts';
import type { EngineDeps } from '../../../src/runs/execute/engine-deps.ts';
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
import { accept } from '../../support/runs.ts';

let advancing: Advancing;
let db: Db;
let deps: EngineDeps;
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

const everyRoom = { usual: 1_000, organizationIds: [], rooms: [] };
/** What was read with the claims of the starts. */
const reads = new Map<string, ToBegin | null>();
async function claimStarts(): Promise<void> {
  const entries = await claimOutbox(db, 1_000, everyRoom, { begins: true });
  for (const entry of entries) reads.set(entry.runPk, entry.toBegin);
}
/** As the delivery of its start does it. */
function alone(ref: RunRef) {
  const read = reads.get(ref.rootRunPk) ?? null;
  if (read === null) throw new Error('the start was not claimed');
  return advanceAlone(deps, firstAdvance(ref), read);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?/g;

/** All that is stored of a run and its answer, with ids by their first appearance, and without times. */
async function stored(ref: RunRef, answer: unknown): Promise<unknown> {
  const of = async (select: string): Promise<unknown[]> =>
    (await db.query<{ row: unknown }>(`SELECT to_json(t) AS row FROM (${select}) AS t`, [ref.rootRunPk])).map(
      ({ row }) => row,
    );
  const all = {
    run: await of('SELECT * FROM runs WHERE id = $1'),
    cursor: await of('SELECT * FROM run_cursors WHERE root_run_pk = $1'),
    answers: await of('SELECT advance, result FROM run_advances WHERE root_run_pk = $1'),
    fields: await of('SELECT name, value FROM run_fields WHERE root_run_pk = $1 ORDER BY name'),
    steps: await of('SELECT * FROM run_steps WHERE run_pk = $1 ORDER BY position, node_id, item_index'),
    events: await of('SELECT seq, type, payload FROM run_events WHERE run_pk = $1 ORDER BY seq'),
    answer,
  };
  const ids = new Map<string, string>();
  const text = JSON.stringify(all)
    .replaceAll(UUID, (id) => ids.get(id) ?? (ids.set(id, `id-${ids.size}`).get(id) as string))
    .replaceAll(TIME, 'a time')
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":"some"');
  return JSON.parse(text);
}
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
};

test.each(Object.keys(DEFINITIONS))('%s: the same as in a transaction', async (name) => {
  const definition = DEFINITIONS[name] ?? {};
  const input = { n: 3, list: [1, 2, 3], __proto__x: 'ä\u2028' };
  const [one, locked] = [await run(definition, input), await run(definition, input)];
  await claimStarts();
  const answer = await alone(one);
  expect(answer).not.toBeNull();
  expect(await stored(one, answer)).toEqual(await stored(locked, await advance(deps, firstAdvance(locked))));
  // Whoever asks again gets the stored answer.
  const { skeleton: _, ...again } = { skeleton: null, ...answer, repeated: true };
  expect(await advance(deps, firstAdvance(one))).toEqual(again);
});

test.each([
  ['a question', chain(node('ask', 'interrupt', { kind: 'input', title: 'Why?' }))],
  ['an unhandled failure', chain(transform('a'), bad())],
])('%s is left to the transaction, and nothing is written', async (_, definition) => {
  const ref = await run(definition);
  await claimStarts();
  expect(await alone(ref)).toBeNull();
  expect(await countOf('run_steps', ref)).toEqual({ n: 0 });
  expect(await countOf('run_advances', ref)).toEqual({ n: 0 });
});

test('of two at once one writes, and the other is told', async () => {
  const ref = await run(chain(transform('a')));
  await claimStarts();
  const answers = await Promise.all([alone(ref), alone(ref)]);
  expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  expect(await countOf('run_steps', ref)).toEqual({ n: 1 });
});

test('a run that ended, or is held, is left out of a group; the others are written without waiting', async () => {
  const definition = chain(transform('a'));
  const { organizationId } = await accept(db);
  const definitionHash = await storeDefinition(db, organizationId, definition);
  const refs = await Promise.all(
    Array.from({ length: 6 }, async (): Promise<RunRef> => {
      const { runPk } = await accept(db, { organizationId, definitionHash });
      return { organizationId, rootRunPk: runPk };
    }),
  );
  const [ended, held, ...others] = refs as [RunRef, RunRef, ...RunRef[]];
  await claimStarts();
  const answers = await db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE', [held.rootRunPk]);
    const all = refs.map(alone);
    const closing = { runPk: ended.rootRunPk, from: ['running'], status: 'cancelled', payload: {} } as const;
    await closeRun(db, closing);
    return Promise.all(all);
  });
  expect(answers[1]).toBeNull();
  expect(answers.slice(2).map((answer) => answer?.state)).toEqual(others.map(() => 'closed'));
  expect(await countOf('run_steps', held)).toEqual({ n: 0 });
  // The one that was cancelled meanwhile has one end, whichever came first.
  const ends = await db.query(
    `SELECT type FROM run_events WHERE run_pk = $1 AND type IN ('run_completed', 'run_cancelled')`,
    [ended.rootRunPk],
  );
  expect(ends).toHaveLength(1);
});

test('nothing is read of a run that has ended, or whose input is large', async () => {
  const definition = chain(transform('a'));
  const large = await run(definition, { text: Array.from({ length: 30_000 }, () => randomUUID()).join('') });
  const [ended, usual] = [await run(definition), await run(definition)];
  await closeRun(db, { runPk: ended.rootRunPk, from: ['running'], status: 'cancelled', payload: {} });
  await claimStarts();
  expect([large, ended].map((ref) => reads.get(ref.rootRunPk))).toEqual([null, null]);
  expect(reads.get(usual.rootRunPk)?.segment.createdAt).toBeInstanceOf(Date);
});
