/**
 * Wakes the streams of this process when their runs have new events. A woken stream pulls the events after its last one, so a
 * lost notification only delays frames until the safety poll.
 */
import type { Clock } from '../../../base/clock.ts';
import type { RunEngine } from '../engine.ts';
import type { Sql } from '../../../base/db/client.ts';
import { listenTo } from '../../../base/db/listen.ts';
import { EventReader, readProgress } from '../ledger/read/event-reader.ts';
import { parseEventsNotice, RUN_EVENTS_CHANNEL } from '../ledger/write/events.ts';
import type { SegmentKey } from '../ledger/write/segments.ts';
import type { Logger } from '../../../base/log.ts';
import { type Follower, type FollowedRun, HeartbeatPoll, relayHeartbeats } from './heartbeats.ts';
import { StreamSemaphore } from './stream-semaphore.ts';

interface FeedDeps {
  readonly db: Sql;
  /** For the listening connection: LISTEN needs its own session. */
  readonly databaseUrl: string;
  readonly engine: RunEngine;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called for every run with new events, also without a stream. */
  readonly onEvents?: (runPk: string) => void;
}

const POLL_MS = 2_000;
const BEAT_MS = 1_000;

export class RunFeed {
  readonly semaphore = new StreamSemaphore();
  readonly events: EventReader;
  readonly #deps: FeedDeps;
  readonly #followed = new Map<string, FollowedRun>();
  #listener: { close(): Promise<void> } | null = null;
  #timers: NodeJS.Timeout[] = [];
  #polling = false;
  #beating = false;
  #isDraining = false;
  #isStopped = false;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.events = new EventReader(deps.db);
  }

  /** Starts to listen. Does not wait for the connection; the safety poll serves until then. */
  start(): void {
    if (this.#listener !== null) return;
    this.#timers = [
      setInterval(() => void this.#poll(), POLL_MS),
      setInterval(() => void this.#beat(), BEAT_MS),
    ];
    this.#listener = listenTo(this.#deps.databaseUrl, RUN_EVENTS_CHANNEL, {
      onMessage: (message) => {
        const { runPk, isEnd } = parseEventsNotice(message);
        this.#deps.onEvents?.(runPk);
        this.#wake(runPk, isEnd);
      },
      onConnect: () => {
        for (const runPk of this.#followed.keys()) this.#wake(runPk, false);
      },
      onLost: (error) =>
        this.#deps.log.warn({ err: error }, 'the connection that listens for run events was lost'),
    });
  }

  /** The process is about to stop: streams that open now end immediately, and their clients reconnect elsewhere. */
  drain(): void {
    this.#isDraining = true;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Ends all streams of this process and stops listening. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const { followers } of this.#followed.values()) for (const follower of followers) follower.close();
    await this.#listener?.close();
  }

  /** Adds a follower of a run. @returns removes it */
  follow(run: SegmentKey, follower: Follower): () => void {
    const known = this.#followed.get(run.runPk);
    const following = known ?? { run, followers: new Set(), poll: new HeartbeatPoll(this.#deps.clock) };
    this.#followed.set(run.runPk, following);
    following.followers.add(follower);
    // Nothing would wake it: a request that waits for a run would last until the process cuts it.
    if (this.#isStopped) follower.close();
    return () => {
      following.followers.delete(follower);
      if (following.followers.size === 0) this.#followed.delete(run.runPk);
    };
  }

  #wake(runPk: string, isEnd: boolean): void {
    const following = this.#followed.get(runPk);
    if (following === undefined) return;
    following.poll.postpone();
    for (const follower of following.followers) follower.wake(isEnd);
  }

  /** The safety poll: reads the progress of all followed runs in one statement, for streams that missed a notification. */
  async #poll(): Promise<void> {
    if (this.#polling || this.#followed.size === 0) return;
    this.#polling = true;
    const followed = [...this.#followed.values()];
    try {
      const runPks = followed.map(({ run }) => run.runPk);
      const seen = new Map((await readProgress(this.#deps.db, runPks)).map((run) => [run.runPk, run]));
      for (const { run, followers } of followed) {
        for (const follower of followers) follower.checkState(seen.get(run.runPk) ?? null);
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the followed runs could not be read');
    } finally {
      this.#polling = false;
    }
  }

  /** Relays heartbeats of running nodes, with one query per silent run. */
  async #beat(): Promise<void> {
    if (this.#beating || this.#followed.size === 0) return;
    this.#beating = true;
    await relayHeartbeats(this.#deps.engine, [...this.#followed.values()]).finally(() => {
      this.#beating = false;
    });
  }
}
