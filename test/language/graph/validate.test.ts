/** A definition that cannot run would be deployed, or a valid one would be refused without saying where it is wrong. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_EDGES, MAX_NODES } from '../../../src/language/graph/definition/definition.ts';
import { compile } from '../../../src/language/graph/schedule/plan.ts';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { codes, fakeKinds, graph } from './fake-kinds.ts';

const errors = (definition: unknown): string[] => codes(validate(definition, fakeKinds));
const withNode = (more: JsonObject): JsonObject => graph('__start__ -> a, a -> __end__', { a: more });

describe('shape', () => {
  it('accepts a plain graph', () => {
    expect(
      validate(graph('__start__ -> a, a -> b, a -> c, b -> d, c -> d, d -> __end__'), fakeKinds),
    ).toEqual([]);
  });

  it.each([null, 1, 'x', [], true, undefined])('refuses %j', (value) => {
    expect(errors(value)).toEqual(['invalid_definition']);
  });

  it('needs both lists, of objects', () => {
    expect(errors({})).toEqual(['invalid_nodes', 'invalid_edges']);
    expect(errors({ nodes: [7], edges: ['x'] })).toEqual(['invalid_node', 'invalid_edge']);
  });

  it('bounds nodes, edges and depth', () => {
    expect(errors({ nodes: Array.from({ length: MAX_NODES + 1 }, () => 0), edges: [] })).toEqual([
      'too_many_nodes',
    ]);
    expect(errors({ nodes: [], edges: Array.from({ length: MAX_EDGES + 1 }, () => 0) })).toEqual([
      'too_many_edges',
    ]);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as Json;
    expect(errors({ nodes: [deep], edges: [] })).toEqual(['too_deep']);
  });

  it('never throws, and what it accepts compiles', () => {
    const words = fc.constantFrom(
      'a',
      'b',
      '__start__',
      '__end__',
      'input',
      '__proto__',
      'llm',
      'interrupt',
      '{{a.b}}',
      '{{',
      'default',
      'error',
    );
    const value = fc.oneof(
      words,
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant({ rules: [{ left: '{{a}}', op: 'exists' }] }),
    );
    const keys = [
      'id',
      'type',
      'config',
      'retry',
      'timeout_ms',
      'on_error',
      'join',
      'for_each',
      'state_updates',
      'mock',
      'source',
      'target',
      'source_handle',
      'when',
      '__proto__',
    ];
    const record = fc.dictionary(fc.constantFrom(...keys), value).map((object) => ({ ...object }));
    const definition = fc.record(
      {
        nodes: fc.oneof(fc.array(record), value),
        edges: fc.oneof(fc.array(record), value),
        state_schema: value,
        config: value,
        entry_point: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(definition, fc.jsonValue(), fc.anything()), (raw) => {
        const problems = validate(raw, fakeKinds);
        if (codes(problems).length === 0) compile(raw as JsonObject, fakeKinds);
        for (const problem of problems) expect(problem.message).not.toBe('');
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps messages short, however long the names', () => {
    const id = 'x'.repeat(1_000_000);
    for (const { message } of validate(graph(`__start__ -> a`, { a: { id, type: id } }), fakeKinds)) {
      expect(message.length).toBeLessThan(400);
    }
  });
});

describe('hostile definitions', () => {
  it('stops listing problems at 500', () => {
    expect(errors({ nodes: Array.from({ length: 10_000 }, () => 0), edges: [] })).toHaveLength(500);
    expect(errors(withNode({ config: { text: '{{ghost}}'.repeat(300_000) } }))).toHaveLength(500);
    expect(errors(withNode({ config: { text: Array.from({ length: 300_000 }, () => '{{') } }))).toHaveLength(
      100,
    );
  });
});

describe('nodes', () => {
  it.each([
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__proto__',
    'a.b',
    'a}}',
    '1a',
    'x'.repeat(65),
    'é',
  ])('refuses the id %s', (id) => {
    const problems = validate(
      { nodes: [{ id, type: 'llm' }], edges: [{ source: '__start__', target: id }] },
      fakeKinds,
    );
    expect(codes(problems)).toEqual(['invalid_node_id']);
    expect(problems[0]?.path).toEqual(['nodes', 0, 'id']);
  });

  it.each(['input', 'state', 'run', 'item', 'index', 'loop'])('refuses the reserved id %s', (id) => {
    expect(errors({ nodes: [{ id, type: 'llm' }], edges: [{ source: '__start__', target: id }] })).toEqual([
      'reserved_node_id',
    ]);
  });

  it('refuses virtual, missing and repeated ids', () => {
    expect(
      errors({
        nodes: [{ id: '__end__', type: 'llm' }],
        edges: [{ source: '__start__', target: '__end__' }],
      }),
    ).toContain('virtual_node');
    expect(errors({ nodes: [{ type: 'llm' }], edges: [] })).toContain('missing_node_id');
    const twice = graph('__start__ -> a');
    twice.nodes.push({ id: 'a', type: 'llm' });
    expect(errors(twice)).toContain('duplicate_node_id');
  });

  it.each([['shell'], ['Function'], ['__proto__'], [''], [7]])('refuses the type %j', (type) => {
    expect(errors(withNode({ type }))).toEqual(['unknown_node_type']);
  });

  it('lets a node share the name of a replacing field only', () => {
    const base = graph('__start__ -> a');
    expect(errors({ ...base, state_schema: { fields: { a: { reducer: 'none' } } } })).toEqual([]);
    expect(errors({ ...base, state_schema: { fields: { a: { reducer: 'add' } } } })).toEqual([
      'node_id_collides',
    ]);
  });

  it.each<[JsonObject, (string | number)[]]>([
    [{ retry: { max_attempts: 0 } }, ['retry', 'max_attempts']],
    [{ retry: { max_attempts: 21 } }, ['retry', 'max_attempts']],
    [{ retry: [] }, ['retry']],
    [{ timeout_ms: 0 }, ['timeout_ms']],
    [{ timeout_ms: 3_600_001 }, ['timeout_ms']],
    [{ timeout_ms: '5' }, ['timeout_ms']],
    [{ on_error: 'ignore' }, ['on_error']],
    [{ join: 'some' }, ['join']],
    [{ disabled: 'yes' }, ['disabled']],
    [{ config: 'x' }, ['config']],
    [{ state_updates: [] }, ['state_updates']],
    [{ mock: { enabled: 1 } }, ['mock', 'enabled']],
    [{ for_each: { items: '{{input.x}}', max_concurrency: 101 } }, ['for_each', 'max_concurrency']],
    [{ for_each: { items: '{{input.x}}', max_items: 10_001 } }, ['for_each', 'max_items']],
    [{ for_each: { items: '{{input.x}}', on_item_error: 'skip' } }, ['for_each', 'on_item_error']],
    [{ for_each: { items: 7 } }, ['for_each', 'items']],
    [{ for_each: { items: [], as: 'input' } }, ['for_each', 'as']],
  ])('refuses the envelope %j', (more, path) => {
    const problems = validate(withNode(more), fakeKinds);
    expect(problems.map(({ code, path: at, nodeId }) => [code, at, nodeId])).toEqual([
      ['invalid_value', ['nodes', 0, ...path], 'a'],
    ]);
  });

  it('accepts the envelope at its bounds, and nulls', () => {
    expect(
      errors(
        withNode({
          retry: { max_attempts: 20 },
          timeout_ms: 3_600_000,
          for_each: { items: [], max_concurrency: 100, max_items: 10_000 },
        }),
      ),
    ).toEqual([]);
    expect(
      errors(
        withNode({
          retry: null,
          timeout_ms: null,
          on_error: null,
          join: null,
          for_each: null,
          state_updates: null,
          disabled: null,
          mock: null,
        }),
      ),
    ).toEqual([]);
  });

  it('passes on what the kind says, with the path of the config', () => {
    expect(validate(withNode({ config: { bad: true } }), fakeKinds)).toMatchObject([
      { code: 'bad_config', path: ['nodes', 0, 'config', 'bad'], nodeId: 'a' },
    ]);
    const loose = { nodes: [{ id: 'a', type: 'llm', bad: true }], edges: [], entry_point: 'a' };
    expect(validate(loose, fakeKinds)).toMatchObject([{ code: 'bad_config', path: ['nodes', 0, 'bad'] }]);
  });

  it('refuses mapping of interrupts and item names that mean something else', () => {
    expect(errors(withNode({ type: 'interrupt', for_each: { items: [] } }))).toEqual(['interrupt_mapped']);
    expect(errors(withNode({ for_each: { items: [], as: 'a' } }))).toEqual(['ambiguous_item_name']);
  });

  it('refuses updates of undeclared fields', () => {
    expect(errors(withNode({ state_updates: { f: 1 } }))).toEqual(['undeclared_state_field']);
    expect(errors({ ...withNode({ state_updates: { f: 1 } }), state_schema: { f: {} } })).toEqual([]);
  });
});

describe('edges', () => {
  it.each([
    ['__start__ -> a, __end__ -> a', 'edge_from_end'],
    ['__start__ -> a, a -> __start__', 'edge_into_start'],
    ['__start__ -> a, a -billing-> __end__', 'unknown_handle'],
    ['__start__ -x-> a', 'unknown_handle'],
    ['__start__ -> a, a -> __end__, b -> __end__', 'unreachable_node'],
  ])('%s: %s', (text, code) => {
    expect(errors(graph(text))).toEqual([code]);
  });

  it('refuses edges to and from nothing, naming the edge', () => {
    const dangling = graph('__start__ -> a, a -> ghost');
    dangling.nodes.pop();
    expect(validate(dangling, fakeKinds)).toMatchObject([
      { code: 'dangling_edge', path: ['edges', 1, 'target'], message: expect.stringContaining('a->ghost') },
    ]);
    expect(errors({ nodes: [], edges: [{ id: 'e' }] })).toEqual(['dangling_edge', 'dangling_edge']);
  });

  it('refuses a condition on an edge from the start, which would be taken whatever it says', () => {
    const definition = graph('__start__ -> a, a -> b');
    const rule = { left: '{{input.x}}', op: 'eq', right: 1 };
    definition.edges[1]!['when'] = rule;
    expect(errors(definition)).toEqual([]);
    definition.edges[0]!['when'] = rule;
    expect(validate(definition, fakeKinds)).toMatchObject([
      { code: 'condition_at_start', path: ['edges', 0, 'when'] },
    ]);
  });

  it('refuses a repeated edge id', () => {
    expect(errors(graph('__start__ -> a, a -> __end__, a -> __end__'))).toEqual(['duplicate_edge_id']);
  });

  it('refuses an unknown entry point', () => {
    expect(errors({ ...graph('__start__ -> a'), entry_point: 'nope' })).toEqual(['unknown_entry_point']);
    expect(errors({ ...graph('a -> b'), entry_point: 'a' })).toEqual([]);
  });

  it('knows default, error and the handles of the kind', () => {
    expect(
      errors(
        graph('__start__ -> a, a -error-> __end__, a -> b, a -yes-> c', {
          a: { config: { handles: ['yes'] } },
        }),
      ),
    ).toEqual([]);
  });

  it('wants a way on for every action of an interrupt', () => {
    const ask = { a: { type: 'interrupt', config: { handles: ['approve', 'reject', 'timeout'] } } };
    expect(errors(graph('__start__ -> a, a -approve-> b', ask))).toEqual(['unhandled_action']);
    expect(errors(graph('__start__ -> a, a -approve-> b, a -> c', ask))).toEqual([]);
    expect(errors(graph('__start__ -> a', ask))).toEqual([]);
  });

  it('refuses a bad rule at its place', () => {
    const definition = graph('__start__ -> a');
    definition.edges[0]!['when'] = { rules: [{ left: 1, op: '~' }] };
    expect(validate(definition, fakeKinds)).toMatchObject([
      { code: 'invalid_rule', path: ['edges', 0, 'when', 'rules', 0, 'op'] },
    ]);
  });
});

describe('cycles', () => {
  it('refuses a cycle that nothing can leave untaken', () => {
    expect(errors(graph('__start__ -> a, a -> b, b -> a'))).toEqual(['endless_cycle']);
    expect(errors(graph('__start__ -> a, a -> b, b -> a, b -> __end__'))).toEqual(['endless_cycle']);
    expect(errors(graph('__start__ -> a, a -> a'))).toEqual(['endless_cycle']);
  });

  it('accepts one with a selected handle, an error handle or a when', () => {
    expect(
      errors(
        graph('__start__ -> a, a -> b, b -again-> a, b -else-> __end__', {
          b: { config: { handles: ['again', 'else'] } },
        }),
      ),
    ).toEqual([]);
    expect(errors(graph('__start__ -> a, a -error-> b, b -> a, a -> __end__'))).toEqual([]);
    const guarded = graph('__start__ -> a, a -> b, b -> a, b -> __end__');
    guarded.edges[2]!['when'] = { left: '{{b.again}}', op: 'is_true' };
    expect(errors(guarded)).toEqual([]);
  });

  it('refuses loops that together would not fit a plan', () => {
    const size = 4_000;
    const names = Array.from({ length: size }, (_, i) => `n${i}`);
    const line = names.map((name, i) => ({ source: name, target: names[i + 1] ?? '__end__' }));
    const back = names
      .slice(1, 1_000)
      .map((name, i) => ({ source: names[size - 1 - i], target: name, when: { left: 1, op: 'exists' } }));
    const definition = {
      nodes: names.map((id) => ({ id, type: 'llm' })),
      edges: [...line, ...back],
      entry_point: 'n0',
    };
    expect(errors(definition)).toEqual(['loops_too_large']);
  });

  it('takes a line of 10,000 nodes', () => {
    const names = Array.from({ length: MAX_NODES }, (_, i) => `n${i}`);
    const edges = names.map((name, i) => ({ source: name, target: names[i + 1] ?? '__end__' }));
    const definition = { nodes: names.map((id) => ({ id, type: 'llm' })), edges, entry_point: 'n0' };
    expect(errors(definition)).toEqual([]);
    expect(compile(definition, fakeKinds).nodes).toHaveLength(MAX_NODES);
  });
});

describe('templates', () => {
  it('reports syntax and unknown roots where they stand', () => {
    const problems = validate(
      withNode({
        config: {
          url: ['{{x'],
          body: '{{ghost.x}}',
          ok: '{{input.a}} {{state.any}} {{run.id}} {{loop}} {{a}}',
        },
      }),
      fakeKinds,
    );
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ['invalid_template', ['nodes', 0, 'config', 'url', 0]],
      ['unknown_template_root', ['nodes', 0, 'config', 'body']],
    ]);
  });

  it('looks into updates, rules and the output, and knows declared fields', () => {
    const definition = withNode({ state_updates: { f: '{{u}}' } });
    const when = { left: '{{w}}', op: 'eq', right: '{{f}}' };
    (definition['edges'] as JsonObject[]).unshift({ id: 'w', source: 'a', target: '__end__', when });
    const problems = validate(
      { ...definition, state_schema: { f: {} }, config: { output: { x: '{{o}}' } } },
      fakeKinds,
    );
    expect(problems.map(({ path }) => path)).toEqual([
      ['nodes', 0, 'state_updates', 'f'],
      ['edges', 0, 'when'],
      ['config', 'output', 'x'],
    ]);
  });

  it('leaves literal keys alone', () => {
    expect(errors(withNode({ type: 'function', config: { code: 'x = {{ghost' } }))).toEqual([]);
  });

  it('knows item and index only where there are items', () => {
    expect(errors(withNode({ config: { text: '{{item}}' } }))).toEqual(['unknown_template_root']);
    expect(errors(withNode({ config: { select: '{{item.x}} {{index}}' } }))).toEqual([]);
    const mapped = (config: JsonObject, items = '{{input.rows}}') =>
      errors(withNode({ config, for_each: { items, as: 'row' } }));
    expect(mapped({ text: '{{row.x}} {{item.x}} {{index}}' })).toEqual([]);
    expect(mapped({}, '{{row}}')).toEqual(['unknown_template_root']);
  });

  it('knows no inherited names', () => {
    expect(errors(withNode({ config: { text: '{{constructor.name}} {{__proto__}}' } }))).toEqual([
      'unknown_template_root',
      'unknown_template_root',
    ]);
  });
});

describe('state and settings', () => {
  it('warns once about parallel writers of a replacing field', () => {
    const writes = { state_updates: { f: 1 } };
    const both = { b: writes, c: writes };
    const warnings = (text: string, reducer: string, config: JsonObject = {}): string[] =>
      codes(
        validate({ ...graph(text, { ...both, a: { config } }), state_schema: { f: { reducer } } }, fakeKinds),
        'warning',
      );
    expect(warnings('__start__ -> a, a -> b, a -> c', 'none')).toEqual(['parallel_writers']);
    expect(warnings('__start__ -> b, __start__ -> c', 'none')).toEqual(['parallel_writers']);
    expect(warnings('__start__ -> a, a -> b, a -> c', 'add')).toEqual([]);
    expect(warnings('__start__ -> a, a -> b, b -> c', 'none')).toEqual([]);
    expect(warnings('__start__ -> a, a -> b, a -> c, b -> c', 'none')).toEqual([]);
    expect(warnings('__start__ -> a, a -x-> b, a -y-> c', 'none', { handles: ['x', 'y'] })).toEqual([]);
  });

  it('refuses unknown reducers and settings out of range', () => {
    const base = graph('__start__ -> a');
    expect(validate({ ...base, state_schema: { f: { reducer: 'sum' } } }, fakeKinds)).toMatchObject([
      { path: ['state_schema', 'f', 'reducer'] },
    ]);
    for (const recursion_limit of [0, -1, 1e9, 'x', 1.5])
      expect(errors({ ...base, config: { recursion_limit } })).toEqual(['invalid_value']);
    expect(errors({ ...base, config: { recursion_limit: 1_000, batch_interval_ms: 0 } })).toEqual([]);
    const named = (name: string): string[] =>
      errors(JSON.parse(`{"nodes": [], "edges": [], "state_schema": {"${name}": {}}}`));
    expect(named('__proto__')).toEqual(['invalid_state_field']);
    expect([named('constructor'), named('prototype')]).toEqual([[], []]);
  });
  it('has at most 1,000 fields beside those of its nodes', () => {
    const fieldsOf = (own: number) =>
      Object.fromEntries([
        ...Array.from({ length: own }, (_, at) => [`f${at}`, { type: 'Any' }]),
        ['a', { type: 'Any' }],
      ]);
    const withFields = (own: number) => ({ ...withNode({}), state_schema: { fields: fieldsOf(own) } });
    expect(errors(withFields(1_000))).toEqual([]);
    expect(errors(withFields(1_001))).toEqual(['too_many_state_fields']);
  });
});
