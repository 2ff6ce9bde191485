/** Options, callbacks and results of `Canvas`. */
import type { ContendedPlace, KeptEdits } from './kept-edits.ts';
import type { CanvasTransport, ClientClock } from './transport.ts';
import type { AppliedOp } from '../room/operations.ts';
import type { PendingOp } from './replica.ts';
import type { UndoStack } from './undo-stack.ts';

export interface CanvasOptions {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  /** Identifies the tab, also after a reload; opIds begin with it. */
  readonly clientId: string;
  readonly clock: ClientClock;
  /** `Canvas.kept` from before a reload of the tab; its operations are sent again under the same opIds. */
  readonly kept?: KeptEdits;
  /** The undo stack of an earlier `Canvas` for this workflow in this tab; by default a new one. */
  readonly undoStack?: UndoStack;
  /** Called when the document, `unsent` or `unsaved` may have changed. */
  onChange?(): void;
  onStatus?(status: CanvasStatus): void;
  /** Called after an operation of another client was applied, before `onChange`. */
  onRemote?(op: AppliedOp, byUserId: string): void;
  /** Called when an own edit overwrote values that another client had set and this one had not seen. */
  onContended?(opId: string, places: readonly ContendedPlace[]): void;
  /** Called when an edit was rejected for good; of one that was split, the other parts stay. */
  onDropped?(dropped: Pick<PendingOp, 'opId' | 'isPart' | 'label'>, code: string): void;
  /** Called when the room applied a batch without some of its parts. @param codes why, one code for each left-out part */
  onSkipped?(opId: string, codes: readonly string[]): void;
  /** Called when the copy differed from the server's state, which only a bug can cause, and is replaced. */
  onDivergence?(facts: { readonly version: number }): void;
  /** Called when another deployment or none became live. */
  onLiveChange?(): void;
  /** Called when the workflow was deleted, access was revoked, or another session of this tab replaced this one. */
  onClosed?(reason: string): void;
  /** Called when a lock ended without a release by this client. */
  onLockLost?(nodeId: string): void;
}

export type CanvasStatus = 'closed' | 'joining' | 'live';

/** The result of `undo` and `redo`. */
export interface UndoResult {
  /** The opId of the sent edit; null when all parts were skipped. */
  readonly opId: string | null;
  readonly label: string;
  readonly parts: number;
  /** Parts that were skipped because a colleague has changed their values since. */
  readonly leftOut: number;
}
