/** A definition would run with other defaults, edges or error handling than documented. */
import { describe, expect, it } from 'vitest';
import { END_INDEX, START_INDEX } from '../../../src/language/graph/definition/definition.ts';
import { compile } from '../../../src/language/graph/schedule/plan.ts';
import { listRoots } from '../../../src/language/graph/template/roots.ts';
import { toSkeleton } from '../../../src/language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { fakeKinds, graph } from './fake-kinds.ts';

const planOf = (definition: JsonObject) => compile(definition, fakeKinds);

describe('compile', () => {
  it('fills in the defaults of the envelope and asks the kind for the rest', () => {
    const [node] = planOf(graph('__start__ -> a', { a: { type: 'llm', config: { model: 'm' } } })).nodes;
    expect(node).toMatchObject({
      id: 'a',
      name: 'a',
      type: 'llm',
      config: { model: 'm' },
      policy: { placement: 'activity', timeoutMs: 5_000 },
      retry: { maxAttempts: 3, initialIntervalMs: 1_000, backoffCoefficient: 2, maxIntervalMs: 30_000 },
      onError: 'fail',
      defaultOutput: null,
      join: 'all',
      forEach: null,
      stateUpdates: {},
      disabled: false,
      mock: undefined,
    });
  });

  it('reads what the envelope says', () => {
    const envelope: JsonObject = {
      type: 'llm',
      name: 'Ask',
      retry: { max_attempts: 7, max_interval_ms: 5 },
      timeout_ms: 9,
      on_error: 'continue',
      default_output: { x: 1 },
      join: 'any',
      for_each: { items: '{{input.rows}}', as: 'row', max_items: 3, on_item_error: 'drop' },
      state_updates: { f: 1 },
      disabled: true,
      mock: { enabled: true },
    };
    const [node] = planOf({
      ...graph('__start__ -> a', { a: envelope }),
      state_schema: { f: { type: 'any' } },
    }).nodes;
    expect(node).toMatchObject({
      name: 'Ask',
      policy: { timeoutMs: 9 },
      retry: { maxAttempts: 7, initialIntervalMs: 1_000, maxIntervalMs: 5 },
      onError: 'continue',
      defaultOutput: { x: 1 },
      join: 'any',
      forEach: { items: '{{input.rows}}', as: 'row', maxConcurrency: 5, maxItems: 3, onItemError: 'drop' },
      stateUpdates: { f: 1 },
      disabled: true,
      mock: null,
    });
  });

  it('takes unknown keys for the config when there is none', () => {
    const loose = {
      nodes: [{ id: 'a', type: 'tool', url: 'u', position: { x: 1 } }],
      edges: [],
      entry_point: 'a',
    };
    expect(planOf(loose).nodes[0]?.config).toEqual({ url: 'u' });
  });

  it('adds the edges that a definition leaves unsaid', () => {
    const plan = planOf({ ...graph('a -> b'), entry_point: 'a' });
    expect(plan.edges.map(({ source, target, handle }) => [source, target, handle])).toEqual([
      [0, 1, 'default'],
      [START_INDEX, 0, 'default'],
      [1, END_INDEX, 'default'],
    ]);
    expect(plan.nodes.map((node) => [node.in, node.out])).toEqual([
      [[1], [0]],
      [[0], [2]],
    ]);
    expect(planOf({ ...graph('__start__ -> a'), entry_point: 'a' }).edges).toHaveLength(2);
  });

  it('reads the aliases of edges', () => {
    const definition = {
      nodes: [{ id: 'a', type: 'conditional', config: { handles: ['x'] } }],
      edges: [
        { from: '__start__', to: 'a' },
        { source: 'a', to: '__end__', sourceHandle: 'x', when: { left: 1, op: 'exists' } },
      ],
    };
    expect(planOf(definition).edges).toMatchObject([
      { id: 'edge:0', source: START_INDEX, target: 0, handle: 'default', when: null },
      { id: 'edge:1', source: 0, target: END_INDEX, handle: 'x', when: { match: 'all' } },
    ]);
  });

  it('branches on errors when there is an error edge and on_error is unset', () => {
    const text = '__start__ -> a, a -> __end__, a -error-> b';
    expect(planOf(graph(text)).nodes[0]?.onError).toBe('branch');
    expect(planOf(graph(text, { a: { on_error: 'fail' } })).nodes[0]?.onError).toBe('fail');
  });

  it('leaves back edges out of the joins', () => {
    const plan = planOf(
      graph('__start__ -> a, a -> b, b -more-> a, b -done-> __end__', {
        b: { config: { handles: ['more', 'done'] } },
      }),
    );
    expect(plan.nodes[0]?.in).toEqual([0]);
    expect(plan.edges.map((edge) => edge.loop)).toEqual([null, null, plan.loops[0], null]);
    expect(plan.loops).toEqual([{ edge: 2, nodes: [0, 1], edges: [1], exits: [3] }]);
  });

  it('reads state fields in both forms', () => {
    const fields = {
      log: { type: 'array', reducer: 'add', default: [] },
      fields: { type: 'object', reducer: 'update' },
    };
    const base = graph('__start__ -> a');
    const expected = {
      log: { reducer: 'add', default: [] },
      fields: { reducer: 'update', default: undefined },
    };
    expect(planOf({ ...base, state_schema: { fields } }).fields).toEqual(expected);
    expect(planOf({ ...base, state_schema: fields }).fields).toEqual(expected);
  });

  it('reads the output template and the strict switch', () => {
    const plan = planOf({ ...graph('__start__ -> a'), config: { output: '{{a}}', strict_templates: true } });
    expect([plan.output, plan.strictTemplates]).toEqual(['{{a}}', true]);
    expect(planOf(graph('__start__ -> a')).output).toBeUndefined();
  });
});

describe('roots', () => {
  const rootsOf = (definition: JsonObject, index: number): string[] => {
    const plan = planOf(definition);
    return [...listRoots(plan.nodes[index]!, plan, fakeKinds)].toSorted();
  };

  it('collects what config, updates, mapping and the rules of out-edges read', () => {
    const definition = graph('__start__ -> a, a -> __end__', {
      a: {
        type: 'function',
        config: { code: '{{never}}', arguments: { x: '{{c1.x}} {{row.y}} {{index}}' } },
        state_updates: { f: '{{state.g.h}}' },
        for_each: { items: '{{input.rows}}', as: 'row' },
      },
    });
    definition.edges[1]!['when'] = {
      rules: [
        { left: '{{w1}}', op: 'exists' },
        { match: 'any', rules: [{ left: 1, op: 'eq', right: '{{w2.z}}' }] },
      ],
    };
    expect(rootsOf(definition, 0)).toEqual(['c1', 'g', 'input', 'w1', 'w2']);
  });

  it('names a state field that is called like a root of items, when it is read as one', () => {
    const read = { arguments: ['{{state.item}} {{item}} {{state.index}} {{row}}', '{{state.row}}'] };
    const definition = graph('__start__ -> a', {
      a: { type: 'function', config: read, for_each: { items: [], as: 'row' } },
    });
    expect(rootsOf(definition, 0)).toEqual(['index', 'item', 'row']);
  });

  it('names the whole state with a star', () => {
    expect(rootsOf(graph('__start__ -> a', { a: { config: { all: '{{state}}' } } }), 0)).toEqual(['*']);
  });
});

describe('toSkeleton', () => {
  it('keeps shape and labels, no configuration', () => {
    const definition = graph('__start__ -> a, a -> b, b -more-> a, b -done-> __end__', {
      a: { type: 'llm', config: { prompt: 'secret {{loop}}' }, for_each: { items: [1] } },
      b: { config: { handles: ['more', 'done'] }, retry: { max_attempts: 2 } },
    });
    const skeleton = toSkeleton(planOf(definition), 25);
    expect(skeleton).toMatchObject({
      nodes: [
        {
          id: 'a',
          type: 'llm',
          placement: 'activity',
          maxConcurrency: 5,
          maxAttempts: 3,
          timeoutMs: 5_000,
          readsLoop: true,
          in: [0],
          out: [1],
        },
        { id: 'b', placement: 'fold', maxConcurrency: 0, maxAttempts: 2, readsLoop: false },
      ],
      edges: [
        [-1, 0, -1],
        [0, 1, -1],
        [1, 0, 0],
        [1, -2, -1],
      ],
      loopIds: ['b->a'],
      recursionLimit: 25,
    });
    expect(JSON.stringify(skeleton)).not.toContain('secret');
  });

  it.each([{ disabled: true }, { mock: { enabled: true, output: 1 } }])(
    'folds a node with %j whatever its kind',
    (more) => {
      const definition = graph('__start__ -> a', { a: { type: 'llm', for_each: { items: [1] }, ...more } });
      expect(toSkeleton(planOf(definition), 1).nodes[0]).toMatchObject({
        placement: 'fold',
        maxConcurrency: 0,
      });
    },
  );
});
