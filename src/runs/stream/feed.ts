/**
 * Wakes the streams of this process. Nothing is pushed: a stream that is woken pulls what it has not sent yet, so a
 * lost notification costs time (the safety poll), never a frame.
 */
import type { RunEngine } from '../engine.ts';
import type { Sql } from '../../db/client.ts';
import { listenTo } from '../../db/listen.ts';
import { heardEvents, RUN_EVENTS_CHANNEL } from '../ledger/events.ts';
import type { Logger } from '../../log.ts';
import { EventReader } from './event-reader.ts';
import type { Follower, FollowedRun, Following } from './following.ts';
import { beat, newPulse, rest } from './heartbeats.ts';
import { StreamSlots } from './stream-slots.ts';

export interface FeedParts {
  readonly db: Sql;
  /** For the connection that listens: LISTEN needs a session of its own. */
  readonly databaseUrl: string;
  readonly engine: RunEngine;
  readonly log: Logger;
  /** Told of every run that has new events, whether or not anybody follows it. */
  readonly onEvents?: (runPk: string) => void;
}

const POLL_MS = 2_000;
const BEAT_MS = 1_000;

export class RunFeed {
  readonly slots = new StreamSlots();
  readonly events: EventReader;
  readonly #parts: FeedParts;
  readonly #following = new Map<string, Following>();
  #listener: { close(): Promise<void> } | null = null;
  #timers: NodeJS.Timeout[] = [];
  #polling = false;
  #beating = false;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.events = new EventReader(parts.db);
  }

  /** Starts to listen. Does not wait for the database: until it answers, the safety poll serves. */
  start(): void {
    if (this.#listener !== null) return;
    this.#timers = [
      setInterval(() => void this.#poll(), POLL_MS),
      setInterval(() => void this.#beat(), BEAT_MS),
    ];
    this.#listener = listenTo(this.#parts.databaseUrl, RUN_EVENTS_CHANNEL, {
      onMessage: (message) => {
        const { runPk, isEnd } = heardEvents(message);
        this.#parts.onEvents?.(runPk);
        this.#wake(runPk, isEnd);
      },
      onConnect: () => {
        for (const runPk of this.#following.keys()) this.#wake(runPk, false);
      },
      onLost: (error) =>
        this.#parts.log.warn({ err: error }, 'the connection that listens for run events was lost'),
    });
  }

  /** Ends all streams of this process and stops listening. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { followers } of this.#following.values()) for (const follower of followers) follower.leave();
    await this.#listener?.close();
  }

  /** Wakes `follower` on each event of the run, until the returned function is called. */
  follow(run: FollowedRun, follower: Follower): () => void {
    const following = this.#following.get(run.runPk) ?? { run, followers: new Set(), pulse: newPulse() };
    this.#following.set(run.runPk, following);
    following.followers.add(follower);
    return () => {
      following.followers.delete(follower);
      if (following.followers.size === 0) this.#following.delete(run.runPk);
    };
  }

  #wake(runPk: string, isEnd: boolean): void {
    const following = this.#following.get(runPk);
    if (following === undefined) return;
    rest(following.pulse);
    for (const follower of following.followers) follower.wake(isEnd);
  }

  /** One statement for all streams: which runs have events that their streams may not know of. */
  async #poll(): Promise<void> {
    if (this.#polling || this.#following.size === 0) return;
    this.#polling = true;
    const asked = [...this.#following.values()];
    try {
      const rows = await this.#parts.db.query<{ id: string; last_seq: number; has_ended: boolean }>(
        `SELECT id, last_seq, status <> 'running' AS has_ended FROM runs WHERE id = ANY($1::uuid[])`,
        [asked.map(({ run }) => run.runPk)],
      );
      const seen = new Map(rows.map((row) => [row.id, { lastSeq: row.last_seq, hasEnded: row.has_ended }]));
      for (const { run, followers } of asked) {
        for (const follower of followers) follower.look(seen.get(run.runPk) ?? null);
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the followed runs could not be read');
    } finally {
      this.#polling = false;
    }
  }

  /** Signs of life of the nodes at work, asked once per silent run for all its listeners. */
  async #beat(): Promise<void> {
    if (this.#beating || this.#following.size === 0) return;
    this.#beating = true;
    await beat(this.#parts.engine, [...this.#following.values()]).finally(() => {
      this.#beating = false;
    });
  }
}
