/** The result of reducing an operation: applied with its broadcast, a no-op, or rejected. */
import { UNCOUNTED, type JsonObject } from '../../../language/graph/values/value.ts';
import { OPERATION_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import type { CanvasDocument } from './document.ts';
import type { AppliedOp, SingleOp } from './operations.ts';
import type { Rejection, RejectionCode } from './rejection.ts';

/** The locks that an operation must respect, and the work that it may take. */
export interface ReduceContext {
  isLocked(nodeId: string): boolean;
  readonly work: Pick<WorkBudget, 'spend'>;
}
/** For replays and clients: the room alone enforces locks, and limits the work of an operation before it accepts it. */
export const UNLOCKED: ReduceContext = { isLocked: () => false, work: UNCOUNTED };

/** The context of one operation in a room, which limits its work. */
interface RoomContext extends ReduceContext {
  readonly work: WorkBudget;
}

/** Creates the context of one operation in a room. */
export const createRoomContext = (isLocked: ReduceContext['isLocked']): RoomContext => ({
  isLocked,
  work: new WorkBudget(OPERATION_WORK),
});

/** A place that an operation wrote: `entity` as `/nodes/<id>`, `ptr` inside it. */
export interface Touched {
  readonly entity: string;
  readonly ptr: string;
}

/** A part of an operation that was skipped. */
export interface Skipped {
  readonly index: number;
  readonly code: RejectionCode | 'GUARD_FAILED';
}

/** One operation, applied to a draft. */
export interface AppliedSingle {
  readonly outcome: 'applied';
  /** The applied operation without its skipped parts: replaying it gives the same document. */
  readonly op: SingleOp;
  /** The fields of its broadcast. */
  readonly body: JsonObject;
  readonly touched: readonly Touched[];
  /** Whether `op` differs from the sent operation. */
  readonly isNormalized: boolean;
  readonly skipped: readonly Skipped[];
}

interface Noop {
  readonly outcome: 'noop';
}

interface Rejected extends Rejection {
  readonly outcome: 'rejected';
}

export type SingleReduction = AppliedSingle | Noop | Rejected;

export interface Applied extends Omit<AppliedSingle, 'op'> {
  readonly op: AppliedOp;
  readonly document: CanvasDocument;
}

export type Reduction = Applied | (Noop & { readonly skipped: readonly Skipped[] }) | Rejected;

export const NOOP: Noop = { outcome: 'noop' };

export const toRejected = (code: RejectionCode, because?: string): Rejected => ({
  outcome: 'rejected',
  code,
  ...(because === undefined ? {} : { because }),
});

/** Builds a result; not normalized and nothing skipped by default. */
export function toApplied(
  op: SingleOp,
  body: JsonObject,
  rest: Pick<AppliedSingle, 'touched'> & Partial<Pick<AppliedSingle, 'isNormalized' | 'skipped'>>,
): AppliedSingle {
  return { outcome: 'applied', op, body, isNormalized: false, skipped: [], ...rest };
}
