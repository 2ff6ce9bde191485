/** Accepted operations applied again, on a document that somebody else changed or that was loaded after a crash. */
import type { CanvasDocument } from './document.ts';
import type { DurableOp } from './operations.ts';
import { reduce } from './reduce.ts';
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

/** Applies operations in their order; what cannot be applied is left out and named. */
export function replay<T extends Replayable>(base: CanvasDocument, ops: readonly T[]): Replayed<T> {
  let document = base;
  const kept: T[] = [];
  const dropped: Dropped[] = [];
  for (const op of ops) {
    const reduction = reduce(document, op.op, UNLOCKED);
    if (reduction.outcome === 'rejected') {
      dropped.push({ opId: op.opId, userId: op.userId, code: reduction.code });
      continue;
    }
    kept.push(op);
    if (reduction.outcome === 'applied') document = reduction.document;
  }
  return { document, kept, dropped };
}
