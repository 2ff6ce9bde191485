/** Reduces operations on edges. Both ends must be existing nodes, or the virtual start and end. */
import { END, START } from '../../../language/graph/definition/definition.ts';
import { ownValue, sameJson, type JsonObject } from '../../../language/graph/values/value.ts';
import type { DocumentDraft } from './document-draft.ts';
import { editEntity } from './edit-entity.ts';
import type { SingleOp } from './operations.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { toEditBody, readId, isNormalized, clampIndex } from './reduce-nodes.ts';
import { toApplied, NOOP, toRejected, type ReduceContext, type SingleReduction } from './reduction.ts';

/** Edges of one document. */
const MAX_EDGES = 5_000;

const edgeEntity = (edgeId: string): string => formatPointer(['edges', edgeId]);

const readEndpoints = (edge: JsonObject): string[] =>
  ['source', 'target'].map((end) => {
    const nodeId = ownValue(edge, end);
    return typeof nodeId === 'string' ? nodeId : '';
  });

const isEndpoint = (draft: DocumentDraft, nodeId: string): boolean =>
  nodeId === START || nodeId === END || draft.node(nodeId) !== undefined;

export function addEdge(draft: DocumentDraft, op: Extract<SingleOp, { type: 'edge:add' }>): SingleReduction {
  const edgeId = readId(op.edge);
  const present = draft.edge(edgeId);
  if (present !== undefined) return sameJson(present, op.edge) ? NOOP : toRejected('EDGE_EXISTS');
  const missing = readEndpoints(op.edge).find((nodeId) => !isEndpoint(draft, nodeId));
  if (missing !== undefined) return toRejected('EDGE_ENDPOINT_MISSING', missing);
  if (draft.edges.size >= MAX_EDGES) return toRejected('DOC_TOO_LARGE', `${MAX_EDGES} edges`);
  const index = clampIndex(op.index, draft.edges.size);
  draft.edges.insert(edgeId, op.edge, index);
  return toApplied(
    { type: 'edge:add', edge: op.edge, index },
    { edge: op.edge, index },
    {
      touched: [{ entity: edgeEntity(edgeId), ptr: '' }],
      isNormalized: op.index !== undefined && op.index !== index,
    },
  );
}

/** Lists the nodes that an edge gains or loses. */
function listRewiredNodes(before: JsonObject, after: JsonObject): string[] {
  const [was, is] = [readEndpoints(before), readEndpoints(after)];
  return was.flatMap((nodeId, at) => (nodeId === is[at] ? [] : [nodeId, is[at] ?? '']));
}

export function updateEdge(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'edge:update' }>,
  context: ReduceContext,
): SingleReduction {
  const { edgeId } = op;
  const edge = draft.edge(edgeId);
  if (edge === undefined) return toRejected('EDGE_NOT_FOUND', edgeId);
  const edited = editEntity(edge, op, draft.work);
  if (edited === null)
    return toRejected('INVALID_PAYLOAD', 'a pointer does not match the edge or is too deep');
  if (sameJson(edited.entity, edge, draft.work)) return NOOP;
  if (edited.entity['id'] !== edgeId) return toRejected('INVALID_PAYLOAD', "an edge's id cannot change");
  const ends = listRewiredNodes(edge, edited.entity);
  if (ends.length > 0) {
    const missing = readEndpoints(edited.entity).find((nodeId) => !isEndpoint(draft, nodeId));
    if (missing !== undefined) return toRejected('EDGE_ENDPOINT_MISSING', missing);
    const locked = ends.find((nodeId) => context.isLocked(nodeId));
    if (locked !== undefined) return { ...toRejected('NODE_LOCKED'), details: { nodeId: locked } };
  }
  draft.edges.put(edgeId, edited.entity);
  const { set, unset } = edited;
  return toApplied(
    { type: 'edge:update', edgeId, set, unset },
    { edgeId, ...toEditBody(edited) },
    {
      touched: [...Object.keys(set), ...unset].map((ptr) => ({ entity: edgeEntity(edgeId), ptr })),
      isNormalized: isNormalized(op, edited),
    },
  );
}

export function deleteEdges(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'edge:delete' }>,
): SingleReduction {
  const edgeIds = [...new Set(op.edgeIds)].filter((edgeId) => draft.edge(edgeId) !== undefined);
  if (edgeIds.length === 0) return NOOP;
  draft.edges.remove(new Set(edgeIds));
  return toApplied(
    { type: 'edge:delete', edgeIds },
    { edgeIds },
    {
      touched: edgeIds.map((edgeId) => ({ entity: edgeEntity(edgeId), ptr: '' })),
      isNormalized: edgeIds.length < op.edgeIds.length,
    },
  );
}
