/** Renaming a case of a condition: the edges that leave by it go along, in the same step. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { findElement } from '../../../features/canvas/room/document.ts';
import { hashValue } from '../../../features/canvas/room/document-measures.ts';
import type { SubOp } from '../../../features/canvas/room/operations.ts';
import { ownValue } from '../../../language/graph/values/value.ts';
import { readHandle, readText } from '../canvas/binding.ts';

interface Rename {
  readonly nodeId: string;
  readonly from: string;
  readonly to: string;
}

/** Lists the parts that go along with a case of another name; an edge that a colleague has moved to another handle is no such. */
export const renameInEdges = (document: CanvasDocument, { nodeId, from, to }: Rename): SubOp[] =>
  document.edges.order.flatMap((edgeId): SubOp[] => {
    const edge = findElement(document.edges, edgeId);
    if (edge === undefined || readText(edge, 'source') !== nodeId || readHandle(edge) !== from) return [];
    const seen = ownValue(edge, 'source_handle');
    const ptr = '/source_handle';
    const guard = seen === undefined ? { ptr } : { ptr, hash: hashValue(seen) };
    return [{ type: 'edge:update', edgeId, set: { [ptr]: to }, if: guard }];
  });
