/**
 * Keeps Temporal's Schedules in sync with the rows of `schedules`: delivers changed rows, and compares the others, so that a
 * Schedule that was lost or edited by hand is repaired.
 */
import type { ScheduleEngine, ScheduleRef } from './schedule-engine.ts';
import type { TemporalRejected } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Db } from '../../base/db/client.ts';
import { computeNextDue } from './overdue.ts';
import { countDroppedFirings } from './schedule-counts.ts';
import type { OutboxHandler, OutboxEntry } from '../../platform/outbox/outbox.ts';
import { claimUnchecked, disableRefused, readOrder, enqueueScheduleSync } from './schedule-orders.ts';
import type { Logger } from '../../base/log.ts';

const BATCH = 16;
/** Each schedule is compared with Temporal this often. */
const CHECK_SECONDS = 300;

interface ScheduleSyncerDeps {
  readonly clock: Clock;
  readonly db: Db;
  readonly engine: ScheduleEngine;
  readonly log: Logger;
}

const toScheduleRef = ({ organizationId, subjectId }: OutboxEntry): ScheduleRef => ({
  organizationId,
  scheduleId: subjectId,
});

export class ScheduleSyncer implements OutboxHandler {
  readonly #deps: ScheduleSyncerDeps;

  constructor(deps: ScheduleSyncerDeps) {
    this.#deps = deps;
  }

  /** Syncs one Schedule with its row. A later change of the row adds another entry. */
  async deliver(entry: OutboxEntry): Promise<void> {
    const { db, engine } = this.#deps;
    const order = await readOrder(db, toScheduleRef(entry));
    await (order === null ? engine.remove(entry.subjectId) : engine.put(order));
  }

  async reject(entry: OutboxEntry, error: TemporalRejected): Promise<void> {
    await disableRefused(this.#deps.db, toScheduleRef(entry), error.message);
  }

  /**
   * Computes when changed schedules are due, compares a batch with Temporal and enqueues those that differ.
   * @param olderThanSeconds skips schedules compared more recently
   * @returns the number of schedules that differed
   */
  async check(olderThanSeconds = CHECK_SECONDS): Promise<number> {
    const { clock, db, engine, log } = this.#deps;
    await computeNextDue(db, clock);
    let differing = 0;
    const orders = await claimUnchecked(db, olderThanSeconds, BATCH);
    await Promise.all(
      orders.map(async (order) => {
        try {
          const { isCurrent, droppedCount } = await engine.inspect(order);
          if (order.overlapPolicy === 'buffer_one' && droppedCount !== order.droppedCount)
            await countDroppedFirings(db, order, { droppedCount, now: new Date(clock.now()) });
          if (isCurrent) return;
          differing += 1;
          await enqueueScheduleSync(db, order);
          log.warn({ schedule_id: order.scheduleId }, 'a schedule was missing or different in Temporal');
        } catch (error) {
          log.debug({ err: error, schedule_id: order.scheduleId }, 'a schedule could not be compared');
        }
      }),
    );
    return differing;
  }
}
