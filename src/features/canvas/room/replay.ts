/** Replays accepted operations on a document that was saved externally or loaded after a crash. */
import { countJsonBytes } from '../../../language/graph/definition/definition-size.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { DocumentSizeLimit } from './document-size-limit.ts';
import { DocumentDraft } from './document-draft.ts';
import type { CanvasDocument } from './document.ts';
import type { AppliedOp } from './operations.ts';
import { reduce, reduceSingle } from './reduce.ts';
import { UNLOCKED } from './reduction.ts';
import type { RejectionCode } from './rejection.ts';

/** An accepted operation; its values win over those of the document. */
export interface ReplayableOp {
  readonly opId: string;
  readonly userId: string;
  readonly op: AppliedOp;
}

export interface DroppedOp {
  readonly opId: string;
  readonly userId: string;
  readonly code: RejectionCode;
}

export interface ReplayResult<T extends ReplayableOp> {
  readonly document: CanvasDocument;
  readonly kept: readonly T[];
  /** Operations that no longer apply. */
  readonly dropped: readonly DroppedOp[];
}

/**
 * Replays operations in order; those that no longer apply are dropped. They share one draft: thousands may be unsaved, and
 * each would otherwise copy a large document.
 */
export function replay<T extends ReplayableOp>(base: CanvasDocument, ops: readonly T[]): ReplayResult<T> {
  let draft = new DocumentDraft(base, UNLOCKED.work);
  const bound = new DocumentSizeLimit(base);
  const kept: T[] = [];
  const dropped: DroppedOp[] = [];
  for (const replayed of ops) {
    const { op, opId, userId } = replayed;
    const mayGrow = bound.reserve(countJsonBytes(op as unknown as Json));
    // A batch and an operation that may exceed the size limit can fail after changing the draft, so each gets its own draft.
    const before = op.type === 'batch' || !mayGrow ? draft.finish() : null;
    const reduction =
      op.type !== 'batch' && before === null
        ? reduceSingle(draft, op, UNLOCKED)
        : reduce(before ?? draft.finish(), op, UNLOCKED);
    const isTooLarge =
      before !== null && !mayGrow && 'document' in reduction && !bound.measure(before, reduction.document);
    if (isTooLarge || reduction.outcome === 'rejected') {
      dropped.push({
        opId,
        userId,
        code: reduction.outcome === 'rejected' ? reduction.code : 'DOC_TOO_LARGE',
      });
      if (before !== null) draft = new DocumentDraft(before, UNLOCKED.work);
      continue;
    }
    kept.push(replayed);
    if ('document' in reduction) draft = new DocumentDraft(reduction.document, UNLOCKED.work);
  }
  return { document: draft.finish(), kept, dropped };
}
