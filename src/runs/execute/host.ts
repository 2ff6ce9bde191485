/** Where an attempt runs, and how it may end. A Temporal activity is one host; the walk of a run can be another. */
import type { HeartbeatPosition } from '../engine.ts';
import type { NodeOutcome } from './protocol.ts';

export interface Host {
  /** 1 for the first delivery of a task; beyond it, the record says what the deliveries before have done. */
  readonly attempt: number;
  /** Aborts when the host gives the attempt up: the run was cancelled, the process stops, or a heartbeat was lost. */
  readonly signal: AbortSignal;
  /** The host knows that the run was cancelled. */
  cancelRequested(): boolean;
  /** Beats, in the host's own rhythm, until the returned function is called. */
  startHeartbeat(position: () => HeartbeatPosition): () => void;
  /** Waits until the host knows of a cancellation that the attempt knows of already; for a bounded time. */
  awaitCancellation(position: () => HeartbeatPosition): Promise<void>;
}

/** Another attempt is to be made. @property delayMs null: as the host waits between attempts */
export interface Retry {
  readonly kind: 'retry';
  readonly code: string;
  readonly message: string;
  readonly delayMs: number | null;
}

export type AttemptEnd<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The node has ended with an error, handled or not: its outcome is written. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly outcome: NodeOutcome;
    }
  | Retry
  /** The run was cancelled, and the host asked for it. */
  | { readonly kind: 'cancelled' };

export const done = <Result>(result: Result): AttemptEnd<Result> => ({ kind: 'done', result });

/** The same end, with another result. */
export function mapResult<From, To>(end: AttemptEnd<From>, map: (result: From) => To): AttemptEnd<To> {
  return end.kind === 'done' ? done(map(end.result)) : end;
}
