/** Replays accepted operations on a document that was saved externally or loaded after a crash. */
import { countJsonBytes } from '../../../language/graph/definition/definition-size.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { DocumentSizeLimit } from './document-size-limit.ts';
import { DocumentDraft } from './document-draft.ts';
import type { CanvasDocument } from './document.ts';
import type { AppliedOp } from './operations.ts';
import { reduce, reduceSingle } from './reduce.ts';
import { UNLOCKED, type ReduceContext } from './reduction.ts';
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

/** Steps of an operation beside what it copies, and of each byte that is written to measure it. */
const STEPS_PER_OPERATION = 500;
const STEPS_PER_BYTE = 2;
const UNLIMITED = { total: Number.POSITIVE_INFINITY, turn: Number.POSITIVE_INFINITY };

/**
 * Replays operations in order; those that no longer apply are dropped. They share one draft: thousands may be unsaved, and
 * each would otherwise copy a large document. The work is counted for its slices, and not limited: the operations were accepted.
 */
export class Replay<T extends ReplayableOp> {
  readonly #work = new WorkBudget(UNLIMITED);
  readonly #context: ReduceContext = { ...UNLOCKED, work: this.#work };
  readonly #limit: DocumentSizeLimit;
  #draft: DocumentDraft;
  readonly #kept: T[] = [];
  readonly #dropped: DroppedOp[] = [];

  constructor(base: CanvasDocument) {
    this.#draft = new DocumentDraft(base, this.#work);
    this.#limit = new DocumentSizeLimit(base);
  }

  /** Replays what is new in a list until the event loop should have a turn. @returns whether nothing is left of it */
  run(ops: readonly T[]): boolean {
    this.#work.beginTurn();
    for (let at = this.#kept.length + this.#dropped.length; at < ops.length; at += 1) {
      if (this.#work.isTurnOver) return false;
      this.#apply(ops[at] as T);
    }
    return true;
  }

  finish(): ReplayResult<T> {
    return { document: this.#draft.finish(), kept: this.#kept, dropped: this.#dropped };
  }

  #apply(replayed: T): void {
    const { op, opId, userId } = replayed;
    const bytes = countJsonBytes(op as unknown as Json);
    this.#work.spend(STEPS_PER_OPERATION + bytes * STEPS_PER_BYTE);
    const mayGrow = this.#limit.reserve(bytes);
    // A batch and an operation that may exceed the size limit can fail after changing the draft, so each gets its own draft.
    const before = op.type === 'batch' || !mayGrow ? this.#draft.finish() : null;
    const reduction =
      op.type !== 'batch' && before === null
        ? reduceSingle(this.#draft, op, this.#context)
        : reduce(before ?? this.#draft.finish(), op, this.#context);
    const isTooLarge =
      before !== null &&
      !mayGrow &&
      'document' in reduction &&
      !this.#limit.measure({ before, after: reduction.document }, this.#work);
    if (isTooLarge || reduction.outcome === 'rejected') {
      const code = reduction.outcome === 'rejected' ? reduction.code : 'DOC_TOO_LARGE';
      this.#dropped.push({ opId, userId, code });
      if (before !== null) this.#draft = new DocumentDraft(before, this.#work);
      return;
    }
    this.#kept.push(replayed);
    if ('document' in reduction) this.#draft = new DocumentDraft(reduction.document, this.#work);
  }
}
