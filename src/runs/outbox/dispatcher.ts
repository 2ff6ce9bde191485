/**
 * Delivers the outbox to Temporal: at once when kicked, every 500 ms otherwise; organizations take turns. Runs in every
 * API and worker process; they share the work by row locks and need no leader. The workers go first, since a start costs
 * them least; an API tells them, and delivers what none of them has taken a moment later.
 */
import type { RunEngine, RunRef } from '../engine.ts';
import type { AdvanceResult } from '../execute/protocol.ts';
import { TemporalUnavailable, TemporalRejected } from '../../errors.ts';
import type { Db, Sql } from '../../db/client.ts';
import { abandonWork } from '../ledger/cancel.ts';
import { closeRun } from '../ledger/events.ts';
import { addOutbox } from '../ledger/outbox-entry.ts';
import { claimOutbox, countOutbox, parkOutbox, retryOutbox, type OutboxEntry } from './outbox.ts';
import type { Logger } from '../../log.ts';
import { traced } from '../../observe/tracing.ts';
import { AcceptTurns } from '../accept/accept-turns.ts';
import { Delivered } from './delivered.ts';
import type { Doorbell } from './doorbell.ts';
import { STARTS_AHEAD, StartRoom, type Start } from './start-room.ts';

const POLL_MS = 500;
/** While an organization has more to start than it has room: how soon is looked whether some have begun. */
const FULL_POLL_MS = 25;
/**
 * How long what is due is left to the workers, by those who tell them of it: longer than a busy worker takes. Without any
 * worker nothing would come of a start anyway.
 */
const PATIENCE_MS = 2_000;
const CONCURRENCY = 32;
/** "Not started within 15 minutes: failed" (contract). */
export const START_TIMEOUT_SECONDS = 15 * 60;
const MAX_TRIES = 20;
/** More undelivered entries than this, and new runs are refused (contract: a backlog beyond a bound). */
export const MAX_BACKLOG = 10_000;

export interface DispatcherParts {
  readonly db: Db;
  readonly engine: RunEngine;
  readonly log: Logger;
  /** Tells the workers; a process without one delivers at once. */
  readonly doorbell?: Pick<Doorbell, 'ring'>;
  /**
   * For claims and removals, which need not wait for the disk as `db` does: what a crash of PostgreSQL takes back of them
   * is delivered twice.
   */
  readonly outbox?: Sql;
  /** Does a run's first advance, where that can be done (src/runs/execute/advance.ts). */
  readonly begin?: (run: RunRef) => Promise<AdvanceResult>;
}

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #outbox: Sql;
  readonly #room: StartRoom;
  readonly #turns = new AcceptTurns();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #delivered: Delivered;
  #timer: NodeJS.Timeout | undefined;
  /** Who had no room when the outbox was claimed last, and the timer that is set as long as there is anybody. */
  #full: readonly string[] = [];
  #fullTimer: NodeJS.Timeout | null = null;
  #claiming: Promise<void> | null = null;
  #again = false;
  #backlog = 0;
  #stopped = true;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#outbox = parts.outbox ?? parts.db;
    this.#delivered = new Delivered(this.#outbox, parts.log);
    this.#room = new StartRoom(parts.db);
  }

  /** So many entries wait, as of the last poll, that new runs must be refused. */
  get isOverloaded(): boolean {
    return this.#backlog > MAX_BACKLOG;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    const poll = (): void => {
      void this.#measure().finally(() => {
        if (this.#stopped) return;
        this.#claimSoon();
        this.#timer = setTimeout(poll, POLL_MS);
      });
    };
    poll();
  }

  /** Says that the outbox has a new entry. Returns at once. */
  kick(): void {
    const { doorbell } = this.#parts;
    if (doorbell === undefined) this.#claimSoon();
    else if (!this.#stopped) doorbell.ring(null);
  }

  /** Says that the outbox has a new start of an organization. Returns at once; where there is no room it waits its turn. */
  kickStart(organizationId: string): void {
    this.#room.saw(organizationId);
    const { doorbell } = this.#parts;
    if (doorbell !== undefined) doorbell.ring(organizationId);
    else if (this.#fullTimer === null || this.#room.roomOf(organizationId) > 0) this.#claimSoon();
  }

  /** Has an organization's run accepted when it is its turn. Returns or throws what `accept` does. */
  inTurn<T>(organizationId: string, accept: () => Promise<T>): Promise<T> {
    return this.#turns.take(organizationId, accept);
  }

  /** Says that a run has events: who hears of it need not look. Costs nothing for runs that were not started here. */
  hasBegun(runPk: string): void {
    if (this.#room.begun(runPk)) this.#claimIfRoom();
  }

  /** Says that a run was advanced by this process: its organization is at work, and it has begun. */
  hasAdvanced(run: RunRef): void {
    this.#room.saw(run.organizationId);
    this.hasBegun(run.rootRunPk);
  }

  /** Takes no more entries and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#stopLooking();
    await this.#claiming;
    await Promise.all(this.#inFlight);
    await this.#delivered.end();
  }

  async #measure(): Promise<void> {
    try {
      await this.#room.look();
      this.#backlog = await countOutbox(this.#parts.db, MAX_BACKLOG + 1);
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the outbox could not be counted');
    }
  }

  #claimSoon(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = null;
      if (this.#again && this.#inFlight.size < CONCURRENCY) this.#claimSoon();
    });
  }

  async #claim(): Promise<void> {
    const patienceMs = this.#parts.doorbell === undefined ? 0 : PATIENCE_MS;
    while (this.#again && !this.#stopped && this.#inFlight.size < CONCURRENCY) {
      this.#again = false;
      const room = CONCURRENCY - this.#inFlight.size;
      let entries: OutboxEntry[];
      const delivered = this.#delivered.take();
      try {
        const share = { usual: STARTS_AHEAD, ...this.#room.narrow() };
        entries = await claimOutbox(this.#outbox, room, share, { patienceMs, delivered });
      } catch (error) {
        this.#delivered.add(delivered);
        this.#parts.log.warn({ err: error }, 'the outbox could not be read');
        return;
      }
      if (entries.length === room) this.#again = true;
      for (const entry of entries)
        this.#launch(entry, entry.kind === 'start' ? this.#room.claim(entry) : null);
    }
    this.#full = this.#room.full();
    if (this.#full.length > 0) this.#lookAgain();
  }

  /** Looks whether runs have begun, and claims again once there is room that there was not. */
  #lookAgain(): void {
    if (this.#stopped || this.#fullTimer !== null) return;
    const waitMs = Math.min(FULL_POLL_MS, this.#room.restsForMs);
    this.#fullTimer = setTimeout(() => {
      if (this.#hasRoomAgain) this.#claimIfRoom();
      else
        this.#room.look().then(
          () => this.#claimIfRoom(),
          // The poll looks again, and says what is wrong.
          () => this.#stopLooking(),
        );
    }, waitMs);
  }

  get #hasRoomAgain(): boolean {
    return this.#full.some((organizationId) => this.#room.roomOf(organizationId) > 0);
  }

  #claimIfRoom(): void {
    if (this.#fullTimer === null) return;
    this.#stopLooking();
    if (this.#hasRoomAgain) this.#claimSoon();
    else this.#lookAgain();
  }

  #stopLooking(): void {
    if (this.#fullTimer !== null) clearTimeout(this.#fullTimer);
    this.#fullTimer = null;
  }

  #launch(entry: OutboxEntry, start: Start | null): void {
    const work = this.#deliver(entry, start).finally(() => {
      this.#inFlight.delete(work);
      if (this.#again) this.#claimSoon();
    });
    this.#inFlight.add(work);
  }

  async #deliver(entry: OutboxEntry, start: Start | null): Promise<void> {
    try {
      const plan = {
        name: `outbox ${entry.kind}`,
        kind: 'producer',
        traceparent: entry.traceparent,
        attributes: { 'app.run_pk': entry.runPk },
      } as const;
      await traced(plan, () => this.#tell(entry));
      if (start !== null && this.#room.delivered(start)) this.#claimIfRoom();
      this.#delivered.add([entry.outboxId]);
    } catch (error) {
      if (start !== null) this.#room.leave(start);
      await this.#failed(entry, error).catch((cause: unknown) => {
        // The claim runs out after 10 s; the entry is tried again then.
        this.#parts.log.warn({ err: cause, run_pk: entry.runPk }, 'an outbox entry could not be put back');
      });
    }
  }

  async #tell(entry: OutboxEntry): Promise<void> {
    const { engine } = this.#parts;
    switch (entry.kind) {
      case 'start':
        await this.#start(entry);
        return;
      case 'resume':
        if (!(await engine.resume(entry.run))) await this.#nothingToResume(entry);
        return;
      case 'cancel':
        await engine.cancel(entry.run);
        return;
    }
  }

  async #start(entry: OutboxEntry): Promise<void> {
    if (!entry.restsSinceFirst) {
      // Cancelled before it was started, or deleted: there is nothing to start.
      if (entry.runStatus !== 'running') return;
      // Started before, by a delivery whose removal was lost. Never again: beyond Temporal's retention of closed
      // executions the workflow id no longer protects.
      if (entry.hasBegun) return;
      if (entry.ageSeconds > START_TIMEOUT_SECONDS) {
        await this.#giveUp(entry, 'start_timeout', 'The run could not be started within 15 minutes');
        return;
      }
    }
    await this.#parts.engine.start(entry.run, await this.#begin(entry));
  }

  /** What can be done of a run before its execution is there; null: the execution does it, with all the time it takes. */
  async #begin({ run, tries }: OutboxEntry): Promise<AdvanceResult | null> {
    const { begin, log } = this.#parts;
    // The delivery before may have been lost with its process: nothing is done twice that may have been the cause.
    if (tries > 1) return null;
    try {
      return (await begin?.(run)) ?? null;
    } catch (error) {
      log.warn({ err: error, run_pk: run.rootRunPk }, 'a run could not be begun before its start');
      return null;
    }
  }

  async #failed(entry: OutboxEntry, error: unknown): Promise<void> {
    const { log } = this.#parts;
    const message = error instanceof Error ? error.message : String(error);
    const fields = { err: error, kind: entry.kind, run_pk: entry.runPk, tries: entry.tries };
    if (error instanceof TemporalRejected && entry.kind === 'start') {
      log.error(fields, 'Temporal refused to start a run');
      await this.#giveUp(entry, 'start_refused', 'The run could not be started');
      this.#delivered.add([entry.outboxId]);
    } else if (
      entry.tries >= MAX_TRIES &&
      entry.ageSeconds > START_TIMEOUT_SECONDS &&
      // Who is asked, has answered or has cancelled has a run: Temporal hears of it whenever it is there again.
      !entry.restsSinceFirst &&
      !(error instanceof TemporalUnavailable)
    ) {
      log.error(fields, 'an outbox entry was given up and parked');
      await parkOutbox(this.#outbox, entry.outboxId, message);
    } else {
      log.warn(fields, 'an outbox entry was not delivered, trying again');
      await retryOutbox(this.#outbox, entry.outboxId, message);
    }
  }

  /** Ends a run that never started. A late start by a lost answer is cancelled behind it. */
  async #giveUp(entry: OutboxEntry, code: string, message: string): Promise<void> {
    const { organizationId, rootRunPk } = entry.run;
    await this.#parts.db.transaction(async (tx) => {
      const error = { code, message, node_id: null };
      const closed = await closeRun(tx, {
        runPk: entry.runPk,
        from: ['running'],
        status: 'failed',
        payload: { error },
        error,
      });
      if (closed) await addOutbox(tx, { kind: 'cancel', organizationId, runPk: entry.runPk, rootRunPk });
    });
  }

  /** The execution ended (or was removed) before the answer reached it. */
  async #nothingToResume(entry: OutboxEntry): Promise<void> {
    const reason = 'The execution that asked is no longer there';
    await this.#parts.db.transaction(async (tx) => {
      const payload = { reason };
      if (
        await closeRun(tx, { runPk: entry.runPk, from: ['running'], status: 'cancelled', payload, reason })
      ) {
        await abandonWork(tx, [entry.run.rootRunPk], 'cancelled');
      }
    });
  }
}
