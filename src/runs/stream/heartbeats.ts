/**
 * The followed runs of this process, and the heartbeats of their node activities, relayed from Temporal. A heartbeat only shows
 * that a node is alive: events come from the ledger, so a missed heartbeat loses nothing.
 */
import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import type { HeartbeatPosition, RunEngine } from '../engine.ts';
import type { SegmentKey } from '../ledger/segments.ts';

/** Events are signs of life themselves: Temporal is not queried about a run that wrote one this recently. */
const SILENCE_MS = 1_000;
/** A run that waits has no news: the pause between queries doubles, up to this. */
const MAX_PAUSE_MS = 8_000;
/** Runs that began together fall silent together; more concurrent queries would delay runs with events. */
const CONCURRENCY = 4;

/** One open stream of a run. */
export interface Follower {
  /** Notes that there may be new events. @param isEnd the terminal frame is among them */
  wake(isEnd?: boolean): void;
  /** Takes the state of the run at a safety poll; null when the run was deleted. */
  look(run: { readonly lastSeq: number; readonly hasEnded: boolean } | null): void;
  /** Takes changed positions of running nodes. */
  beat(positions: readonly HeartbeatPosition[]): void;
  /** Ends the stream because the process stops; the client reconnects elsewhere. */
  leave(): void;
}

/** A run with at least one open stream in this process. */
export interface FollowedRun {
  readonly run: SegmentKey;
  readonly followers: Set<Follower>;
  readonly pulse: Pulse;
}

/** The time of the next query for one run, and the positions that were relayed last. */
export class Pulse {
  readonly #clock: Clock;
  #dueMs = 0;
  #pauseMs = SILENCE_MS;
  #relayed = '[]';

  /** It begins with a rest: most runs end before anybody misses a sign of life. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.rest();
  }

  get isDue(): boolean {
    return this.#dueMs <= this.#clock.monotonic();
  }

  /** Notes an event of the run. */
  rest(): void {
    this.#pauseMs = SILENCE_MS;
    this.#dueMs = this.#clock.monotonic() + SILENCE_MS;
  }

  /** Notes the positions as JSON text; null: they could not be read. @returns whether they are news */
  relay(text: string | null): boolean {
    if (text !== null && text !== this.#relayed) {
      this.#relayed = text;
      this.rest();
      return true;
    }
    this.#dueMs = this.#clock.monotonic() + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    return false;
  }
}

async function relayOne(engine: RunEngine, { run, pulse, followers }: FollowedRun): Promise<void> {
  // An event may have come while the query waited for its turn.
  if (!pulse.isDue) return;
  // Temporal is away, or the execution has not started yet: there is nothing to relay.
  const state = await engine.describe(run).catch(() => null);
  const isNews = pulse.relay(state === null ? null : JSON.stringify(state.heartbeats));
  if (state === null || !isNews || state.heartbeats.length === 0) return;
  for (const follower of followers) follower.beat(state.heartbeats);
}

/** Queries Temporal once for each silent run, and sends changed positions to its listeners. Never throws. */
export async function relayHeartbeats(engine: RunEngine, runs: readonly FollowedRun[]): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const silent = runs.filter(({ pulse }) => pulse.isDue);
  await Promise.all(silent.map((following) => limit(() => relayOne(engine, following))));
}
