/** The writes of one advance: gathered while it works, and written with its last statement. */
import type { Clock } from '../../../clock.ts';
import { endAdvance } from '../../ledger/advances.ts';
import { abandonSteps } from '../../ledger/cancel.ts';
import type { NewEvent, SummedClosing } from '../../ledger/events.ts';
import type { StepRow } from '../../ledger/steps.ts';
import type { ChangedFields } from '../../ledger/values.ts';
import { writeSteps, type StepChanges } from '../../ledger/write-steps.ts';
import type { RunContext } from '../context.ts';

/** A statement's parameter stays below this many rows; a wide graph's skips come in several. */
export const ROWS_PER_STATEMENT = 1_000;

const NO_FIELDS: ChangedFields = { names: [], values: [] };

export class AdvanceWrites {
  readonly #clock: Clock;
  readonly #beganMs: number;
  /** By id: a statement writes a step once, as it is at last, in the order in which they came to that. */
  readonly #steps = new Map<string, StepRow>();
  readonly #events: NewEvent[] = [];
  #closing: SummedClosing | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.monotonic();
  }

  step(...steps: readonly StepRow[]): void {
    for (const step of steps) {
      this.#steps.delete(step.step_id);
      this.#steps.set(step.step_id, step);
    }
  }
  event(...events: readonly NewEvent[]): void {
    this.#events.push(...events);
  }
  /** The segment ends with this advance. */
  close(closing: SummedClosing): void {
    this.#closing = closing;
  }

  /** Writes what is gathered, for those who read it back. */
  async flush(context: RunContext): Promise<void> {
    let fields = context.values.takeChanged();
    while (this.#steps.size > 0 || this.#events.length > 0 || fields.names.length > 0) {
      await writeSteps(context.sql, context.segment, this.#take(fields));
      fields = NO_FIELDS;
    }
  }

  /** Writes what is left, with the answer and the end of the segment. */
  async end(context: RunContext, advance: number, answer: string): Promise<void> {
    let fields = context.values.takeChanged();
    while (Math.max(this.#steps.size, this.#events.length) > ROWS_PER_STATEMENT) {
      await writeSteps(context.sql, context.segment, this.#take(fields));
      fields = NO_FIELDS;
    }
    const seconds = (this.#clock.monotonic() - this.#beganMs) / 1_000;
    const left = { ...this.#take(fields), advance, answer, closing: this.#closing, seconds };
    await endAdvance(context.sql, context.segment, left);
    if (left.closing?.status === 'failed') await abandonSteps(context.sql, [context.segment.rootRunPk]);
  }

  /** As much as one statement writes. */
  #take(fields: ChangedFields): Required<StepChanges> {
    const steps = [...this.#steps.values()].slice(0, ROWS_PER_STATEMENT);
    for (const { step_id } of steps) this.#steps.delete(step_id);
    const events = this.#events.splice(0, ROWS_PER_STATEMENT);
    return { steps, fields, events };
  }
}
