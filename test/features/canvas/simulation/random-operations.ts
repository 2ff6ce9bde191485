/** Random operations on the current document; some of them cannot be applied. */
import { isObject, type Json, type JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { DurableOp, SingleOp } from '../../../../src/features/canvas/room/operations.ts';
import type { Chance } from './virtual-clock.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const KEYS = ['name', 'x', 'a/b', 't~', 'deep', 'list'];

const idsAt = (document: JsonObject, key: 'nodes' | 'edges'): string[] => {
  const list = document[key];
  return (Array.isArray(list) ? list : []).flatMap((one) =>
    isObject(one) && typeof one['id'] === 'string' ? [one['id']] : [],
  );
};

function value(chance: Chance): Json {
  return chance.pick<Json>([1, 2, 'text', null, true, [1, 2], [], { k: 1 }, { k: { l: 2 } }, {}]);
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const pointer = (chance: Chance): string =>
  chance.happens(0.3)
    ? `/config/${escaped(chance.pick(KEYS))}/${escaped(chance.pick(KEYS))}`
    : `/config/${escaped(chance.pick(KEYS))}`;

function edit(chance: Chance): { changes: JsonObject } | { set: Record<string, Json>; unset: string[] } {
  if (chance.happens(0.3)) return { changes: { config: { [chance.pick(KEYS)]: value(chance) } } };
  return {
    set: { [pointer(chance)]: value(chance) },
    unset: chance.happens(0.3) ? [pointer(chance)] : [],
  };
}

const position = (chance: Chance): { x: number; y: number } => ({
  x: chance.below(900),
  y: chance.below(900),
});

/** One operation that is no batch. */
export function randomOperation(chance: Chance, document: JsonObject): SingleOp {
  const nodes = idsAt(document, 'nodes');
  const edges = idsAt(document, 'edges');
  const nodeId = nodes.length > 0 && chance.happens(0.95) ? chance.pick(nodes) : 'missing';
  const edgeId = edges.length > 0 && chance.happens(0.95) ? chance.pick(edges) : 'missing';
  const ends = ['__start__', '__end__', ...nodes];
  const source = chance.pick(ends);
  const target = chance.pick(ends);
  const index = chance.happens(0.4) ? { index: chance.below(nodes.length + 2) } : {};
  const fresh = `${chance.pick(NAMES)}${chance.below(12)}`;
  return chance.pick<() => SingleOp>([
    () => ({ type: 'node:add', node: { id: fresh, type: 'llm', config: { x: chance.below(9) } }, ...index }),
    () => ({ type: 'node:add', node: { id: fresh, type: 'tool', position: position(chance) } }),
    () => ({
      type: 'node:move',
      nodeId: chance.happens(0.1) ? '__start__' : nodeId,
      position: position(chance),
    }),
    () => ({ type: 'node:move', nodeId, position: position(chance) }),
    () => ({
      type: 'nodes:move',
      moves: [nodeId, chance.pick(ends)].map((one) => ({ nodeId: one, position: position(chance) })),
    }),
    () => ({ type: 'node:update', nodeId, ...edit(chance) }),
    () => ({ type: 'node:update', nodeId, ...edit(chance) }),
    () => ({ type: 'node:delete', nodeIds: [nodeId, ...(chance.happens(0.2) ? [chance.pick(ends)] : [])] }),
    () => ({ type: 'edge:add', edge: { id: `${source}>${target}`, source, target }, ...index }),
    () => ({ type: 'edge:add', edge: { id: `${source}>${target}`, source, target } }),
    () => ({ type: 'edge:update', edgeId, set: { '/source_handle': value(chance) }, unset: [] }),
    () => ({ type: 'edge:update', edgeId, set: { '/target': target } }),
    () => ({ type: 'edge:delete', edgeIds: [edgeId] }),
    () => ({
      type: 'state-schema:update',
      set: chance.happens(0.7) ? { [fresh]: { type: 'array', reducer: 'add' } } : {},
      unset: chance.happens(0.4) ? [chance.pick([...nodes, 'log'])] : [],
    }),
    () => ({ type: 'config:update', set: { [`/${escaped(chance.pick(KEYS))}`]: value(chance) }, unset: [] }),
    () => ({ type: 'metadata:update', set: { '/name': `Name ${chance.below(99)}` } }),
    () => ({
      type: 'metadata:update',
      changes: { tags: ['t', String(chance.below(5))], note: value(chance) },
    }),
    () => ({
      type: 'workflow:update',
      values: { entry_point: chance.pick(ends), end_points: value(chance) },
    }),
  ])();
}

/** An operation, now and then several as one. */
export function randomDurable(chance: Chance, document: JsonObject): DurableOp {
  if (!chance.happens(0.12)) return randomOperation(chance, document);
  const mode = chance.happens(0.3) ? 'atomic' : 'lenient';
  const ops = Array.from({ length: 1 + chance.below(5) }, () => randomOperation(chance, document));
  return { type: 'batch', ops, reason: 'other', mode };
}
