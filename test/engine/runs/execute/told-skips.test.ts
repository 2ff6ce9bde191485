/** An advance would run a node that the interpreter has already skipped. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeProgress, encodeProgress } from '../../../../src/language/graph/schedule/progress.ts';
import { settleNode, startNode } from '../../../../src/language/graph/schedule/schedule.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { readRun } from '../../../../src/engine/runs/execute/context.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import {
  START,
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
beforeAll(async () => {
  advancing = await startAdvancing();
});
afterAll(async () => {
  await advancing.close();
});

test('DEF-2.15: a question that expires together with a skip sees the skip', async () => {
  const { db, deps } = advancing;
  const exists = { when: rule('{{a}}', 'exists') };
  const ref = await advancing.run(
    workflow(
      [
        conditional('first', when('yes', rule('{{loop.again.iteration}}', 'eq', 0))),
        transform('a'),
        // An advance leaves it to the interpreter.
        http('t', 'http://127.0.0.1:9', {}, { timeout_ms: 130_000 }),
        node('ask', 'interrupt', { kind: 'input', timeout_seconds: 60, on_timeout: 'branch' }),
        transform('saw'),
        conditional('more', when('yes', rule('{{loop.again.iteration}}', 'eq', 0))),
      ],
      [
        edge(START, 'first'),
        edge('first', 'a', 'yes'),
        edge('first', 't', 'else'),
        edge('first', 'ask', 'else'),
        edge('t', 'a', undefined, { when: rule(1, 'eq', 2) }),
        edge('ask', 'saw', 'timeout', exists),
        edge('a', 'more'),
        edge('saw', 'more'),
        edge('more', 'first', 'yes', { id: 'again' }),
      ],
    ),
  );
  const before = await advance(deps, firstAdvance(ref));
  const run = await readRun(deps, ref);
  if (run === null) throw new Error('The run no longer exists');
  const graph = run.ready.skeleton(run.segment.recursionLimit);
  const indexOf = (id: string): number => graph.nodes.findIndex((each) => each.id === id);
  const progress = decodeProgress(before.progress);
  const called = startNode(graph, progress, indexOf('t'));
  const end = { node: indexOf('t'), visit: called?.visit ?? 0, taken: [] };
  const skipped = settleNode(graph, progress, end);
  expect(skipped).toEqual([indexOf('a')]);
  const after = await advance(deps, {
    ...firstAdvance(ref),
    advance: 2,
    progress: encodeProgress(progress),
    elapsed: [[indexOf('ask'), progress.visits[indexOf('ask')] ?? 0]],
    skipped,
  });
  expect(after).toMatchObject({ state: 'closed', status: 'completed' });
  const statuses = async (id: string): Promise<string[]> =>
    (await stepsOf(db, ref.rootRunPk, id)).map((step) => step.status);
  expect(await statuses('a')).toEqual(['succeeded', 'skipped']);
  expect(await statuses('saw')).toEqual(['skipped', 'skipped']);
});
