/** The host of an attempt, a Temporal activity or local activity, and the ends of an attempt. */
import type { HeartbeatPosition } from '../engine.ts';
import type { NodeOutcome, StillRunning } from './protocol.ts';

export interface Host {
  /** How long it waits for an attempt before it leaves it running, in ms; null: until its end. */
  readonly patienceMs: number | null;
  /** Aborts when the host gives the attempt up: the run was cancelled, the process stops, or a heartbeat was lost. */
  readonly signal: AbortSignal;
  /** Tells whether the host knows that the run was cancelled. Only such a host ends the attempt when it gives it up. */
  cancelRequested(): boolean;
  /** Sends heartbeats until the returned function is called. */
  startHeartbeat(position: () => HeartbeatPosition | null): () => void;
  /** Waits, for a bounded time, until the host knows of a cancellation that the attempt already knows of. */
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
  /** The attempt has failed; another one follows after `delayMs`. */
  | { readonly kind: 'retry'; readonly code: string; readonly message: string; readonly delayMs: number }
  /** Nothing was decided: the next delivery of the task decides by the record. */
  | { readonly kind: 'released'; readonly code: string; readonly message: string }
  /** The run was cancelled, and the host knows it. */
  | { readonly kind: 'cancelled' }
  /** The run has ended. */
  | { readonly kind: 'gone' };

/** The end of an attempt for its host; after `patienceMs` the attempt may continue without it. */
export type HostedEnd<Result> =
  | AttemptEnd<Result>
  | { readonly kind: 'running'; readonly running: StillRunning };

export const done = <Result>(result: Result): AttemptEnd<Result> => ({ kind: 'done', result });
