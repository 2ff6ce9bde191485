/** Delivery of one outbox entry to Temporal, and what follows when Temporal refuses it, is away or has lost the execution. */
import { TemporalRejected, TemporalUnavailable } from '../../errors.ts';
import type { Db, Sql } from '../../db/client.ts';
import type { Logger } from '../../log.ts';
import { traced } from '../../observe/tracing.ts';
import type { RunEngine } from '../engine.ts';
import { abandonWork } from '../ledger/cancel.ts';
import { closeRun } from '../ledger/events.ts';
import { addOutbox } from '../ledger/outbox-entry.ts';
import { parkOutbox, retryOutbox, type OutboxEntry } from './outbox.ts';

/** A run that is not started within 15 minutes fails: nobody expects it any more. */
export const START_TIMEOUT_SECONDS = 15 * 60;
const MAX_TRIES = 20;

export interface DeliveryDeps {
  readonly db: Db;
  /** For putting entries back. */
  readonly outbox: Sql;
  readonly engine: RunEngine;
  readonly log: Logger;
}

/** `delivered` and `given_up` are done, and their entry may be removed; `put_back` is due again, or parked. */
export type DeliveryOutcome = 'delivered' | 'given_up' | 'put_back';

export class Delivery {
  readonly #deps: DeliveryDeps;
  /** The last start that was tried has failed: Temporal may be away. */
  isAway = false;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /**
   * Tells Temporal of an entry. Never throws.
   * @param onCalls called when calls of a run have gone out that is about to be started; null: none may go out before the start
   */
  async deliver(entry: OutboxEntry): Promise<DeliveryOutcome> {
    const plan = {
      name: `outbox ${entry.kind}`,
      kind: 'producer',
      traceparent: entry.traceparent,
      follows: entry.begunIn,
      attributes: { 'app.run_pk': entry.runPk },
    } as const;
    try {
      await traced(plan, () => this.#tell(entry));
      return 'delivered';
    } catch (error) {
      return this.#failed(entry, error).catch((cause: unknown) => {
        // The claim runs out after 10 s; the entry is tried again then.
        this.#deps.log.warn({ err: cause, run_pk: entry.runPk }, 'an outbox entry could not be put back');
        return 'put_back';
      });
    }
  }

  async #tell(entry: OutboxEntry): Promise<void> {
    const { engine } = this.#deps;
    switch (entry.kind) {
      case 'start':
        await this.#start(entry);
        return;
      case 'resume':
        if (!(await engine.resume(entry.run))) await this.#cancelLost(entry);
        return;
      case 'cancel':
        await engine.cancel(entry.run);
        return;
    }
  }

  async #start(entry: OutboxEntry): Promise<void> {
    // What has begun is started, however late and whatever has become of it: its execution goes on from the stored answer, and
    // where there is one already Temporal says so.
    if (!entry.hasBegun) {
      // Cancelled before it was started, or deleted: there is nothing to start.
      if (entry.runStatus !== 'running') return;
      if (entry.ageSeconds > START_TIMEOUT_SECONDS) {
        await this.#failStart(entry, 'start_timeout', 'The run could not be started within 15 minutes');
        return;
      }
    }
    try {
      await this.#deps.engine.start(entry.run);
      this.isAway = false;
    } catch (error) {
      this.isAway = !(error instanceof TemporalRejected);
      throw error;
    }
  }

  async #failed(entry: OutboxEntry, error: unknown): Promise<DeliveryOutcome> {
    const { outbox, log } = this.#deps;
    const message = error instanceof Error ? error.message : String(error);
    const fields = { err: error, kind: entry.kind, run_pk: entry.runPk, tries: entry.tries };
    if (error instanceof TemporalRejected && entry.kind === 'start') {
      log.error(fields, 'Temporal refused to start a run');
      await this.#failStart(entry, 'start_refused', 'The run could not be started');
      return 'given_up';
    }
    // A run that asked, was answered or was cancelled has an execution, which may hear of it after any outage.
    const isHopeless =
      entry.tries >= MAX_TRIES &&
      entry.ageSeconds > START_TIMEOUT_SECONDS &&
      !entry.hasBegun &&
      !(error instanceof TemporalUnavailable);
    if (isHopeless) {
      log.error(fields, 'an outbox entry was given up and parked');
      await parkOutbox(outbox, entry.outboxId, message);
    } else {
      log.warn(fields, 'an outbox entry was not delivered, trying again');
      await retryOutbox(outbox, entry.outboxId, message);
    }
    return 'put_back';
  }

  /** Fails a run that never started. The cancel behind it ends an execution whose start succeeded unnoticed. */
  async #failStart({ run, runPk }: OutboxEntry, code: string, message: string): Promise<void> {
    const { organizationId, rootRunPk } = run;
    await this.#deps.db.transaction(async (tx) => {
      const error = { code, message, node_id: null };
      const closed = await closeRun(tx, {
        runPk,
        from: ['running'],
        status: 'failed',
        payload: { error },
        error,
      });
      if (closed) await addOutbox(tx, { kind: 'cancel', organizationId, runPk, rootRunPk });
    });
  }

  /** Cancels a run whose execution ended, or was removed, before the answer reached it. */
  async #cancelLost({ run, runPk }: OutboxEntry): Promise<void> {
    const reason = 'The execution that asked is no longer there';
    await this.#deps.db.transaction(async (tx) => {
      const closed = await closeRun(tx, {
        runPk,
        from: ['running'],
        status: 'cancelled',
        payload: { reason },
        reason,
      });
      if (closed) await abandonWork(tx, [run.rootRunPk], 'cancelled');
    });
  }
}
