/**
 * The followed runs of this process, and the heartbeats of their node activities, relayed from Temporal. A heartbeat only shows
 * that a node is alive: events come from the ledger, so a missed heartbeat loses nothing.
 */
import type { Clock } from '../../../base/clock.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import type { HeartbeatPosition, RunEngine } from '../engine.ts';
import type { SegmentKey } from '../ledger/write/segments.ts';

/** Temporal is not queried about a run that wrote an event this recently. */
const SILENCE_MS = 1_000;
/** Without changes the pause between queries doubles up to this. */
const MAX_PAUSE_MS = 8_000;
/** Concurrent queries: runs that started together fall silent together, and more queries would delay active runs. */
const CONCURRENCY = 4;

/** One open stream of a run. */
export interface Follower {
  /** Notes that there may be new events. @param isEnd the terminal frame is among them */
  wake(isEnd?: boolean): void;
  /** Compares the stream with the stored state of the run, which is polled in case a notification is lost; null: the run was deleted. */
  checkState(run: { readonly lastSeq: number; readonly hasEnded: boolean } | null): void;
  /** Sends the changed positions of running nodes. */
  sendHeartbeat(positions: readonly HeartbeatPosition[]): void;
  /** Ends the stream because the process stops; the client reconnects elsewhere. */
  close(): void;
}

/** A run with at least one open stream in this process. */
export interface FollowedRun {
  readonly run: SegmentKey;
  readonly followers: Set<Follower>;
  readonly poll: HeartbeatPoll;
}

/** The time of the next query for one run, and the positions that were relayed last. */
export class HeartbeatPoll {
  readonly #clock: Clock;
  #dueMs = 0;
  #pauseMs = SILENCE_MS;
  #relayed = '[]';

  /** The first query waits for `SILENCE_MS`: most runs end before. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.postpone();
  }

  get isDue(): boolean {
    return this.#dueMs <= this.#clock.monotonic();
  }

  /** Postpones the next query because the run wrote an event. */
  postpone(): void {
    this.#pauseMs = SILENCE_MS;
    this.#dueMs = this.#clock.monotonic() + SILENCE_MS;
  }

  /** Stores the positions as JSON text; null when they could not be read. @returns whether they changed */
  relay(text: string | null): boolean {
    if (text !== null && text !== this.#relayed) {
      this.#relayed = text;
      this.postpone();
      return true;
    }
    this.#dueMs = this.#clock.monotonic() + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    return false;
  }
}

async function relayOne(engine: RunEngine, { run, poll, followers }: FollowedRun): Promise<void> {
  // The run may have written an event while the query waited for its turn.
  if (!poll.isDue) return;
  // Without an answer (Temporal is unavailable, or the execution has not started) there is nothing to relay.
  const state = await engine.describe(run).catch(() => null);
  const hasChanged = poll.relay(state === null ? null : JSON.stringify(state.heartbeats));
  if (state === null || !hasChanged || state.heartbeats.length === 0) return;
  for (const follower of followers) follower.sendHeartbeat(state.heartbeats);
}

/** Queries Temporal once for each silent run and sends changed positions to its followers. Never throws. */
export async function relayHeartbeats(engine: RunEngine, runs: readonly FollowedRun[]): Promise<void> {
  const queries = new FairSemaphore({ capacity: CONCURRENCY, perOrganization: CONCURRENCY });
  const silent = runs.filter(({ poll }) => poll.isDue);
  await Promise.all(
    silent.map((following) => queries.run(following.run.organizationId, () => relayOne(engine, following))),
  );
}
