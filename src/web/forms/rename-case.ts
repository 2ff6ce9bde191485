/** Renaming a case of a condition: the edges that leave by it go along, in the same step. */
import type { CanvasDocument } from '../../canvas/room/document.ts';
import { findElement } from '../../canvas/room/document.ts';
import type { BatchOp, SingleOp } from '../../canvas/room/operations.ts';
import { readHandle, readText } from '../canvas/binding.ts';

interface Rename {
  readonly nodeId: string;
  readonly from: string;
  readonly to: string;
}

/** @param update writes the cases with the new name */
export function renameCase(
  document: CanvasDocument,
  update: SingleOp,
  { nodeId, from, to }: Rename,
): BatchOp {
  const edges = document.edges.order.flatMap((edgeId): SingleOp[] => {
    const edge = findElement(document.edges, edgeId);
    if (edge === undefined || readText(edge, 'source') !== nodeId || readHandle(edge) !== from) return [];
    return [{ type: 'edge:update', edgeId, set: { '/source_handle': to } }];
  });
  return { type: 'batch', ops: [update, ...edges], reason: 'other' };
}
