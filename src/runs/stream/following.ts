/** A run that is followed in this process: its streams, and the pulse that they share. */
import type { HeartbeatPosition } from '../engine.ts';
import type { SegmentKey } from '../ledger/segments.ts';
import type { Pulse } from './heartbeats.ts';

/** One open stream. */
export interface Follower {
  /** There may be new events. @param isEnd the terminal frame is among them */
  wake(isEnd?: boolean): void;
  /** The state of the run at a safety poll; null when the run is no longer there. */
  look(run: { readonly lastSeq: number; readonly hasEnded: boolean } | null): void;
  beat(positions: readonly HeartbeatPosition[]): void;
  /** The process stops; the client shall reconnect. */
  leave(): void;
}

/** A run with at least one open stream in this process. */
export interface FollowedRun {
  readonly run: SegmentKey;
  readonly followers: Set<Follower>;
  readonly pulse: Pulse;
}
