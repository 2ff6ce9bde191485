/** Accepted operations applied again, on a document that somebody else changed or that was loaded after a crash. */
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
  const kept: T[] = [];
  const dropped: Dropped[] = [];
  for (const replayed of ops) {
    const { op, opId, userId } = replayed;
    // A batch may take its parts back: it has a draft of its own.
    const reduction =
      op.type === 'batch' ? reduce(draft.finish(), op, UNLOCKED) : reduceSingle(draft, op, UNLOCKED);
    if (reduction.outcome === 'rejected') {
      dropped.push({ opId, userId, code: reduction.code });
      continue;
    }
    kept.push(replayed);
    if ('document' in reduction) draft = new DocumentDraft(reduction.document);
  }
  return { document: draft.finish(), kept, dropped };
}
