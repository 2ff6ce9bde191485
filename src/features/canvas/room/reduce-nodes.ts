/** Reduces operations on nodes. The last writer wins; deleting a node also deletes its edges and automatic state field. */
import { findPinExcess, describePinExcess } from '../../../language/graph/definition/definition-size.ts';
import { END, START } from '../../../language/graph/definition/definition.ts';
import { AUTOMATIC_FIELD } from '../../../language/graph/definition/state-fields.ts';
import {
  isForbiddenKey,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { isNodeType } from '../../../language/nodes/faces.ts';
import type { DocumentDraft } from './document-draft.ts';
import { editEntity } from './edit-entity.ts';
import type { Edit, Move, Position, SingleOp } from './operations.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import {
  toApplied,
  NOOP,
  toRejected,
  type ReduceContext,
  type SingleReduction,
  type Skipped,
  type Touched,
} from './reduction.ts';

/** Nodes of one document. */
const MAX_NODES = 2_000;

/** Reads the id of a validated element. */
export function readId(element: JsonObject): string {
  const id = ownValue(element, 'id');
  return typeof id === 'string' ? id : '';
}

const nodeEntity = (nodeId: string): string => formatPointer(['nodes', nodeId]);

/** Returns the index at which to insert: the end when none is given or it is beyond the end. */
export function clampIndex(index: number | undefined, size: number): number {
  return index === undefined ? size : Math.min(index, size);
}

export function addNode(draft: DocumentDraft, op: Extract<SingleOp, { type: 'node:add' }>): SingleReduction {
  const nodeId = readId(op.node);
  // The id becomes the key of a state field.
  if (nodeId === START || nodeId === END || isForbiddenKey(nodeId)) return toRejected('RESERVED_NODE_ID');
  const present = draft.node(nodeId);
  if (present !== undefined) return sameJson(present, op.node) ? NOOP : toRejected('NODE_EXISTS');
  if (draft.nodes.size >= MAX_NODES) return toRejected('DOC_TOO_LARGE', `${MAX_NODES} nodes`);
  const pinBytes = findPinExcess(ownValue(op.node, 'mock'), undefined);
  if (pinBytes !== null) return toRejected('PIN_TOO_LARGE', describePinExcess(pinBytes));
  const index = clampIndex(op.index, draft.nodes.size);
  draft.nodes.insert(nodeId, op.node, index);
  const isFieldAdded = draft.stateField(nodeId) === undefined;
  if (isFieldAdded) draft.setStateField(nodeId, AUTOMATIC_FIELD);
  return toApplied(
    { type: 'node:add', node: op.node, index },
    { node: op.node, index, ...(isFieldAdded ? { stateSchema: { [nodeId]: AUTOMATIC_FIELD } } : {}) },
    {
      touched: [{ entity: nodeEntity(nodeId), ptr: '' }],
      isNormalized: op.index !== undefined && op.index !== index,
    },
  );
}

type MoveOutcome = 'moved' | 'same' | 'missing' | 'reserved';

function moveOne(draft: DocumentDraft, nodeId: string, { x, y }: Position): MoveOutcome {
  const position = { x, y };
  if (nodeId === END) return 'reserved';
  if (nodeId === START) {
    if (sameJson(draft.topLevel('start_position'), position)) return 'same';
    draft.setTopLevel('start_position', position);
    return 'moved';
  }
  const node = draft.node(nodeId);
  if (node === undefined) return 'missing';
  if (sameJson(ownValue(node, 'position'), position)) return 'same';
  draft.nodes.put(nodeId, { ...node, position });
  return 'moved';
}

const toTouched = (nodeId: string): Touched =>
  nodeId === START
    ? { entity: '/start_position', ptr: '' }
    : { entity: nodeEntity(nodeId), ptr: '/position' };

const MOVE_CODES = { missing: 'NODE_NOT_FOUND', reserved: 'RESERVED_NODE_ID' } as const;

/** Moves a node; locks protect the content, not the position. */
export function moveNode(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'node:move' }>,
): SingleReduction {
  const { nodeId, position } = op;
  const outcome = moveOne(draft, nodeId, position);
  if (outcome === 'same') return NOOP;
  if (outcome !== 'moved') return toRejected(MOVE_CODES[outcome], nodeId);
  return toApplied(op, { nodeId, position: { ...position } }, { touched: [toTouched(nodeId)] });
}

/** Applies the possible moves; when none is possible, rejects with the reason of the first. */
export function moveNodes(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'nodes:move' }>,
): SingleReduction {
  const moves: Move[] = [];
  const skipped: Skipped[] = [];
  for (const [index, move] of op.moves.entries()) {
    const outcome = moveOne(draft, move.nodeId, move.position);
    if (outcome === 'moved') moves.push(move);
    else if (outcome !== 'same') skipped.push({ index, code: MOVE_CODES[outcome] });
  }
  if (moves.length > 0) {
    return toApplied(
      { type: 'nodes:move', moves },
      { moves: moves.map(({ nodeId, position }) => ({ nodeId, position: { ...position } })) },
      {
        touched: moves.map(({ nodeId }) => toTouched(nodeId)),
        isNormalized: moves.length < op.moves.length,
        skipped,
      },
    );
  }
  const [first] = skipped;
  if (first === undefined || skipped.length < op.moves.length) return NOOP;
  return { outcome: 'rejected', code: first.code === 'GUARD_FAILED' ? 'INVALID_PAYLOAD' : first.code };
}

/** Returns the broadcast fields of an edit: exact pointers, also when a merge patch was sent. */
export function toEditBody(edit: {
  set: Readonly<Record<string, Json>>;
  unset: readonly string[];
}): JsonObject {
  return { set: { ...edit.set }, unset: [...edit.unset] };
}

/** Whether the applied edit differs from the sent one. */
export function isNormalized(
  sent: Edit,
  applied: { set: Readonly<Record<string, Json>>; unset: readonly string[] },
): boolean {
  const isSameSize = (a: object | undefined, b: object): boolean =>
    Object.keys(a ?? {}).length === Object.keys(b).length;
  return (
    sent.changes !== undefined || !isSameSize(sent.set, applied.set) || !isSameSize(sent.unset, applied.unset)
  );
}

export function updateNode(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'node:update' }>,
  context: ReduceContext,
): SingleReduction {
  const { nodeId } = op;
  const node = draft.node(nodeId);
  if (node === undefined) return toRejected('NODE_NOT_FOUND', nodeId);
  if (context.isLocked(nodeId)) return { ...toRejected('NODE_LOCKED'), details: { nodeId } };
  const edited = editEntity(node, op, draft.work);
  if (edited === null)
    return toRejected('INVALID_PAYLOAD', 'a pointer does not match the node or is too deep');
  if (sameJson(edited.entity, node, draft.work)) return NOOP;
  if (edited.entity['id'] !== nodeId) return toRejected('INVALID_PAYLOAD', "a node's id cannot change");
  if (edited.entity['type'] !== node['type'] && !isNodeType(edited.entity['type'])) {
    return toRejected('INVALID_PAYLOAD', 'unknown node type');
  }
  const pinBytes = findPinExcess(ownValue(edited.entity, 'mock'), ownValue(node, 'mock'));
  if (pinBytes !== null) return toRejected('PIN_TOO_LARGE', describePinExcess(pinBytes));
  draft.nodes.put(nodeId, edited.entity);
  const { set, unset } = edited;
  return toApplied(
    { type: 'node:update', nodeId, set, unset },
    { nodeId, ...toEditBody(edited) },
    {
      touched: [...Object.keys(set), ...unset].map((ptr) => ({ entity: nodeEntity(nodeId), ptr })),
      isNormalized: isNormalized(op, edited),
    },
  );
}

/** Lists the keys of the edges that begin or end at one of the nodes. */
function findEdgesAt(draft: DocumentDraft, nodeIds: ReadonlySet<string>): string[] {
  draft.edges.countScan();
  const { order, byKey } = draft.edges.current;
  const ends = (edge: Json | undefined): boolean =>
    ['source', 'target'].some((end) => {
      const nodeId = ownValue(edge, end);
      return typeof nodeId === 'string' && nodeIds.has(nodeId);
    });
  return order.filter((key) => ends(byKey.get(key)));
}

/** Deletes nodes. Missing ones are ignored: two people may delete the same node. */
export function deleteNodes(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'node:delete' }>,
  context: ReduceContext,
): SingleReduction {
  const nodeIds = [...new Set(op.nodeIds)].filter((nodeId) => draft.node(nodeId) !== undefined);
  if (nodeIds.length === 0) return NOOP;
  const locked = nodeIds.filter((nodeId) => context.isLocked(nodeId));
  if (locked.length > 0) return { ...toRejected('NODE_LOCKED'), details: { nodeIds: locked } };
  const gone = new Set(nodeIds);
  const edgeKeys = findEdgesAt(draft, gone);
  draft.nodes.remove(gone);
  if (edgeKeys.length > 0) draft.edges.remove(new Set(edgeKeys));
  // A field that somebody edited stays.
  const fields = nodeIds.filter((nodeId) => sameJson(draft.stateField(nodeId), AUTOMATIC_FIELD));
  for (const name of fields) draft.setStateField(name, undefined);
  const edgeIds = edgeKeys.filter((key) => !key.startsWith('\0'));
  return toApplied(
    { type: 'node:delete', nodeIds },
    { nodeIds, edgeIds, stateSchemaKeys: fields },
    {
      touched: nodeIds.map((nodeId) => ({ entity: nodeEntity(nodeId), ptr: '' })),
      isNormalized: nodeIds.length < op.nodeIds.length,
    },
  );
}
