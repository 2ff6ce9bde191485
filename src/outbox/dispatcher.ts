/**
 * Delivers the outbox to Temporal: as soon as it is kicked, and every 500 ms; organizations take turns. Runs in every API
 * and worker process; they share the work by row locks and need no leader. The workers go first, since a start costs them
 * least; an API notifies them, and delivers what none of them has taken a moment later.
 */
import type { Clock, Timer } from '../clock.ts';
import { Batcher } from '../db/batcher.ts';
import type { Db, Sql } from '../db/client.ts';
import { PollLoop } from '../db/poll-loop.ts';
import type { Logger } from '../log.ts';
import { deliverEntry } from './delivery.ts';
import type { OutboxHandler, OutboxHandlers } from './handlers.ts';
import { InFlightStarts } from './in-flight-starts.ts';
import { claimOutbox, countStarts, removeOutbox, type OutboxEntry } from './outbox.ts';
import type { OutboxNotifier } from './outbox-notifier.ts';

const POLL_MS = 500;
/** Pause between looks for runs that began in other processes, while starts wait for capacity. */
const STARTED_CHECK_MS = 25;
/** How often what Temporal was told before is compared with it. */
const CHECK_MS = 15_000;
/**
 * A process that notifies the workers leaves an entry to them for this long: longer than a busy worker takes. Without a
 * worker a start would have no effect anyway.
 */
const WORKER_HEAD_START_MS = 2_000;
const CONCURRENCY = 32;
/** More undelivered starts than this, and new runs are refused: they would fail before their turn. A guess. */
export const MAX_BACKLOG = 10_000;

export interface DispatcherDeps {
  readonly db: Db;
  readonly handlers: OutboxHandlers;
  readonly clock: Clock;
  readonly log: Logger;
  /** Notifies the workers; a process without one delivers by itself. */
  readonly notifier?: Pick<OutboxNotifier, 'notify'>;
  /**
   * For claims and removals, which need not wait for the disk as `db` does: what a crash of PostgreSQL takes back of them
   * is delivered twice.
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
  /** The last claim took all that fits: there may be more. */
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
      failed: (error) => log.warn({ err: error }, 'the outbox could not be read'),
    });
    this.#gauge = new PollLoop({
      everyMs: POLL_MS,
      round: async () => {
        this.#backlog = await countStarts(db, MAX_BACKLOG + 1);
      },
      failed: (error) => log.warn({ err: error }, 'the outbox could not be counted'),
    });
    this.#checks = new PollLoop({
      everyMs: CHECK_MS,
      round: async () => {
        const handlers = Object.values<OutboxHandler>(deps.handlers);
        await Promise.all(handlers.map(async (handler) => handler.check?.()));
      },
      failed: (error) => log.warn({ err: error }, 'what Temporal was told could not be compared with it'),
    });
  }

  /** Whether new runs must be refused, because too many starts waited at the last poll. */
  get isOverloaded(): boolean {
    return this.#backlog > MAX_BACKLOG;
  }

  start(): void {
    for (const loop of [this.#gauge, this.#claims, this.#checks]) loop.start();
  }

  /** Announces a new entry of the outbox. Does not wait. */
  kick(): void {
    const { notifier } = this.#deps;
    if (notifier === undefined) this.#claims.kick();
    else if (!this.#claims.isStopped) notifier.notify(null);
  }

  /** Announces a new start of an organization; it waits its turn while the organization is at its cap. Does not wait. */
  kickStart(organizationId: string): void {
    const { notifier } = this.#deps;
    if (notifier !== undefined) notifier.notify(organizationId);
    else if (this.#starts.hasCapacity(organizationId)) this.#claims.kick();
  }

  /** Notes that a worker has begun a run. Costs nothing for runs that were not started here. */
  noteStarted(runPk: string): void {
    if (this.#starts.remove(runPk)) this.#claims.kick();
  }

  /** Takes no more entries and waits for those under way. */
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
      // Its claim runs out after 10 s, and it is delivered again.
      log.warn({ err: error, kind: entry.kind }, 'a delivered outbox entry could not be removed');
    }
  }

  /** While starts wait for capacity, looks for runs that began elsewhere, and claims when there is some again. */
  #scheduleStartedCheck(): void {
    if (this.#startedTimer !== null || this.#claims.isStopped || !this.#starts.isHoldingBack) return;
    this.#startedTimer = this.#deps.clock.setTimeout(() => void this.#checkStarted(), STARTED_CHECK_MS);
  }

  async #checkStarted(): Promise<void> {
    const { handlers } = this.#deps;
    // A database that does not answer is reported by the claims.
    const started = await handlers.start.findStarted(this.#starts.runPks).catch(() => []);
    this.#startedTimer = null;
    const hasExpired = this.#starts.expire();
    const hasCapacity = started.filter((runPk) => this.#starts.remove(runPk)).length > 0;
    if (hasExpired || hasCapacity) this.#claims.kick();
    else this.#scheduleStartedCheck();
  }
}
