/** The writes of one advance: collected while it works, and written by its last statement. */
import type { Clock } from '../../../../base/clock.ts';
import { endAdvance } from '../../ledger/write/advances.ts';
import { abandonSteps } from '../../ledger/write/cancel.ts';
import type { EffectRow } from '../../ledger/write/effects.ts';
import type { NewEvent, SummedClosing } from '../../ledger/write/events.ts';
import type { StepRow } from '../../ledger/write/steps.ts';
import type { ChangedFields } from '../../ledger/read/values.ts';
import { NO_FIELDS, writeSteps, type StepChanges } from '../../ledger/write/write-steps.ts';
import type { RunContext } from '../context.ts';

/** The most rows in a parameter of a statement; the skips of a wide graph are written in several. */
export const ROWS_PER_STATEMENT = 1_000;

export class AdvanceWrites {
  readonly #clock: Clock;
  readonly #beganMs: number;
  /** By id, so that each step is written once, in its last state and in the order of its last change. */
  readonly #steps = new Map<string, StepRow>();
  readonly #events: NewEvent[] = [];
  /** Of steps that are not written yet. */
  #effects: EffectRow[] = [];
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
  /** Adds what a folded node has made. */
  folded({ steps, events, effects }: Required<Omit<StepChanges, 'fields'>>): void {
    this.step(...steps);
    this.event(...events);
    this.#effects.push(...effects);
  }
  /** Ends the segment with this advance. */
  close(closing: SummedClosing): void {
    this.#closing = closing;
  }

  /** Writes the collected changes, for reads that need them. */
  async flush(context: RunContext): Promise<void> {
    let fields = context.values.takeChanged();
    while (this.#steps.size > 0 || this.#events.length > 0 || fields.names.length > 0) {
      await writeSteps(context.sql, context.segment, this.#take(fields));
      fields = NO_FIELDS;
    }
  }

  /** Writes the remaining changes, with the answer and the end of the segment. */
  async end(context: RunContext, advance: number, answer: string): Promise<void> {
    // Before the last statement, which may be a transaction of its own.
    if (this.#closing?.status === 'failed') await this.#abandonSteps(context);
    let fields = context.values.takeChanged();
    while (Math.max(this.#steps.size, this.#events.length) > ROWS_PER_STATEMENT) {
      await writeSteps(context.sql, context.segment, this.#take(fields));
      fields = NO_FIELDS;
    }
    const seconds = (this.#clock.monotonic() - this.#beganMs) / 1_000;
    const left = { ...this.#take(fields), advance, answer, closing: this.#closing, seconds };
    await endAdvance(context.sql, context.segment, left);
  }

  /** Ends the steps that lost workers have left, once those of this advance have their ends. */
  async #abandonSteps(context: RunContext): Promise<void> {
    await this.flush(context);
    await abandonSteps(context.sql, [context.segment.rootRunPk]);
  }

  /** Takes as much as one statement writes. */
  #take(fields: ChangedFields): Required<StepChanges> {
    const steps = [...this.#steps.values()].slice(0, ROWS_PER_STATEMENT);
    for (const { step_id } of steps) this.#steps.delete(step_id);
    const effects = this.#effects.filter(({ step_id: stepId }) => !this.#steps.has(stepId));
    if (effects.length > 0) this.#effects = this.#effects.filter((row) => !effects.includes(row));
    const events = this.#events.splice(0, ROWS_PER_STATEMENT);
    return { steps, fields, events, effects };
  }
}
