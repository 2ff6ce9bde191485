/** Deletes expired rows every 10 minutes: events of ended runs, ephemeral runs, idempotency keys, deliveries, leases. */
import type { Db } from '../../db/client.ts';
import { PollLoop } from '../../db/poll-loop.ts';
import { deleteExpiredRuns } from '../ledger/delete-runs.ts';
import {
  expireEvents,
  expireHookDeliveries,
  expireIdempotencyKeys,
  expireNotifications,
  expireTokens,
  forgetCallbackAnswers,
  forgetEphemeralRuns,
} from '../ledger/retention.ts';
import { forgetWorkerLeases } from '../ledger/worker-leases.ts';
import type { Logger } from '../../log.ts';

const SWEEP_MS = 10 * 60_000;

export class Janitor {
  readonly #deps: { readonly db: Db; readonly log: Logger };
  readonly #sweeps: PollLoop;

  constructor(deps: { readonly db: Db; readonly log: Logger }) {
    this.#deps = deps;
    this.#sweeps = new PollLoop({
      everyMs: SWEEP_MS,
      round: () => this.sweep(),
      onError: (error) => deps.log.warn({ err: error }, 'expired rows could not be deleted'),
    });
  }

  start(): void {
    this.#sweeps.start();
  }

  stop(): Promise<void> {
    return this.#sweeps.stop();
  }

  /** Deletes all expired rows once. */
  async sweep(): Promise<void> {
    const { db, log } = this.#deps;
    const tokens = await expireTokens(db);
    const events = await expireEvents(db);
    const runs = await forgetEphemeralRuns(db);
    const keys = await expireIdempotencyKeys(db);
    const deliveries = await expireHookDeliveries(db);
    const callbacks = await forgetCallbackAnswers(db);
    const notifications = await expireNotifications(db);
    const expired = await deleteExpiredRuns(db);
    await forgetWorkerLeases(db);
    const counts = { tokens, events, runs, keys, deliveries, callbacks, notifications, expired };
    if (Object.values(counts).some((count) => count > 0)) log.info(counts, 'expired rows deleted');
  }
}
