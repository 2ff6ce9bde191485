/** Deletes expired rows every 10 minutes: events of ended runs, ephemeral runs, idempotency keys, deliveries, leases. */
import type { Db } from '../../../base/db/client.ts';
import { PollLoop } from '../../../base/db/poll-loop.ts';
import { deleteEphemeralRuns, deleteExpiredRuns, deleteExpiredValues } from '../ledger/erase/expired-runs.ts';
import {
  deleteExpiredEvents,
  deleteExpiredHookDeliveries,
  deleteExpiredIdempotencyKeys,
  deleteExpiredNotifications,
  deleteExpiredTokens,
  deleteUnusedCallbackAnswers,
} from '../ledger/erase/retention.ts';
import { deleteExpiredCounters } from '../../../platform/billing/budgets.ts';
import { deleteExpiredEntries } from '../../../platform/audit/audit-log.ts';
import { deleteExpiredWorkerLeases } from '../ledger/write/worker-leases.ts';
import type { Logger } from '../../../base/log.ts';
import { noteJanitorSuccess } from '../../../base/observe/worker-metrics.ts';

const SWEEP_MS = 10 * 60_000;

/** A kind of expired rows: each commits on its own. */
type Stage = readonly [name: string, deleteRows: (db: Db) => Promise<number | void>];

/** In this order. */
const STAGES: readonly Stage[] = [
  ['tokens', deleteExpiredTokens],
  ['events', deleteExpiredEvents],
  ['runs', deleteEphemeralRuns],
  ['keys', deleteExpiredIdempotencyKeys],
  ['deliveries', deleteExpiredHookDeliveries],
  ['callbacks', deleteUnusedCallbackAnswers],
  ['notifications', deleteExpiredNotifications],
  ['expired', deleteExpiredRuns],
  ['worker_leases', deleteExpiredWorkerLeases],
  ['values', deleteExpiredValues],
  ['audit', deleteExpiredEntries],
  ['budget_counters', deleteExpiredCounters],
];

export class Janitor {
  readonly #deps: { readonly db: Db; readonly log: Logger };
  readonly #stages: readonly Stage[];
  readonly #sweeps: PollLoop;
  #isStopping = false;

  /** @param more rows of rooms that know runs, and that runs do not know */
  constructor(deps: { readonly db: Db; readonly log: Logger }, more: readonly Stage[] = []) {
    this.#deps = deps;
    this.#stages = [...STAGES, ...more];
    this.#sweeps = new PollLoop({
      everyMs: SWEEP_MS,
      round: () => this.sweep(),
      onError: (error) => deps.log.warn({ err: error }, 'expired rows could not be deleted'),
    });
  }

  start(): void {
    // The age of a stage that never succeeds counts from here.
    for (const [stage] of this.#stages) noteJanitorSuccess(stage);
    this.#sweeps.start();
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#sweeps.stop();
  }

  /** Deletes all expired rows once. A stage that fails is logged, and keeps no other from its work. */
  async sweep(): Promise<void> {
    const { db, log } = this.#deps;
    const counts: Record<string, number> = {};
    for (const [stage, deleteRows] of this.#stages) {
      // With a database that hangs, each stage would use up its time limit.
      if (this.#isStopping) return;
      try {
        counts[stage] = (await deleteRows(db)) ?? 0;
        noteJanitorSuccess(stage);
      } catch (error) {
        log.warn({ err: error, stage }, 'expired rows could not be deleted');
      }
    }
    if (Object.values(counts).some((count) => count > 0)) log.info(counts, 'expired rows deleted');
  }
}
