/** What reducing an operation says: what was applied in the words of the wire, or why nothing was. */
import type { JsonObject } from '../../graph/value.ts';
import type { CanvasDocument } from './document.ts';
import type { BatchOp, SingleOp } from './operations.ts';
import type { Refusal, RefusalCode } from './rejection.ts';

/** Who may not be overruled: locks. Nothing is locked for replays and clients. */
export interface ReduceContext {
  isLocked(nodeId: string): boolean;
}
export const UNLOCKED: ReduceContext = { isLocked: () => false };

/** A place that an operation wrote: `entity` as `/nodes/<id>`, `ptr` inside it. */
export interface Touched {
  readonly entity: string;
  readonly ptr: string;
}

/** A part that was left out. */
export interface Skipped {
  readonly index: number;
  readonly code: RefusalCode | 'GUARD_FAILED';
}

/** One operation, applied to a draft. */
export interface AppliedSingle {
  readonly outcome: 'applied';
  /** What was applied: replayed elsewhere it does the same, without what was left out. */
  readonly op: SingleOp;
  /** The fields of its broadcast. */
  readonly body: JsonObject;
  readonly touched: readonly Touched[];
  /** Whether `op` differs from what was asked. */
  readonly isNormalized: boolean;
  readonly skipped: readonly Skipped[];
}

export interface Nothing {
  readonly outcome: 'noop';
}

export interface Rejected extends Refusal {
  readonly outcome: 'rejected';
}

export type SingleReduction = AppliedSingle | Nothing | Rejected;

export interface Applied extends Omit<AppliedSingle, 'op'> {
  readonly op: SingleOp | BatchOp;
  readonly document: CanvasDocument;
}

export type Reduction = Applied | (Nothing & { readonly skipped: readonly Skipped[] }) | Rejected;

export const NOTHING: Nothing = { outcome: 'noop' };

export const rejected = (code: RefusalCode, because?: string): Rejected => ({
  outcome: 'rejected',
  code,
  ...(because === undefined ? {} : { because }),
});

/** The usual case: applied as it was asked. */
export function applied(
  op: SingleOp,
  body: JsonObject,
  rest: Pick<AppliedSingle, 'touched'> & Partial<Pick<AppliedSingle, 'isNormalized' | 'skipped'>>,
): AppliedSingle {
  return { outcome: 'applied', op, body, isNormalized: false, skipped: [], ...rest };
}
