/** A node with too much work would stall the worker for others, or fail without words. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { firstAdvance, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { END, START, chain, edge, node, rule, transform, workflow } from '../../../support/definitions.ts';
import { stepsOf } from '../../../support/records.ts';

let advancing: Advancing;
beforeAll(async () => {
  advancing = await startAdvancing();
});
afterAll(() => advancing.close());

const played = async (definition: JsonObject, input: JsonObject = {}) => {
  const run = await advancing.run(definition, input);
  let end = await advance(advancing.deps, firstAdvance(run));
  for (let number = 2; end.state === 'running'; number += 1) {
    const { progress } = end;
    end = await advance(advancing.deps, { ...firstAdvance(run), advance: number, progress });
  }
  return { end, steps: await stepsOf(advancing.db, run.rootRunPk) };
};

const text = 'ab'.repeat(10_000);
/** As many searches of 1,000 instructions in 20,000 characters. */
const filter = (id: string, right: string): JsonObject =>
  node(id, 'transformer', {
    mode: 'list',
    source: '{{input.texts}}',
    filter: [rule('{{item}}', 'matches', right)],
  });
const HEAVY = '[ab]*a[ab]{900}[cd]|x';
const texts = (count: number): JsonObject => ({ texts: Array.from({ length: count }, () => text) });

test('SEC-H01: the searches of all items count against the node, which fails beyond its budget', async () => {
  expect((await played(chain(filter('f', HEAVY)), texts(5))).end).toMatchObject({ status: 'completed' });
  expect((await played(chain(filter('f', HEAVY)), texts(6))).end).toMatchObject({
    status: 'failed',
    error: { code: 'work_limit_exceeded', nodeId: 'f' },
  });
});

test('the failure takes an error edge, whose condition is decided with a budget of its own', async () => {
  // So small are the steps that nothing is left for a condition.
  const many = node('f', 'transformer', {
    mode: 'list',
    source: '{{input.rows}}',
    filter: [rule('{{input.text}}', 'matches', '[ab]{10}[cd]')],
  });
  const definition = workflow(
    [many, transform('handled', { code: '{{f.error.code}}' }), transform('not')],
    [
      edge(START, 'f'),
      edge('f', 'handled', 'error', { id: 'yes', when: rule('{{f.error.code}}', 'matches', '^work_') }),
      edge('f', 'not', 'error', { id: 'no', when: rule('{{f.error.code}}', 'eq', 'other') }),
      edge('handled', END),
    ],
  );
  const rows = Array.from({ length: 100_000 }, () => 0);
  const { end, steps } = await played(definition, { rows, text: text.slice(0, 80) });
  expect(end).toMatchObject({ status: 'completed' });
  expect(steps.map(({ node_id: id, status }) => [id, status]).toSorted()).toEqual([
    ['f', 'failed'],
    ['handled', 'succeeded'],
    ['not', 'skipped'],
  ]);
});

test('SEC-H01: the conditions behind a node have one budget together', async () => {
  const behind = (count: number): JsonObject =>
    workflow(
      [transform('a'), ...Array.from({ length: count }, (_, at) => transform(`b${at}`))],
      [
        edge(START, 'a'),
        ...Array.from({ length: count }, (_, at) =>
          edge('a', `b${at}`, 'default', {
            id: `e${at}`,
            when: rule('{{input.text}}', 'matches', '[ab]*a[ab]{300}[cd]|x'),
          }),
        ),
      ],
    );
  expect((await played(behind(3), { text })).end).toMatchObject({ status: 'completed' });
  expect((await played(behind(4), { text })).end).toMatchObject({
    status: 'failed',
    error: { code: 'work_limit_exceeded', nodeId: 'a' },
  });
});

const mapped = (pattern: string, count: number, forEach: JsonObject = {}): JsonObject =>
  node(
    'm',
    'transformer',
    { mode: 'list', source: ['{{input.text}}'], filter: [rule('{{item}}', 'matches', pattern)] },
    { for_each: { items: Array.from({ length: count }, (_, at) => at), ...forEach } },
  );

test('SEC-H01: all items of a mapped node have one budget, and the node fails beyond it', async () => {
  // The costs of `filter` above: five searches are within the budget, six are not.
  expect((await played(chain(mapped(HEAVY, 5)), { text })).end).toMatchObject({ status: 'completed' });
  expect((await played(chain(mapped(HEAVY, 6)), { text })).end).toMatchObject({
    status: 'failed',
    error: { code: 'work_limit_exceeded', nodeId: 'm' },
  });
});

test('when a mapped node goes on without failed items, those beyond the budget fail, and its updates are made', async () => {
  const going = {
    ...mapped(HEAVY, 50, { on_item_error: 'continue' }),
    state_updates: { seen: '{{m.count}}' },
  };
  const { end, steps } = await played(chain(going), { text });
  expect(end).toMatchObject({ status: 'completed' });
  const items = steps
    .filter(({ item_index: index }) => index >= 0)
    .toSorted((a, b) => a.item_index - b.item_index);
  expect(items.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'succeeded'),
    ...Array.from({ length: 45 }, () => 'failed'),
  ]);
});

test('SEC-H03: others have turns between the items of a mapped node', async () => {
  const item = mapped('[ab]*a[ab]{200}[cd]|x', 30);
  const immediates = async (given: string): Promise<number> => {
    const immediate = vi.spyOn(globalThis, 'setImmediate');
    expect((await played(chain(item), { text: given })).end).toMatchObject({ status: 'completed' });
    const { length } = immediate.mock.calls;
    immediate.mockRestore();
    return length;
  };
  const few = await immediates('ab');
  // Three of these items make a turn; each alone is too short for one.
  expect(await immediates(text.slice(0, 1_500))).toBeGreaterThan(few + 5);
});
