/** The canvas would lose a selection, a reference or an id when it binds, pastes or makes nodes: its logic, without a browser. */
import { expect, test } from 'vitest';
import { readDocument, type CanvasDocument } from '../../../../src/features/canvas/room/document.ts';
import type { DurableOp } from '../../../../src/features/canvas/room/operations.ts';
import { reduce } from '../../../../src/features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../../src/features/canvas/room/reduction.ts';
import type { Json } from '../../../../src/language/graph/values/value.ts';
import { validate } from '../../../../src/language/graph/checks/validate.ts';
import { listFaces } from '../../../../src/language/nodes/faces.ts';
import { kindRules } from '../../../../src/language/nodes/registry.ts';
import { Binding, readText, type Frame } from '../../../../src/surfaces/web/canvas/binding.ts';
import { listActionEntries } from '../../../../src/surfaces/web/canvas/action-entries.ts';
import { createClip, pasteClip, readClip, writeClip } from '../../../../src/surfaces/web/canvas/clipboard.ts';
import { findCommand, COMMANDS } from '../../../../src/surfaces/web/canvas/commands.ts';
import { align, freePlace } from '../../../../src/surfaces/web/canvas/geometry.ts';
import { addNode, findLastHandle } from '../../../../src/surfaces/web/canvas/add-node.ts';
import { connect, move, reconnect, remove } from '../../../../src/surfaces/web/canvas/gestures.ts';
import { listHandles } from '../../../../src/surfaces/web/canvas/kinds.ts';
import { layOut } from '../../../../src/surfaces/web/canvas/layout.ts';
import { addNote } from '../../../../src/surfaces/web/canvas/notes.ts';
import { suggestId } from '../../../../src/surfaces/web/canvas/node-ids.ts';
import { PALETTE, searchPalette } from '../../../../src/surfaces/web/canvas/palette.ts';
import { listFields } from '../../../../src/surfaces/web/forms/fields.ts';
import { findUpstream, listReferences } from '../../../../src/surfaces/web/text/references.ts';

const FIRST = readDocument({
  nodes: [
    { id: 'a', type: 'function', name: 'A', position: { x: 0, y: 0 }, config: { code: 'x' } },
    {
      id: 'b',
      type: 'llm',
      name: 'B',
      position: { x: 400, y: 0 },
      config: { q: '{{a.text}} \\{{a}} {{ab.x}}' },
    },
  ],
  edges: [
    { id: 's', source: '__start__', target: 'a' },
    { id: 'ab', source: 'a', target: 'b' },
    { id: 'be', source: 'b', target: '__end__' },
  ],
});
const EMPTY: Frame = { nodes: [], edges: [] };
const NEAR = { drags: new Map(), isOverview: false };

function after(document: CanvasDocument, op: DurableOp | null): CanvasDocument {
  if (op === null) throw new Error('there is no operation');
  const reduction = reduce(document, op, UNLOCKED);
  if (reduction.outcome !== 'applied') throw new Error(JSON.stringify(reduction));
  return reduction.document;
}

test('what did not change stays the same object, what changed keeps its selection, an own drag its place', () => {
  const binding = new Binding();
  const first = binding.next(FIRST, EMPTY, NEAR);
  const held = first.nodes.map((node) =>
    node.id === 'b' ? { ...node, selected: true, dragging: true, position: { x: 9, y: 9 } } : node,
  );
  const moved = after(FIRST, { type: 'node:move', nodeId: 'b', position: { x: 800, y: 80 } });
  const second = binding.next(moved, { nodes: held, edges: first.edges }, NEAR);
  const of = (frame: Frame, id: string) => frame.nodes.find((node) => node.id === id);
  expect(of(second, 'a')).toBe(of(first, 'a'));
  expect(of(second, 'b')).toMatchObject({ selected: true, position: { x: 9, y: 9 } });
  expect(second.edges.every((edge, index) => edge === first.edges[index])).toBe(true);
  const dropped = second.nodes.map((node) => (node.id === 'b' ? { ...node, dragging: false } : node));
  const third = binding.next(moved, { nodes: dropped, edges: second.edges }, NEAR);
  expect(of(third, 'b')?.position).toEqual({ x: 800, y: 80 });
  const remote = binding.next(moved, third, { ...NEAR, drags: new Map([['a', { x: 5, y: 6 }]]) });
  expect(of(remote, 'a')?.position).toEqual({ x: 5, y: 6 });
});

test('what others drag moves with each frame, though its place is one object, and goes back when they let go', () => {
  const binding = new Binding();
  const near = binding.next(FIRST, EMPTY, NEAR);
  const place = { x: 5, y: 6 };
  const drags = new Map([['a', place]]);
  const of = (frame: Frame) => frame.nodes.find((node) => node.id === 'a')?.position;
  const first = binding.next(FIRST, near, { ...NEAR, drags });
  place.x = 7;
  const second = binding.next(FIRST, first, { ...NEAR, drags });
  expect([of(first), of(second)]).toEqual([
    { x: 5, y: 6 },
    { x: 7, y: 6 },
  ]);
  expect(of(binding.next(FIRST, second, NEAR))).toEqual({ x: 0, y: 0 });
});

test('far out nothing is shown and nothing is forgotten', () => {
  const binding = new Binding();
  const near = binding.next(FIRST, EMPTY, NEAR);
  const held = near.nodes.map((node) => (node.id === 'b' ? { ...node, selected: true } : node));
  const far = binding.next(FIRST, { ...near, nodes: held }, { ...NEAR, isOverview: true });
  expect([far.nodes.every(({ hidden }) => hidden), far.edges]).toEqual([true, []]);
  const again = binding.next(FIRST, far, NEAR);
  expect(again.nodes.some(({ hidden }) => hidden)).toBe(false);
  expect(again.nodes.find(({ id }) => id === 'b')?.selected).toBe(true);
  expect(again.edges).toEqual(near.edges);
});

test('an edge whose handle the config has lost still has a handle to leave by', () => {
  const node = { id: 'c', type: 'conditional', config: { cases: [{ id: 'yes' }] } };
  expect(listHandles(node, ['gone', 'error']).map(({ id }) => id)).toEqual(['yes', 'else', 'gone', 'error']);
  expect(listHandles({ type: 'guardrails' }, []).map(({ id }) => id)).toEqual(['pass', 'fail']);
});

test('pasted nodes have ids of their own, references among them follow, literal braces stay', () => {
  const clip = readClip(writeClip(createClip(FIRST, ['a', 'b'])));
  if (clip === null) throw new Error('nothing was copied');
  const pasted = pasteClip(FIRST, clip, { at: { x: 100, y: 100 }, taken: [] });
  const document = after(FIRST, pasted.batch);
  expect(document.nodes.order).toEqual(['a', 'b', 'a_2', 'b_2']);
  expect(document.nodes.byKey.get('b_2')).toMatchObject({
    position: { x: 504, y: 104 },
    config: { q: '{{a_2.text}} \\{{a}} {{ab.x}}' },
  });
  expect([...document.edges.byKey.values()]).toContainEqual(
    expect.objectContaining({ source: 'a_2', target: 'b_2' }),
  );
  for (const text of ['', 'hello', '{', '{"nodes":5}', '[1]', `{"nodes":${'['.repeat(9_000)}`]) {
    expect(readClip(text)).toBeNull();
  }
});

test('what is pasted stands below what is in its way, as a group', () => {
  const clip = createClip(FIRST, ['a', 'b']);
  const box = (x: number, y: number) => ({ x, y, width: 240, height: 64 });
  const taken = [box(0, 0), box(400, 40), box(400, 160), box(1_000, 250)];
  const pasted = pasteClip(FIRST, clip, { at: { x: 8, y: 8 }, taken });
  const document = after(FIRST, pasted.batch);
  const [a, b] = ['a_2', 'b_2'].map(
    (id) => document.nodes.byKey.get(id) as { position: { x: number; y: number } },
  );
  expect([a?.position.x, b?.position.x]).toEqual([8, 408]);
  expect(a?.position.y).toBe(b?.position.y);
  expect(b?.position.y).toBeGreaterThanOrEqual(160 + 64);
});

const findEntry = (key: string) => {
  const entry = PALETTE.find((one) => one.key === key);
  if (entry === undefined) throw new Error(`the palette has no ${key}`);
  return entry;
};

test('a sentence finds the entries of its words', () => {
  expect(searchPalette('fetch a list').map(({ key }) => key)).toContain('http');
  expect(searchPalette('ask a person').map(({ key }) => key)).toContain('approval');
  expect(searchPalette('zzz')).toEqual([]);
});

test('each action of an integration is an entry of its own', () => {
  const action = { description: 'Finds pages', idempotent: true, requires_auth: true, output_schema: {} };
  const catalog = [
    {
      name: 'notion',
      display_name: 'Notion',
      category: 'documents',
      tags: ['wiki'],
      actions: [{ ...action, name: 'search', display_name: 'Search' }],
    },
    // The palette has it with an example already.
    { name: 'slack', display_name: 'Slack', tags: [], actions: [{ ...action, name: 'send_message' }] },
  ];
  const entries = listActionEntries(catalog as never);
  expect(searchPalette('wiki', entries)).toEqual([
    expect.objectContaining({
      key: 'notion_search',
      label: 'Notion: Search',
      type: 'tool',
      config: { kind: 'integration', integration: 'notion', action: 'search', parameters: {} },
    }),
  ]);
  expect(entries).toHaveLength(1);
});

test('nodes are found by the words that people use for them', () => {
  const found = (text: string): string | undefined => searchPalette(text)[0]?.key;
  const words = [
    'loop',
    'if',
    'email',
    'webhook',
    'slack',
    'github',
    'http',
    'code',
    'approval',
    'delay',
    'gpt',
    'rag',
    'subworkflow',
    'form',
    'comment',
  ];
  expect(words.map(found)).toEqual([
    'for_each',
    'conditional',
    'http',
    'http',
    'slack',
    'github',
    'http',
    'function',
    'approval',
    'wait',
    'llm',
    'knowledge',
    'sub_workflow',
    'form',
    'note',
  ]);
  expect(searchPalette('guard').map(({ key }) => key)).toEqual(['guardrails']);
  expect(searchPalette('no such thing')).toEqual([]);
  expect(new Set(PALETTE.map(({ key }) => key)).size).toBe(PALETTE.length);
});

test('a node of the palette can run as it is, but for the choices that nobody can make for its author', () => {
  const unfinished = PALETTE.filter(({ key }) => key !== 'note').flatMap((entry) => {
    const { op } = addNode(
      { document: FIRST, boxes: new Map() },
      { entry, at: { x: 0, y: 0 }, origin: { from: 'nowhere' } },
    );
    const node = op.type === 'node:add' ? op.node : {};
    const definition = { nodes: [node], edges: [{ source: '__start__', target: readText(node, 'id') }] };
    const codes = validate(definition, kindRules)
      .filter(({ severity, nodeId }) => severity === 'error' && nodeId !== undefined)
      .map(({ code }) => code);
    return codes.length === 0 ? [] : [`${entry.key}: ${[...new Set(codes)].join()}`];
  });
  expect(unfinished).toEqual([
    'knowledge: invalid_config',
    'slack: credential_required',
    'github: credential_required',
    'mcp: invalid_config',
    'sub_workflow: invalid_config',
    'table: invalid_config',
    'unseen: invalid_config',
  ]);
});

test('a new tool asks people when the outcome of its request is unknown; no other node has the field', () => {
  const asking = PALETTE.filter((entry) => {
    const { op } = addNode(
      { document: FIRST, boxes: new Map() },
      { entry, at: { x: 0, y: 0 }, origin: { from: 'nowhere' } },
    );
    return op.type === 'node:add' && op.node['on_unknown'] === 'ask';
  });
  expect(new Set(asking.map(({ type }) => type))).toEqual(new Set(['tool']));
});

test('a new node without a selection continues the chain, where one handle alone leads to the end', () => {
  expect(findLastHandle(FIRST)).toEqual({ source: 'b', handle: 'default' });
  const fork = { type: 'edge:add', edge: { id: 'ae', source: 'a', target: '__end__' } } as const;
  expect(findLastHandle(after(FIRST, fork))).toBeNull();
});

test('the id of a new node is made of its name, and both of a second one have its number', () => {
  const added = (document: CanvasDocument, key: string): CanvasDocument =>
    after(
      document,
      addNode(
        { document, boxes: new Map() },
        { entry: findEntry(key), at: { x: 0, y: 0 }, origin: { from: 'nowhere' } },
      ).op,
    );
  const document = ['http', 'slack', 'http', 'interrupt'].reduce(
    added,
    readDocument({ nodes: [], edges: [] }),
  );
  expect([...document.nodes.byKey.values()]).toMatchObject([
    { id: 'http_request', name: 'HTTP request' },
    { id: 'slack_message', name: 'Slack message' },
    { id: 'http_request_2', name: 'HTTP request 2' },
    { id: 'ask_or_wait', name: 'Ask or wait' },
  ]);
});

test('gestures make operations that the room takes', () => {
  const size = { width: 240, height: 64 };
  const boxes = new Map([
    ['a', { x: 0, y: 0, ...size }],
    ['b', { x: 400, y: 0, ...size }],
    ['__end__', { x: 736, y: 12, width: 88, height: 40 }],
  ]);
  const into = addNode(
    { document: FIRST, boxes },
    { entry: findEntry('guardrails'), at: { x: 0, y: 0 }, origin: { from: 'edge', edgeId: 'ab' } },
  );
  const inserted = after(FIRST, into.op);
  // The node behind the edge makes room; the end, which nobody has placed, goes after it by itself.
  expect([...inserted.nodes.byKey.values()]).toEqual([
    expect.objectContaining({ id: 'a', position: { x: 0, y: 0 } }),
    expect.objectContaining({ id: 'b', position: { x: 672, y: 0 } }),
    expect.objectContaining({ id: 'guardrails', position: { x: 336, y: 0 } }),
  ]);
  expect('metadata' in inserted.rest).toBe(false);
  expect([...inserted.edges.byKey.values()]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 'ab', target: 'guardrails' }),
      expect.objectContaining({ source: 'guardrails', source_handle: 'pass', target: 'b' }),
    ]),
  );
  expect(connect(FIRST, { source: 'a', handle: 'default', target: 'b' })).toBeNull();
  expect(connect(FIRST, { source: 'b', handle: 'default', target: '__start__' })).toBeNull();
  const again = after(FIRST, reconnect(FIRST, 'ab', { source: 'a', handle: 'error', target: '__end__' }));
  expect(again.edges.byKey.get('ab')).toMatchObject({ target: '__end__', source_handle: 'error' });
  const noted = after(FIRST, addNote('n1', { x: 1, y: 2 }, 'hello'));
  const places = new Map([
    ['a', { x: 3, y: 3 }],
    ['b', { x: 88, y: 90 }],
    ['note:n1', { x: 8, y: 8 }],
  ]);
  const moved = after(noted, move(noted, places));
  expect(moved.nodes.byKey.get('a')).toBe(noted.nodes.byKey.get('a'));
  expect(moved.nodes.byKey.get('b')).toMatchObject({ position: { x: 88, y: 88 } });
  expect(after(moved, remove(moved, ['a', 'note:n1', '__start__'], [])).nodes.order).toEqual(['b']);
});

test('a new node of every kind is one that its kind can read, and its form shows its fields', () => {
  for (const { type, config } of listFaces()) {
    expect(listFields(type, config).length, type).toBeGreaterThan(1);
    const nodes = [{ id: 'it', type, config }];
    const edges = [{ source: '__start__', target: 'it' }];
    // A knowledge node has no base to search before somebody chooses one.
    const wrong = validate({ nodes, edges }, kindRules).filter(({ code }) => code === 'invalid_config');
    expect(wrong.length, JSON.stringify(wrong)).toBe(type === 'knowledge' ? 1 : 0);
  }
});

test('no key has two commands, and each command can be found by its name', () => {
  const keys = COMMANDS.flatMap((command) => command.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
  const stroke = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
  expect(findCommand({ ...stroke, key: 'Z', ctrlKey: true, shiftKey: true })?.id).toBe('redo');
  expect(findCommand({ ...stroke, key: '?', shiftKey: true })?.id).toBe('help');
  expect(findCommand({ ...stroke, key: 'ˇ', code: 'KeyT', shiftKey: true, altKey: true })?.id).toBe('tidy');
  expect(findCommand({ ...stroke, key: 'c', ctrlKey: true })).toBeNull();
});

test('layout goes from left to right without overlaps; alignment and free places keep the grid', () => {
  const box = (id: string, y: number) => ({ id, x: 40, y, width: 240, height: 64 });
  const placed = layOut({
    boxes: [box('a', 0), box('b', 0), box('c', 8)],
    edges: [
      { source: 'a', target: 'b' },
      { source: 'a', target: 'c' },
    ],
  });
  const [a, b, c] = placed;
  expect(a?.x).toBe(40);
  expect(b?.x).toBe(c?.x);
  expect(Math.abs((b?.y ?? 0) - (c?.y ?? 0))).toBeGreaterThanOrEqual(64);
  const size = { width: 240, height: 64 };
  expect(freePlace({ x: 3, y: 3, ...size }, [{ x: 0, y: 0, ...size }])).toEqual({ x: 0, y: 104 });
  const aligned = align(
    new Map([
      ['p', { x: 16, y: 0, ...size }],
      ['q', { x: 80, y: 9, ...size }],
    ]),
    'left',
  );
  expect([...aligned.values()]).toEqual([
    { x: 16, y: 0 },
    { x: 16, y: 8 },
  ]);
});

/** Boxes at one place: the layout alone tells them apart. */
function layOutGraph(count: number, edges: readonly (readonly [number, number])[]) {
  const boxes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    x: 0,
    y: 0,
    width: 240,
    height: 64,
  }));
  return layOut({ boxes, edges: edges.map(([from, to]) => ({ source: `n${from}`, target: `n${to}` })) });
}

function findOverlap(places: readonly { readonly x: number; readonly y: number }[]): unknown {
  const sorted = places.toSorted((a, b) => a.x - b.x || a.y - b.y);
  return sorted.find(({ x, y }, index) => x === sorted[index - 1]?.x && y < sorted[index - 1]!.y + 64);
}

test('2,000 nodes in a chain, with loops, in a grid and without edges are laid out from left to right without overlaps', () => {
  const [count, width] = [2_000, 45];
  const chained = Array.from({ length: count - 1 }, (_, index) => [index, index + 1] as const);
  const chain = layOutGraph(count, chained);
  expect(new Set(chain.map(({ y }) => y)).size).toBe(1);
  expect(chain.every(({ x }, index) => index === 0 || x > chain[index - 1]!.x)).toBe(true);
  const looped = layOutGraph(count, [
    ...chained,
    ...chained.filter(([from]) => from % 9 === 0 && from > 0).map(([from]) => [from, from - 9] as const),
  ]);
  expect(looped.map(({ x }) => x)).toEqual(chain.map(({ x }) => x));
  expect(findOverlap(looped)).toBeUndefined();
  const right = chained.filter(([, to]) => to % width > 0);
  const down = chained.flatMap(([from]) => (from + width < count ? [[from, from + width] as const] : []));
  const grid = layOutGraph(count, [...right, ...down]);
  expect([...right, ...down].every(([from, to]) => grid[to]!.x > grid[from]!.x)).toBe(true);
  expect(findOverlap(grid)).toBeUndefined();
  expect(findOverlap(layOutGraph(count, []))).toBeUndefined();
});

test('a graph that is tidied again stays as it is; the branch that stands above stays above', () => {
  const edges = [
    { source: 'n0', target: 'n1' },
    { source: 'n0', target: 'n2' },
    { source: 'n1', target: 'n3' },
    { source: 'n2', target: 'n3' },
  ];
  const size = { width: 240, height: 64 };
  const boxes = [0, 90, 30, 0].map((y, index) => ({ id: `n${index}`, x: 0, y, ...size }));
  const first = layOut({ boxes, edges });
  expect(first[1]!.x).toBe(first[2]!.x);
  expect(first[2]!.y).toBeLessThan(first[1]!.y);
  expect(layOut({ boxes: first.map((place) => ({ ...place, ...size })), edges })).toEqual(first);
});

test('a move of 2,000 nodes is one operation in parts that the room takes', () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
  const document = readDocument({ nodes: ids.map((id) => ({ id, type: 'llm' })), edges: [] });
  const op = move(document, new Map(ids.map((id, index) => [id, { x: index * 8, y: 0 }])), 'layout');
  expect(op).toMatchObject({ type: 'batch', ops: [{ type: 'nodes:move' }, { type: 'nodes:move' }] });
  expect(after(document, op).nodes.byKey.get('n1999')).toMatchObject({ position: { x: 15_992 } });
});

test('templates are offered what is upstream, with what it gave last', () => {
  expect(findUpstream(FIRST, 'b')).toEqual(['a']);
  const known = (output: Json) => ({
    findOutput: (id: string) => (id === 'a' ? output : undefined),
    input: { who: 'Ada' },
  });
  const place = { entity: 'node:b', ptr: '/config/q' } as const;
  const offered = listReferences(FIRST, place, known({ text: 'hi', 'odd key': 1 }));
  expect(offered.slice(0, 3)).toEqual([
    { text: 'a', hint: '{"text":"hi","odd key":1}' },
    { text: 'a.text', hint: 'hi' },
    { text: 'a["odd key"]', hint: '1' },
  ]);
  const texts = (output: Json) => listReferences(FIRST, place, known(output)).map(({ text }) => text);
  expect(texts({ rows: [{ id: 7 }] })).toEqual(
    expect.arrayContaining(['a.rows', 'a.rows[0]', 'a.rows[0].id']),
  );
  expect(texts(null)).toContain('input.who');
  const first = listReferences(FIRST, { entity: 'node:a', ptr: '' }, known(null));
  expect(first.some(({ text }) => text === 'b')).toBe(false);
  // What has not run is known by its schema: the answer of a model, the form of a question.
  const schema = {
    type: 'object',
    properties: { rows: { type: 'array', items: { type: 'object', properties: { 'odd key': {} } } } },
  };
  const document = readDocument({
    nodes: [
      { id: 'a', type: 'llm', config: { response_format: { type: 'json_schema', schema } } },
      { id: 'b', type: 'llm' },
    ],
    edges: [{ id: 'ab', source: 'a', target: 'b' }],
  });
  const unknown = { findOutput: () => undefined, input: undefined };
  expect(listReferences(document, place, unknown)).toContainEqual({
    text: 'a.data.rows[0]["odd key"]',
    hint: 'not run yet',
  });
  const acting = readDocument({
    nodes: [
      { id: 'a', type: 'tool', config: { kind: 'integration', integration: 'shop', action: 'order' } },
      { id: 'b', type: 'llm' },
    ],
    edges: [{ id: 'ab', source: 'a', target: 'b' }],
  });
  const findSchema = (...names: string[]) => (names.join(' ') === 'shop order' ? schema : undefined);
  expect(listReferences(acting, place, unknown, findSchema)).toContainEqual({
    text: 'a.data.rows[0]["odd key"]',
    hint: 'not run yet',
  });
  expect(listReferences(acting, place, unknown)).toContainEqual({ text: 'a.data', hint: 'not run yet' });
});

test('rules over the answer of a tool are offered the answer, as the last one was', () => {
  const nodes = ['tool', 'llm'].map((type) => ({ id: type, type, config: { kind: 'http' } }));
  const document = readDocument({ nodes, edges: [] });
  const list = (node: string, ptr: string, output?: Json) =>
    listReferences(
      document,
      { entity: `node:${node}`, ptr },
      { findOutput: () => output, input: undefined },
    ).flatMap(({ text }) => (text.startsWith('response') ? [text] : []));
  for (const field of ['/config/fail_when/rules/0/left', '/config/retry_when', '/config/retry_after'])
    expect(list('tool', field)).toEqual(['response.status', 'response.headers', 'response.data']);
  expect(list('tool', '/config/retry_after', { data: { wait: 3 }, status: 429, headers: {} })).toEqual(
    expect.arrayContaining(['response.data.wait', 'response.status']),
  );
  expect(list('tool', '/config/url')).toEqual([]);
  expect(list('llm', '/config/retry_after')).toEqual([]);
});

test('an id is made of a name, and is free', () => {
  const document = readDocument({ nodes: [{ id: 'fetch_list', type: 'tool' }], edges: [] });
  expect(suggestId(document, 'Classify the Ticket!')).toBe('classify_the_ticket');
  expect(suggestId(document, 'Fetch list')).toBe('fetch_list_2');
  expect(suggestId(document, 'Café menu')).toBe('cafe_menu');
  expect(suggestId(document, '123 !')).toBeNull();
  expect(suggestId(document, 'Input')).toBeNull();
});
