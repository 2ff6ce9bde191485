/** Operations on edges. Their ends must be nodes that exist, or the virtual start and end. */
import { END, START } from '../../graph/definition.ts';
import { ownValue, sameJson, type JsonObject } from '../../graph/value.ts';
import type { DocumentDraft } from './document-draft.ts';
import { editEntity } from './edit-entity.ts';
import type { SingleOp } from './operations.ts';
import { formatPointer } from '../../graph/pointer.ts';
import { editBody, idOf, isRewritten, placeFor } from './reduce-nodes.ts';
import { applied, NOTHING, rejected, type ReduceContext, type SingleReduction } from './reduction.ts';

/** Limit of one document. */
const MAX_EDGES = 5_000;

const edgeEntity = (edgeId: string): string => formatPointer(['edges', edgeId]);

const endsOf = (edge: JsonObject): string[] =>
  ['source', 'target'].map((end) => {
    const nodeId = ownValue(edge, end);
    return typeof nodeId === 'string' ? nodeId : '';
  });

const isEnd = (draft: DocumentDraft, nodeId: string): boolean =>
  nodeId === START || nodeId === END || draft.node(nodeId) !== undefined;

export function addEdge(draft: DocumentDraft, op: Extract<SingleOp, { type: 'edge:add' }>): SingleReduction {
  const edgeId = idOf(op.edge);
  const present = draft.edge(edgeId);
  if (present !== undefined) return sameJson(present, op.edge) ? NOTHING : rejected('EDGE_EXISTS');
  const missing = endsOf(op.edge).find((nodeId) => !isEnd(draft, nodeId));
  if (missing !== undefined) return rejected('EDGE_ENDPOINT_MISSING', missing);
  if (draft.edges.size >= MAX_EDGES) return rejected('DOC_TOO_LARGE', `${MAX_EDGES} edges`);
  const index = placeFor(op.index, draft.edges.size);
  draft.edges.insert(edgeId, op.edge, index);
  return applied(
    { type: 'edge:add', edge: op.edge, index },
    { edge: op.edge, index },
    {
      touched: [{ entity: edgeEntity(edgeId), ptr: '' }],
      isNormalized: op.index !== undefined && op.index !== index,
    },
  );
}

/** The nodes that an edge gets or loses. */
function rewired(before: JsonObject, after: JsonObject): string[] {
  const [was, is] = [endsOf(before), endsOf(after)];
  return was.flatMap((nodeId, at) => (nodeId === is[at] ? [] : [nodeId, is[at] ?? '']));
}

export function updateEdge(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'edge:update' }>,
  context: ReduceContext,
): SingleReduction {
  const { edgeId } = op;
  const edge = draft.edge(edgeId);
  if (edge === undefined) return rejected('EDGE_NOT_FOUND', edgeId);
  const done = editEntity(edge, op);
  if (done === null) return rejected('INVALID_PAYLOAD', 'a pointer does not fit, or leads too deep');
  if (sameJson(done.entity, edge)) return NOTHING;
  if (done.entity['id'] !== edgeId) return rejected('INVALID_PAYLOAD', "an edge's id cannot change");
  const ends = rewired(edge, done.entity);
  if (ends.length > 0) {
    const missing = endsOf(done.entity).find((nodeId) => !isEnd(draft, nodeId));
    if (missing !== undefined) return rejected('EDGE_ENDPOINT_MISSING', missing);
    const locked = ends.find((nodeId) => context.isLocked(nodeId));
    if (locked !== undefined) return { ...rejected('NODE_LOCKED'), details: { nodeId: locked } };
  }
  draft.edges.put(edgeId, done.entity);
  const { set, unset } = done;
  return applied(
    { type: 'edge:update', edgeId, set, unset },
    { edgeId, ...editBody(done) },
    {
      touched: [...Object.keys(set), ...unset].map((ptr) => ({ entity: edgeEntity(edgeId), ptr })),
      isNormalized: isRewritten(op, done),
    },
  );
}

export function deleteEdges(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'edge:delete' }>,
): SingleReduction {
  const edgeIds = [...new Set(op.edgeIds)].filter((edgeId) => draft.edge(edgeId) !== undefined);
  if (edgeIds.length === 0) return NOTHING;
  draft.edges.remove(new Set(edgeIds));
  return applied(
    { type: 'edge:delete', edgeIds },
    { edgeIds },
    {
      touched: edgeIds.map((edgeId) => ({ entity: edgeEntity(edgeId), ptr: '' })),
      isNormalized: edgeIds.length < op.edgeIds.length,
    },
  );
}
