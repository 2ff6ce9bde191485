/** Who follows a run in this process: the streams, and the run that they share. */
import type { HeartbeatPosition } from '../engine.ts';
import type { Pulse } from './pulse.ts';

/** One open stream. */
export interface Follower {
  /** There may be new events. @param isEnd the terminal frame is among them */
  wake(isEnd?: boolean): void;
  /** The state of the run at a safety poll; null when the run is no longer there. */
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

/** A run with at least one open stream in this process. */
export interface Following {
  readonly run: FollowedRun;
  readonly followers: Set<Follower>;
  readonly pulse: Pulse;
}
