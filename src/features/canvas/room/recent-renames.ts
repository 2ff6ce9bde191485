/**
 * The nodes that were renamed while a room is loaded: an edit that was made before its author knew of the new id names the
 * old one, and follows.
 */
import { formatPointer, parsePointer } from '../../../language/graph/values/pointer.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import type { CanvasDocument } from './document.ts';
import type { AppliedOp, DurableOp, Edit, SingleOp, SubOp } from './operations.ts';
import { EDGE_ENDS, PINS, readRename, type Renamed } from './rename-node.ts';
import { rewriteReferences } from './rewrite-references.ts';

/** Older ones are forgotten: a person renames a few nodes an hour. */
const MAX_RENAMES = 1_000;

type Names = ReadonlyMap<string, string>;

const rename = (names: Names, id: string): string => names.get(id) ?? id;
const renameText = (names: Names, value: Json): Json =>
  typeof value === 'string' ? rename(names, value) : value;

const mapValues = (object: JsonObject, map: (key: string, value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]));
const mapKeys = <Value>(object: Readonly<Record<string, Value>>, map: (key: string) => string) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [map(key), value]));

/** Rewrites the ends of an edge. */
const renameEnds = (edge: JsonObject, names: Names): JsonObject =>
  mapValues(edge, (key, value) => (EDGE_ENDS.includes(key) ? renameText(names, value) : value));

function renameEdgeEdit(edit: Edit, names: Names): Edit {
  const isEnd = (ptr: string): boolean => EDGE_ENDS.includes(parsePointer(ptr)[0] ?? '');
  return {
    ...edit,
    ...(edit.changes === undefined ? {} : { changes: renameEnds(edit.changes, names) }),
    ...(edit.set === undefined
      ? {}
      : { set: mapValues(edit.set, (ptr, value) => (isEnd(ptr) ? renameText(names, value) : value)) }),
  };
}

/** Rewrites the pointer to a pin. */
function renamePinPointer(ptr: string, names: Names): string {
  const [canvas, pins, id, ...rest] = parsePointer(ptr);
  const isPin = canvas === PINS[0] && pins === PINS[1] && id !== undefined;
  return isPin ? formatPointer([...PINS, rename(names, id), ...rest]) : ptr;
}

/** Rewrites the ids in the metadata: the keys of pins and the nodes of groups. `path` is where the value stands. */
function renameInMetadata(value: Json, path: readonly string[], names: Names): Json {
  const [canvas, part, , key] = path;
  const isList = canvas === 'canvas' && part === 'groups' && key === 'nodes';
  if (Array.isArray(value)) return isList ? value.map((id) => renameText(names, id)) : value;
  if (!isObject(value)) return value;
  const isPins = path.length === PINS.length && PINS.every((token, at) => path[at] === token);
  const inner = mapValues(value, (name, one) => renameInMetadata(one, [...path, name], names));
  return isPins ? mapKeys(inner, (id) => rename(names, id)) : inner;
}

function renameMetadataEdit(edit: Edit, names: Names): Edit {
  const { changes, set, unset } = edit;
  const renamed = changes === undefined ? undefined : renameInMetadata(changes, [], names);
  return {
    ...(isObject(renamed) ? { changes: renamed } : {}),
    ...(set === undefined
      ? {}
      : {
          set: mapKeys(
            mapValues(set, (ptr, value) => renameInMetadata(value, parsePointer(ptr), names)),
            (ptr) => renamePinPointer(ptr, names),
          ),
        }),
    ...(unset === undefined ? {} : { unset: unset.map((ptr) => renamePinPointer(ptr, names)) }),
  };
}

function renameInSingle(op: SingleOp, names: Names): SingleOp {
  switch (op.type) {
    case 'node:add':
      return op;
    case 'node:move':
    case 'node:update':
      return { ...op, nodeId: rename(names, op.nodeId) };
    case 'nodes:move':
      return { ...op, moves: op.moves.map((move) => ({ ...move, nodeId: rename(names, move.nodeId) })) };
    case 'node:delete':
      return { ...op, nodeIds: op.nodeIds.map((id) => rename(names, id)) };
    case 'edge:add':
      return { ...op, edge: renameEnds(op.edge, names) };
    case 'edge:update':
      return { ...op, ...renameEdgeEdit(op, names) };
    case 'edge:delete':
    case 'config:update':
      return op;
    case 'state-schema:update':
      return {
        ...op,
        ...(op.set === undefined ? {} : { set: mapKeys(op.set, (name) => rename(names, name)) }),
        ...(op.unset === undefined ? {} : { unset: op.unset.map((name) => rename(names, name)) }),
      };
    case 'metadata:update':
      return { type: op.type, ...renameMetadataEdit(op, names) };
    case 'workflow:update':
      return {
        ...op,
        values: mapValues(op.values, (key, value) =>
          key === 'entry_point' ? renameText(names, value) : value,
        ),
      };
  }
}

/** The guard of a part, whose pointer may name a pin or a state field; its value is rewritten with the templates. */
function renameGuard({ if: guard, ...op }: SubOp, names: Names): Pick<SubOp, 'if'> {
  if (guard === undefined) return {};
  if (op.type === 'metadata:update') return { if: { ...guard, ptr: renamePinPointer(guard.ptr, names) } };
  if (op.type !== 'state-schema:update') return { if: guard };
  const [name, ...rest] = parsePointer(guard.ptr);
  return {
    if: { ...guard, ptr: name === undefined ? '' : formatPointer([rename(names, name), ...rest]) },
  };
}

function renameInOp(op: AppliedOp, names: Names): DurableOp {
  const texts = rewriteReferences(op as unknown as Json, names) as unknown as AppliedOp;
  if (texts.type !== 'batch') return renameInSingle(texts, names);
  const ops = texts.ops.map((part) => {
    const { if: _guard, ...single } = part;
    return { ...renameInSingle(single, names), ...renameGuard(part, names) };
  });
  return { ...texts, ops };
}

const listAdded = (op: AppliedOp): Json[] =>
  (op.type === 'batch' ? op.ops : [op]).flatMap((part) =>
    part.type === 'node:add' ? [ownValue(part.node, 'id') ?? null] : [],
  );

export class RecentRenames {
  #renames: (Renamed & { readonly version: number })[] = [];

  /** Notes an applied operation. */
  record(op: DurableOp, version: number): void {
    const renamed = readRename(op);
    if (renamed !== null) this.#renames = [...this.#renames, { ...renamed, version }].slice(-MAX_RENAMES);
  }

  /**
   * Rewrites an operation that was made on an older version to the new ids of the nodes that were renamed since. An id that
   * a node has again, or that the operation itself gives to one, means that node.
   * @param base the version that the author had seen; undefined counts as the newest
   * @returns the same object when nothing changes
   */
  follow(op: DurableOp, base: number | undefined, document: CanvasDocument): DurableOp {
    const unseen = this.#renames.filter(({ version }) => base !== undefined && version > base);
    if (unseen.length === 0) return op;
    const names = new Map<string, string>();
    for (const { nodeId, newId } of unseen) {
      for (const [old, now] of names) if (now === nodeId) names.set(old, newId);
      names.set(nodeId, newId);
    }
    const added = new Set(op.type === 'node:rename' ? [] : listAdded(op));
    for (const old of names.keys()) if (document.nodes.byKey.has(old) || added.has(old)) names.delete(old);
    if (op.type === 'node:rename') return { ...op, nodeId: rename(names, op.nodeId) };
    const followed = renameInOp(op, names);
    return sameJson(followed as unknown as Json, op as unknown as Json) ? op : followed;
  }
}
