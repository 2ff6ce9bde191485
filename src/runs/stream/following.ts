/** Who follows which run: what the feed of this process and the relay of heartbeats share. */
import type { HeartbeatPosition } from '../engine.ts';

/** One open stream. */
export interface Follower {
  /** There may be new events. @param isEnd the terminal frame is among them */
  wake(isEnd?: boolean): void;
  /** What the safety poll saw; null when the run is no longer there. */
  look(run: { readonly lastSeq: number; readonly hasEnded: boolean } | null): void;
  beat(positions: readonly HeartbeatPosition[]): void;
  /** The process is going away; the client shall come again. */
  leave(): void;
}

export interface FollowedRun {
  readonly organizationId: string;
  readonly runPk: string;
  readonly rootRunPk: string;
  readonly createdAt: Date;
}

/** What is remembered of the signs of life of a run. */
export interface Pulse {
  /** When to ask for them next, by performance.now(). */
  dueMs: number;
  pauseMs: number;
  /** The positions sent last, as text. */
  said: string;
}

/** A run with at least one open stream in this process. */
export interface Following {
  readonly run: FollowedRun;
  readonly followers: Set<Follower>;
  readonly pulse: Pulse;
}
