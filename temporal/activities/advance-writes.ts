/** What one advance writes, gathered while it works and written together: steps and events commit as one. */
import { appendEvents } from '../../src/journal/events.ts';
import type { NewEvent } from '../../src/journal/events.ts';
import { writeSteps } from '../../src/journal/steps.ts';
import type { StepRow } from '../../src/journal/steps.ts';
import type { RunContext } from './run-context.ts';

/** A statement's parameter stays below this many rows; a wide graph's skips come in several. */
const ROWS_PER_STATEMENT = 1_000;

export class AdvanceWrites {
  readonly #steps: StepRow[] = [];
  readonly #events: NewEvent[] = [];

  step(...steps: readonly StepRow[]): void {
    this.#steps.push(...steps);
  }
  event(...events: readonly NewEvent[]): void {
    this.#events.push(...events);
  }

  /** Writes what is gathered. The segment's row is locked by the caller, so its events cannot be refused. */
  async flush(context: RunContext): Promise<void> {
    const steps = this.#steps.splice(0);
    for (let at = 0; at < steps.length; at += ROWS_PER_STATEMENT) {
      await writeSteps(context.sql, steps.slice(at, at + ROWS_PER_STATEMENT));
    }
    await context.values.flush();
    const events = this.#events.splice(0);
    for (let at = 0; at < events.length; at += ROWS_PER_STATEMENT) {
      const seq = await appendEvents(
        context.sql,
        context.segment.runPk,
        events.slice(at, at + ROWS_PER_STATEMENT),
      );
      if (seq === null) throw new Error(`Run ${context.segment.runPk} ended while its row was locked`);
    }
  }
}
