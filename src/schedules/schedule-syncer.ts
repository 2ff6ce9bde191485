/**
 * Keeps Temporal's Schedules in step with the rows of `schedules`: delivers what changed, and compares what did not,
 * so that one that was lost or changed by hand is put right. Runs everywhere; the database shares out the work.
 */
import type { ScheduleEngine } from './schedule-engine.ts';
import { TemporalRejected } from '../errors.ts';
import type { Db } from '../db/client.ts';
import {
  claimSchedules,
  claimUnchecked,
  disableRefused,
  readOrder,
  removeTold,
  retryTold,
  tellOfSchedule,
  type ToldSchedule,
} from './schedule-outbox.ts';
import type { Logger } from '../log.ts';
import { PollLoop } from '../db/poll-loop.ts';

const POLL_MS = 1_000;
const BATCH = 16;
/** Each schedule is compared with Temporal this often. */
const CHECK_SECONDS = 300;
const ROUNDS_PER_CHECK = 15;

export interface ScheduleSyncerDeps {
  readonly db: Db;
  readonly engine: ScheduleEngine;
  readonly log: Logger;
}

export class ScheduleSyncer {
  readonly #deps: ScheduleSyncerDeps;
  readonly #loop: PollLoop;

  constructor(deps: ScheduleSyncerDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: (count) => this.#round(count),
      failed: (error) => deps.log.warn({ err: error }, 'schedules could not be read'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Says that a schedule has changed. Returns at once. */
  kick(): void {
    this.#loop.kick();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(count: number): Promise<void> {
    if (count % ROUNDS_PER_CHECK === 0) await this.check(CHECK_SECONDS);
    while ((await this.deliver()) === BATCH && !this.#loop.isStopped);
  }

  /** Delivers one batch of what is due. @returns how many schedules that were */
  async deliver(): Promise<number> {
    const told = await claimSchedules(this.#deps.db, BATCH);
    await Promise.all(told.map((one) => this.#deliverOne(one)));
    return told.length;
  }

  /**
   * Compares a batch of schedules with Temporal; those that differ are delivered again.
   * @param olderThanSeconds only what was not compared for so long
   * @returns how many differed
   */
  async check(olderThanSeconds: number): Promise<number> {
    const { db, engine, log } = this.#deps;
    let differing = 0;
    const orders = await claimUnchecked(db, olderThanSeconds, BATCH);
    await Promise.all(
      orders.map(async (order) => {
        try {
          if (await engine.isCurrent(order)) return;
          differing += 1;
          await tellOfSchedule(db, order.scheduleId);
          log.warn(
            { schedule_id: order.scheduleId },
            'a schedule was missing in Temporal, or differed there',
          );
        } catch (error) {
          log.debug({ err: error, schedule_id: order.scheduleId }, 'a schedule could not be compared');
        }
      }),
    );
    return differing;
  }

  async #deliverOne(told: ToldSchedule): Promise<void> {
    const { db, log } = this.#deps;
    const { scheduleId } = told;
    try {
      await this.#tell(scheduleId);
      await removeTold(db, told);
    } catch (error) {
      log.warn({ err: error, schedule_id: scheduleId }, 'Temporal could not be told of a schedule');
      const message = error instanceof Error ? error.message : String(error);
      // When this fails too, the claim runs out after 10 s; the entry is tried again then.
      await retryTold(db, told, message).catch(() => undefined);
    }
  }

  async #tell(scheduleId: string): Promise<void> {
    const { db, engine, log } = this.#deps;
    // Read after the claim: whoever changes the row from here on renews the entry.
    const order = await readOrder(db, scheduleId);
    if (order === null) {
      await engine.remove(scheduleId);
      return;
    }
    try {
      await engine.put(order);
    } catch (error) {
      if (!(error instanceof TemporalRejected)) throw error;
      log.error({ err: error, schedule_id: scheduleId }, 'Temporal refused a schedule');
      await disableRefused(db, scheduleId, error.message);
    }
  }
}
