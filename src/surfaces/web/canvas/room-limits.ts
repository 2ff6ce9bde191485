/** The room's limits of a workflow, checked before an edit of many parts: the room would apply those that fit, and skip the rest. */
import { documentSize } from '../../../features/canvas/room/document-measures.ts';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp } from '../../../features/canvas/room/operations.ts';
import { reduce } from '../../../features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../features/canvas/room/reduction.ts';
import { MAX_DEFINITION_BYTES } from '../../../language/graph/definition/definition-size.ts';

/** Whether the room would skip or reject parts of the batch because of too many nodes, edges or bytes. */
export function exceedsRoom(view: CanvasDocument, batch: BatchOp): boolean {
  const reduction = reduce(view, batch, UNLOCKED);
  if (reduction.outcome === 'rejected') return reduction.code === 'DOC_TOO_LARGE';
  if (reduction.skipped.some(({ code }) => code === 'DOC_TOO_LARGE')) return true;
  if (reduction.outcome === 'noop') return false;
  const bytes = documentSize(reduction.document);
  return bytes > MAX_DEFINITION_BYTES && bytes > documentSize(view);
}
