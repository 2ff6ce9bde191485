/** Accepted operations applied again, on a document that somebody else changed or that was loaded after a crash. */
import { jsonBytes } from '../../graph/definition-size.ts';
import type { Json } from '../../graph/value.ts';
import { DocumentBound } from './document-bound.ts';
import { DocumentDraft } from './document-draft.ts';
import type { CanvasDocument } from './document.ts';
import type { DurableOp } from './operations.ts';
import { reduce, reduceSingle } from './reduce.ts';
import { UNLOCKED } from './reduction.ts';
import type { RefusalCode } from './rejection.ts';

/** An operation that was applied before; its values win over what is there now. */
export interface Replayable {
  readonly opId: string;
  readonly userId: string;
  readonly op: DurableOp;
}

export interface Dropped {
  readonly opId: string;
  readonly userId: string;
  readonly code: RefusalCode;
}

export interface Replayed<T extends Replayable> {
  readonly document: CanvasDocument;
  readonly kept: readonly T[];
  /** Those that have nothing to apply to any more. */
  readonly dropped: readonly Dropped[];
}

/**
 * Applies operations in their order; what cannot be applied is left out and named. All of them on one draft, because a
 * large document would else be copied for each: thousands may wait when somebody else saves.
 */
export function replay<T extends Replayable>(base: CanvasDocument, ops: readonly T[]): Replayed<T> {
  let draft = new DocumentDraft(base);
  const bound = new DocumentBound(base);
  const kept: T[] = [];
  const dropped: Dropped[] = [];
  for (const replayed of ops) {
    const { op, opId, userId } = replayed;
    const mayGrow = bound.mayGrow(jsonBytes(op as unknown as Json));
    // A batch may take its parts back, and an operation that makes the document too large is taken back: each has a draft of
    // its own.
    const before = op.type === 'batch' || !mayGrow ? draft.finish() : null;
    const reduction =
      op.type !== 'batch' && before === null
        ? reduceSingle(draft, op, UNLOCKED)
        : reduce(before ?? draft.finish(), op, UNLOCKED);
    const isTooLarge =
      before !== null && !mayGrow && 'document' in reduction && !bound.permits(before, reduction.document);
    if (isTooLarge || reduction.outcome === 'rejected') {
      dropped.push({
        opId,
        userId,
        code: reduction.outcome === 'rejected' ? reduction.code : 'DOC_TOO_LARGE',
      });
      if (before !== null) draft = new DocumentDraft(before);
      continue;
    }
    kept.push(replayed);
    if ('document' in reduction) draft = new DocumentDraft(reduction.document);
  }
  return { document: draft.finish(), kept, dropped };
}
