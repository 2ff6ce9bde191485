/**
 * Delivers the outbox to Temporal: as soon as it is kicked, and every 500 ms; organizations take turns. Runs in every API
 * and worker process; they share the work by row locks and need no leader. The workers go first, since a start costs them
 * least; an API notifies them, and delivers what none of them has taken a moment later.
 */
import type { Db, Sql } from '../../db/client.ts';
import { PollLoop } from '../../db/poll-loop.ts';
import type { Logger } from '../../log.ts';
import type { RunEngine, RunRef } from '../engine.ts';
import { Delivered } from './delivered.ts';
import { Delivery } from './delivery.ts';
import { InFlightStarts } from './in-flight-starts.ts';
import { claimOn, claimOutbox, countOutbox, type OutboxEntry } from './outbox.ts';
import type { OutboxNotifier } from './outbox-notifier.ts';

const POLL_MS = 500;
/** Pause between looks for runs that began in other processes, while an organization is at its cap. */
const FULL_POLL_MS = 25;
/**
 * A process that notifies the workers leaves an entry to them for this long: longer than a busy worker takes. Without a
 * worker a start would have no effect anyway.
 */
const PATIENCE_MS = 2_000;
const CONCURRENCY = 32;
/** With so many deliveries under way no more runs call nodes before their starts: a worker has as many local activities. */
/** Entries that are under way for so long are claimed on; a claim lasts 10 s. */
const CLAIM_ON_MS = 3_000;
/** More undelivered entries than this, and new runs are refused: they would fail before their turn. A guess. */
export const MAX_BACKLOG = 10_000;

export interface DispatcherDeps {
  readonly db: Db;
  readonly engine: RunEngine;
  readonly log: Logger;
  /** Notifies the workers; a process without one delivers by itself. */
  readonly notifier?: Pick<OutboxNotifier, 'notify'>;
  /**
   * For claims and removals, which need not wait for the disk as `db` does: what a crash of PostgreSQL takes back of them
   * is delivered twice.
   */
  readonly outbox?: Sql;
}

/** The delivery of an entry. */
interface Delivering {
  readonly outboxId: number;
  readonly sinceMs: number;
  /** Its run waits for calls. */
  isCalling: boolean;
}

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #outbox: Sql;
  readonly #delivery: Delivery;
  readonly #delivered: Delivered;
  readonly #starts: InFlightStarts;
  readonly #claims: PollLoop;
  readonly #gauge: PollLoop;
  readonly #claimsOn: PollLoop;
  readonly #inFlight = new Map<Delivering, Promise<void>>();
  #calling = 0;
  #lookTimer: NodeJS.Timeout | null = null;
  /** The last claim took all that fits: there may be more. */
  #hasMore = false;
  #backlog = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#outbox = deps.outbox ?? deps.db;
    this.#delivery = new Delivery({ ...deps, outbox: this.#outbox });
    this.#delivered = new Delivered(this.#outbox, deps.log);
    this.#starts = new InFlightStarts(deps.db);
    this.#claims = new PollLoop({
      everyMs: POLL_MS,
      round: () => this.#claim(),
      failed: (error) => deps.log.warn({ err: error }, 'the outbox could not be read'),
    });
    this.#claimsOn = new PollLoop({
      everyMs: CLAIM_ON_MS,
      round: () => this.#claimOn(),
      failed: (error) => deps.log.warn({ err: error }, 'outbox entries could not be claimed on'),
    });
    this.#gauge = new PollLoop({
      everyMs: POLL_MS,
      round: async () => {
        this.#backlog = await countOutbox(deps.db, MAX_BACKLOG + 1);
      },
      failed: (error) => deps.log.warn({ err: error }, 'the outbox could not be counted'),
    });
  }

  /** Whether new runs must be refused, because too many entries waited at the last poll. */
  get isOverloaded(): boolean {
    return this.#backlog > MAX_BACKLOG;
  }

  start(): void {
    this.#gauge.start();
    this.#claims.start();
    this.#claimsOn.start();
  }

  /** Announces a new entry of the outbox. Does not wait. */
  kick(): void {
    const { notifier } = this.#deps;
    if (notifier === undefined) this.#claims.kick();
    else if (!this.#claims.isStopped) notifier.notify(null);
  }

  /** Announces a new start of an organization; it waits its turn while the organization is at its cap. Does not wait. */
  kickStart(organizationId: string): void {
    this.#starts.saw(organizationId);
    const { notifier } = this.#deps;
    if (notifier !== undefined) notifier.notify(organizationId);
    else if (this.#starts.hasRoom(organizationId)) this.#claims.kick();
  }

  /** Notes that a run has events. Costs nothing for runs that were not started here. */
  hasBegun(runPk: string): void {
    if (this.#starts.begun(runPk)) this.#claims.kick();
  }

  /** Notes that this process advanced a run: its organization is at work, and it has begun. */
  hasAdvanced(run: RunRef): void {
    this.#starts.saw(run.organizationId);
    this.hasBegun(run.rootRunPk);
  }

  /** Takes no more entries and waits for those under way. */
  async stop(): Promise<void> {
    if (this.#lookTimer !== null) clearTimeout(this.#lookTimer);
    await Promise.all([this.#gauge.stop(), this.#claims.stop()]);
    await Promise.all(this.#inFlight.values());
    await this.#claimsOn.stop();
    await this.#delivered.end();
  }

  async #claim(): Promise<void> {
    const limit = CONCURRENCY - (this.#inFlight.size - this.#calling);
    this.#hasMore = limit === 0;
    if (limit === 0) return;
    const patienceMs = this.#deps.notifier === undefined ? 0 : PATIENCE_MS;
    const delivered = this.#delivered.take();
    let entries: OutboxEntry[];
    try {
      const room = this.#starts.room();
      entries = await claimOutbox(this.#outbox, { limit, room, patienceMs, delivered });
    } catch (error) {
      this.#delivered.add(delivered);
      throw error;
    }
    this.#hasMore = entries.length === limit;
    for (const entry of entries) {
      if (entry.kind === 'start') this.#starts.add(entry.run.organizationId, entry.runPk, entry.due);
      const delivering = { outboxId: entry.outboxId, sinceMs: performance.now(), isCalling: false };
      this.#inFlight.set(delivering, this.#deliver(entry, delivering));
    }
    this.#lookSoon();
  }

  async #deliver(entry: OutboxEntry, delivering: Delivering): Promise<void> {
    const outcome = await this.#delivery.deliver(entry);
    this.#inFlight.delete(delivering);
    if (delivering.isCalling) this.#calling -= 1;
    if (outcome !== 'delivered') this.#starts.remove(entry.runPk);
    else if (this.#starts.delivered(entry.runPk)) this.#claims.kick();
    if (outcome !== 'put_back') this.#delivered.add([entry.outboxId]);
    if (this.#hasMore) this.#claims.kick();
  }

  async #claimOn(): Promise<void> {
    const sinceMs = performance.now() - CLAIM_ON_MS;
    const late = [...this.#inFlight.keys()].filter((delivering) => delivering.sinceMs < sinceMs);
    if (late.length > 0)
      await claimOn(
        this.#outbox,
        late.map(({ outboxId }) => outboxId),
      );
  }

  /** While an organization is at its cap, looks for runs that began, and claims when there is room again. */
  #lookSoon(): void {
    if (this.#lookTimer !== null || this.#claims.isStopped || !this.#starts.isFull) return;
    this.#lookTimer = setTimeout(() => {
      // A database that does not answer is reported by the claims.
      const looked = this.#starts.look().catch(() => false);
      void looked.then((hasRoom) => {
        this.#lookTimer = null;
        if (hasRoom || !this.#starts.isFull) this.#claims.kick();
        else this.#lookSoon();
      });
    }, FULL_POLL_MS);
  }
}
