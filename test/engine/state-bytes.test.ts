/** A node that reads more of the state than a worker can hold would end the worker, and the runs of all organizations with it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { END, START, chain, edge, node, rule, transform, workflow } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { deploy } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';
import { newRun } from '../support/runs.ts';

/** What a node of this engine loads at most. */
const MOST = 100_000;
const WORDS = `More than ${MOST} bytes of the state would be read; read smaller values, or fewer`;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine({}, undefined, { maxStateBytes: MOST });
});
afterAll(() => engine.close());

/** Functions: their outputs are in the database, and not in the memory of the advance that reads them. */
const large = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) =>
    node(`f${at}`, 'function', { code: `export default () => 'x'.repeat(${MOST / 2 - 2})` }),
  );

test('SEC-F23: a run with large values fails its node in words, and that of another organization goes on', async () => {
  const organizationId = randomUUID();
  const definitionHash = await storeDefinition(
    engine.db,
    organizationId,
    chain(...large(2), transform('t', { a: '{{f0}}' })),
  );
  const other = await engine.acceptor.accept(await newRun(engine.db, { organizationId, definitionHash }));
  const played = await engine.play(chain(...large(3), transform('all', { all: '{{state}}' })));
  expect(played.error).toMatchObject({ code: 'state_too_large', message: WORDS, node_id: 'all' });
  expect(played.of('node_failed', 'all')).toHaveLength(1);
  expect((await engine.follow(other)).end.type).toBe('run_completed');
});

test.each([
  ['folded', transform('n', { text: '{{f2}}', both: ['{{f0}}', '{{f1}}'] })],
  [
    'a function',
    node('n', 'function', { code: 'export default () => 1', arguments: ['{{f0}}', '{{f1}}', '{{f2}}'] }),
  ],
  ['mapped', transform('n', { x: 1 }, { for_each: { items: ['{{f0}}', '{{f1}}', '{{f2}}'] } })],
])('SEC-F23: the error edge of a node that is %s leads on', async (_, reader) => {
  const nodes = [...large(3), reader, transform('on', { code: '{{n.error.code}}' }), transform('not')];
  const ids = ['f0', 'f1', 'f2', 'n'];
  const played = await engine.play(
    workflow(nodes, [
      ...[START, ...ids.slice(0, -1)].map((id, at) => edge(id, ids[at] ?? END)),
      edge('n', 'not'),
      edge('n', 'on', 'error'),
      edge('on', END),
      edge('not', END),
    ]),
  );
  expect(played.output).toEqual({ code: 'state_too_large' });
});

test('SEC-F23: a node whose sub-workflow would get too much fails, and no run is started', async () => {
  const workflow_id = await deploy(engine, chain(transform('t')));
  const input = { a: '{{f0}}', b: '{{f1}}', c: '{{f2}}' };
  const played = await engine.play(
    chain(...large(3), node('w', 'tool', { kind: 'workflow', workflow_id, input })),
  );
  expect(played.error).toMatchObject({ code: 'state_too_large', message: WORDS, node_id: 'w' });
  expect(await engine.db.query('SELECT id FROM runs WHERE workflow_id = $1', [workflow_id])).toEqual([]);
});

test('SEC-F23: a node whose end would read too much fails with its conditions', async () => {
  const last = edge('f3', 'on', 'default', { id: 'w', when: rule(['{{f0}}', '{{f1}}', '{{f2}}'], 'exists') });
  const nodes = [...large(4), transform('on')];
  const edges = [
    edge(START, 'f0'),
    edge('f0', 'f1'),
    edge('f1', 'f2'),
    edge('f2', 'f3'),
    last,
    edge('on', END),
  ];
  const played = await engine.play(workflow(nodes, edges));
  expect(played.error).toMatchObject({ code: 'state_too_large', node_id: 'f3' });
});

test('SEC-F23: a run whose output would be too large fails in words', async () => {
  const definition = chain(...large(3));
  const played = await engine.play({ ...definition, config: { output: { all: '{{state}}' } } });
  expect(played.error).toMatchObject({ code: 'state_too_large', message: WORDS });
  const steps = await stepsOf(engine.db, played.accepted.runPk);
  expect(steps.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
});
