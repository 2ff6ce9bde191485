/** Where an attempt runs, and how it may end. A Temporal activity is one host, a local activity another. */
import type { HeartbeatPosition } from '../engine.ts';
import type { NodeOutcome, StillRunning } from './protocol.ts';

export interface Host {
  /** How long it waits for an attempt before it leaves it running, in milliseconds; null: to its end. */
  readonly patienceMs: number | null;
  /** Aborts when the host gives the attempt up: the run was cancelled, the process stops, or a heartbeat was lost. */
  readonly signal: AbortSignal;
  /** The host knows that the run was cancelled. */
  cancelRequested(): boolean;
  /** Beats, in the host's own rhythm, until the returned function is called. */
  startHeartbeat(position: () => HeartbeatPosition | null): () => void;
  /** Waits until the host knows of a cancellation that the attempt knows of already; for a bounded time. */
  awaitCancellation(position: () => HeartbeatPosition | null): Promise<void>;
}

/** How an attempt ends. */
export type AttemptEnd<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The node has ended with an error, handled or not: its outcome is written. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly outcome: NodeOutcome;
    }
  /** The attempt has failed, and another one follows after a wait in milliseconds. */
  | { readonly kind: 'retry'; readonly code: string; readonly message: string; readonly delayMs: number }
  /** Nothing was decided: whoever repeats the task goes by the record. */
  | { readonly kind: 'released'; readonly code: string; readonly message: string }
  /** The run was cancelled, and the host asked for it. */
  | { readonly kind: 'cancelled' }
  /** The run has ended. */
  | { readonly kind: 'gone' };

/** The end of an attempt as its host sees it: it may outlive the host's patience. */
export type HostedEnd<Result> =
  | AttemptEnd<Result>
  | { readonly kind: 'running'; readonly running: StillRunning };

export const done = <Result>(result: Result): AttemptEnd<Result> => ({ kind: 'done', result });
