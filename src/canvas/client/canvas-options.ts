/** Options, callbacks and results of `Canvas`. */
import type { ContendedPlace, KeptEdits } from './kept-edits.ts';
import type { CanvasTransport, ClientClock } from './transport.ts';
import type { AppliedOp } from '../room/operations.ts';
import type { UndoStack } from './undo-stack.ts';

export interface CanvasOptions {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  /** One per tab, kept over reloads of the page; opIds begin with it. */
  readonly clientId: string;
  readonly clock: ClientClock;
  /** `Canvas.kept` of this tab before a reload; its operations are sent again under the same opIds. */
  readonly kept?: KeptEdits;
  /** The undo stack of this tab from when the same canvas was open before; without it, a new one. */
  readonly undoStack?: UndoStack;
  /** Called when the document, `unsent` or `unsaved` may have changed. */
  onChange?(): void;
  onStatus?(status: CanvasStatus): void;
  /** Called when an operation of another client was applied; `onChange` follows. */
  onRemote?(op: AppliedOp, byUserId: string): void;
  /** Called when an own edit overwrote values of another client that this one had not seen. */
  onContended?(opId: string, places: readonly ContendedPlace[]): void;
  /** Called when an edit was rejected permanently, or a part of one that was sent as several: the other parts stay. */
  onDropped?(opId: string, code: string, isPart: boolean): void;
  /** Called when the room has left out parts of a batch, with the code of each. */
  onSkipped?(opId: string, codes: readonly string[]): void;
  /** Called when the copy differed from the server's state and was replaced: a bug worth reporting. */
  onDivergence?(facts: { readonly version: number }): void;
  /** Called when another deployment has been made live, or none is any more. */
  onLiveChange?(): void;
  /** Called when the workflow was deleted, access was revoked, or another session of this tab replaced this one. */
  onClosed?(reason: string): void;
  onLockLost?(nodeId: string): void;
}

export type CanvasStatus = 'closed' | 'joining' | 'live';

/** The result of `undo` and `redo`. */
export interface UndoResult {
  /** Null when nothing could be changed. */
  readonly opId: string | null;
  readonly label: string;
  readonly parts: number;
  /** Number of parts that were skipped because a colleague has changed their values since. */
  readonly leftOut: number;
}
