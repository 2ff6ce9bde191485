/** What one advance writes, gathered while it works and written together: steps and events commit as one. */
import { closeRun, type Closing, type NewEvent } from '../ledger/events.ts';
import type { StepRow } from '../ledger/steps.ts';
import { writeTogether } from '../ledger/write-together.ts';
import type { RunContext } from './run-context.ts';

/** A statement's parameter stays below this many rows; a wide graph's skips come in several. */
export const ROWS_PER_STATEMENT = 1_000;

export abstract class AdvanceWrites {
  readonly #isWhole: boolean;
  readonly #steps: StepRow[] = [];
  readonly #events: NewEvent[] = [];
  #handled = 0;
  #written = 0;

  /** @param isWhole this is the run's first advance: nothing was written before */
  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /**
   * How many failures were handled, when what was written here is the whole run: folded nodes alone, which use no model.
   * Null when steps were written before, and must be asked.
   */
  get handledInAll(): number | null {
    return this.#isWhole ? this.#handled : null;
  }

  /** How many events were written. */
  get written(): number {
    return this.#written;
  }

  step(...steps: readonly StepRow[]): void {
    this.#steps.push(...steps);
  }
  event(...events: readonly NewEvent[]): void {
    this.#events.push(...events);
  }

  /** Writes what is gathered. */
  async flush(context: RunContext): Promise<void> {
    const steps = this.#steps.splice(0);
    const events = this.#events.splice(0);
    this.#handled += steps.filter((step) => step.error_handled).length;
    this.#written += events.length;
    await this.write(context, steps, events);
  }

  /** Writes steps, events, and the fields that have changed. */
  protected abstract write(
    context: RunContext,
    steps: readonly StepRow[],
    events: readonly NewEvent[],
  ): Promise<void>;

  /** Ends the segment. All else is flushed before. */
  abstract close(context: RunContext, closing: Closing): Promise<void>;
}

/** Writes in the transaction that has locked the segment's row, so that its events cannot be refused. */
export class LockedWrites extends AdvanceWrites {
  protected async write(
    context: RunContext,
    steps: readonly StepRow[],
    events: readonly NewEvent[],
  ): Promise<void> {
    let fields = context.values.takeChanged();
    for (let at = 0; at === 0 || at < Math.max(steps.length, events.length); at += ROWS_PER_STATEMENT) {
      const until = at + ROWS_PER_STATEMENT;
      const together = { steps: steps.slice(at, until), fields, events: events.slice(at, until) };
      await writeTogether(context.sql, context.segment, together);
      fields = { names: [], values: [] };
    }
  }

  async close(context: RunContext, closing: Closing): Promise<void> {
    await closeRun(context.sql, closing);
  }
}
