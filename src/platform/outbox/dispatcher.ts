/**
 * Delivers outbox entries to Temporal when it is kicked and every 500 ms; organizations take turns. It runs in every API and
 * worker process without a leader: row locks divide the work. Workers come first, because an eager start is cheapest there;
 * an API process notifies them and delivers what no worker has claimed after 2 s.
 */
import type { Clock, Timer } from '../../base/clock.ts';
import { Batcher } from '../../base/db/batcher.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import { PollLoop } from '../../base/db/poll-loop.ts';
import type { Logger } from '../../base/log.ts';
import { deliverEntry } from './delivery.ts';
import {
  type OutboxHandler,
  type OutboxHandlers,
  claimOutbox,
  countStarts,
  removeOutbox,
  type OutboxEntry,
} from './outbox.ts';
import { InFlightStarts } from './in-flight-starts.ts';
import type { OutboxNotifier } from './outbox-notifier.ts';

const POLL_MS = 500;
/** Interval of checks for runs that began in other processes, while starts wait for capacity. */
const STARTED_CHECK_MS = 25;
/** Interval of the handlers' comparisons with Temporal. */
const CHECK_MS = 15_000;
/**
 * An API process leaves an entry to the workers for this long, more than a busy worker needs. Without a worker a start would
 * have no effect anyway.
 */
const WORKER_HEAD_START_MS = 2_000;
const CONCURRENCY = 32;
/** Above this many undelivered starts new runs are refused: they would time out before their turn. A guess. */
export const MAX_BACKLOG = 10_000;

export interface DispatcherDeps {
  readonly db: Db;
  readonly handlers: OutboxHandlers;
  readonly clock: Clock;
  readonly log: Logger;
  /** Notifies the workers; absent in workers, which deliver themselves. */
  readonly notifier?: Pick<OutboxNotifier, 'notify'>;
  /**
   * Connection for claims and removals; may be one that does not wait for the disk, since a removal lost in a crash of
   * PostgreSQL only causes a second delivery. Default: `db`.
   */
  readonly outbox?: Sql;
}

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #outbox: Sql;
  readonly #starts: InFlightStarts;
  readonly #removals: Batcher<number, undefined>;
  readonly #claims: PollLoop;
  readonly #gauge: PollLoop;
  readonly #checks: PollLoop;
  readonly #inFlight = new Set<Promise<void>>();
  #startedTimer: Timer | null = null;
  /** The last claim reached its limit, so more entries may be due. */
  #hasMore = false;
  #backlog = 0;

  constructor(deps: DispatcherDeps) {
    const { db, log } = deps;
    this.#deps = deps;
    const outbox = deps.outbox ?? db;
    this.#outbox = outbox;
    this.#starts = new InFlightStarts(deps.clock);
    this.#removals = new Batcher<number, undefined>({
      maxConcurrent: 1,
      run: async (outboxIds) => {
        await removeOutbox(outbox, outboxIds);
        return outboxIds.map(() => undefined);
      },
    });
    this.#claims = new PollLoop({
      everyMs: POLL_MS,
      round: () => this.#claim(),
      onError: (error) => log.warn({ err: error }, 'the outbox could not be read'),
    });
    this.#gauge = new PollLoop({
      everyMs: POLL_MS,
      round: async () => {
        this.#backlog = await countStarts(db, MAX_BACKLOG + 1);
      },
      onError: (error) => log.warn({ err: error }, 'the outbox could not be counted'),
    });
    this.#checks = new PollLoop({
      everyMs: CHECK_MS,
      round: async () => {
        const handlers = Object.values<OutboxHandler>(deps.handlers);
        await Promise.all(handlers.map(async (handler) => handler.check?.()));
      },
      onError: (error) => log.warn({ err: error }, 'earlier deliveries could not be compared with Temporal'),
    });
  }

  /** True in an API process when too many starts waited at the last poll; new runs must then be refused. */
  get isOverloaded(): boolean {
    return this.#backlog > MAX_BACKLOG;
  }

  start(): void {
    // Only an API process refuses runs.
    if (this.#deps.notifier !== undefined) this.#gauge.start();
    for (const loop of [this.#claims, this.#checks]) loop.start();
  }

  /** Announces a new entry. Does not wait for its delivery. */
  kick(): void {
    const { notifier } = this.#deps;
    if (notifier === undefined) this.#claims.kick();
    else if (!this.#claims.isStopped) notifier.notify(null);
  }

  /** Announces a new start; it stays in the outbox while the organization is at its cap. Does not wait for its delivery. */
  kickStart(organizationId: string): void {
    const { notifier } = this.#deps;
    if (notifier !== undefined) notifier.notify(organizationId);
    else if (this.#starts.hasCapacity(organizationId)) this.#claims.kick();
  }

  /** Notes that a worker has started a run; ignores runs that this process did not deliver. */
  noteStarted(runPk: string): void {
    if (this.#starts.remove(runPk)) this.#claims.kick();
  }

  /** Stops claiming entries and waits for deliveries in progress. */
  async stop(): Promise<void> {
    if (this.#startedTimer !== null) this.#deps.clock.clearTimeout(this.#startedTimer);
    this.#startedTimer = null;
    await Promise.all([this.#gauge, this.#claims, this.#checks].map((loop) => loop.stop()));
    await Promise.all(this.#inFlight);
  }

  async #claim(): Promise<void> {
    const limit = CONCURRENCY - this.#inFlight.size;
    this.#hasMore = limit === 0;
    if (limit === 0) return;
    this.#starts.expire();
    const starts = this.#starts.capacity();
    const headStartMs = this.#deps.notifier === undefined ? 0 : WORKER_HEAD_START_MS;
    const entries = await claimOutbox(this.#outbox, { limit, starts, headStartMs });
    this.#hasMore = entries.length === limit;
    this.#starts.add(
      entries.filter(({ kind }) => kind === 'start'),
      starts,
    );
    for (const entry of entries) {
      const delivery = this.#deliver(entry).finally(() => {
        this.#inFlight.delete(delivery);
        if (this.#hasMore) this.#claims.kick();
      });
      this.#inFlight.add(delivery);
    }
    this.#scheduleStartedCheck();
  }

  async #deliver(entry: OutboxEntry): Promise<void> {
    const { handlers, log } = this.#deps;
    const isDone = await deliverEntry({ outbox: this.#outbox, log }, handlers[entry.kind], entry);
    if (!isDone) {
      if (entry.kind === 'start' && this.#starts.remove(entry.subjectId)) this.#claims.kick();
      return;
    }
    try {
      await this.#removals.add(entry.outboxId);
    } catch (error) {
      // The claim expires after 10 s, and the entry is delivered again.
      log.warn({ err: error, kind: entry.kind }, 'a delivered outbox entry could not be removed');
    }
  }

  /** While starts wait for capacity, checks which runs began in other processes, and claims again when capacity is free. */
  #scheduleStartedCheck(): void {
    if (this.#startedTimer !== null || this.#claims.isStopped || !this.#starts.isHoldingBack) return;
    this.#startedTimer = this.#deps.clock.setTimeout(() => void this.#checkStarted(), STARTED_CHECK_MS);
  }

  async #checkStarted(): Promise<void> {
    const { handlers } = this.#deps;
    // The claims report a database that does not answer.
    const started = await handlers.start.findStarted(this.#starts.runPks).catch(() => []);
    this.#startedTimer = null;
    const hasExpired = this.#starts.expire();
    const hasCapacity = started.filter((runPk) => this.#starts.remove(runPk)).length > 0;
    if (hasExpired || hasCapacity) this.#claims.kick();
    else this.#scheduleStartedCheck();
  }
}
