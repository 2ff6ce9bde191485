/** What a canvas takes, and what it tells whoever opened it. */
import type { ContendedPlace, KeptEdits } from './kept-edits.ts';
import type { CanvasTransport, ClientClock } from './transport.ts';

export interface CanvasOptions {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  /** One per tab, kept over reloads of the page; opIds begin with it. */
  readonly clientId: string;
  readonly clock: ClientClock;
  /** What `kept` said in this tab before the page was loaded again: sent once more under the same opIds. */
  readonly kept?: KeptEdits;
  /** The document, or what is unsent or unsaved of it, may be another. */
  onChange?(): void;
  onStatus?(status: CanvasStatus): void;
  /** An own edit went over values that somebody else had written and this client had not seen. */
  onContended?(opId: string, places: readonly ContendedPlace[]): void;
  /** An edit that will not happen: refused for good, or overtaken by a save from outside. */
  onDropped?(opId: string, code: string): void;
  /** The copy differed from the server's state; it was replaced. Worth a report. */
  onDivergence?(facts: { readonly version: number }): void;
  /** The workflow is deleted, access was revoked, or another tab took over. */
  onClosed?(reason: string): void;
  onLockLost?(nodeId: string): void;
}

export type CanvasStatus = 'closed' | 'joining' | 'live';

/** What taking back or making again has done. */
export interface Retracted {
  /** Null when nothing could be taken back. */
  readonly opId: string | null;
  readonly label: string;
  readonly parts: number;
  /** Parts that stay as they are: a colleague has changed what they would overwrite. */
  readonly leftOut: number;
}
