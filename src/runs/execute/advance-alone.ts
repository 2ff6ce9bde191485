/**
 * The usual first advance: what is pure runs on what was read, without a lock, and all that came of it is written at once
 * (journal/first-advance.ts). What needs more than that, as a question or a failure does, is left to `advance`, which does
 * it anew: nothing was written, and what is pure may run twice.
 */
import type { Sql } from '../../db/client.ts';
import { begin } from '../../graph/schedule.ts';
import type { Closing, NewEvent } from '../ledger/events.ts';
import { writeFirst, type ToBegin } from '../outbox/first-advance.ts';
import type { StepRow } from '../ledger/steps.ts';
import type { ChangedFields } from '../ledger/values.ts';
import type { AdvanceInput, AdvanceResult } from './protocol.ts';
import { answerOf, seed, skeletonFor } from './advance.ts';
import { AdvanceStep } from './advance-step.ts';
import { AdvanceWrites, ROWS_PER_STATEMENT } from './advance-writes.ts';
import type { EngineDeps } from './engine-deps.ts';
import { contextOf } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/** Keeps what is written; it is written at once in the end. */
class KeptWrites extends AdvanceWrites {
  readonly steps: StepRow[] = [];
  readonly events: NewEvent[] = [];
  readonly #fields = new Map<string, string>();
  closing: Closing | null = null;

  get fields(): ChangedFields {
    return { names: [...this.#fields.keys()], values: [...this.#fields.values()] };
  }

  protected write(
    { values }: RunContext,
    steps: readonly StepRow[],
    events: readonly NewEvent[],
  ): Promise<void> {
    // What changes twice is written as it is in the end.
    const { names, values: texts } = values.takeChanged();
    names.forEach((name, at) => this.#fields.set(name, texts[at] ?? 'null'));
    this.steps.push(...steps);
    this.events.push(...events);
    return Promise.resolve();
  }

  close(_context: RunContext, closing: Closing): Promise<void> {
    this.closing = closing;
    return Promise.resolve();
  }
}

/** Remembers that something was asked of the database: the advance is not one of those that can be done alone. */
class NoSql implements Sql {
  wasAsked = false;

  query(): Promise<never> {
    this.wasAsked = true;
    return Promise.reject(new Error('A first advance without a transaction asks nothing'));
  }
}

/**
 * @param read what the run begins with
 * @returns null when it could not be done this way: nothing was written
 * @throws as `advance` does
 */
export async function advanceAlone(
  deps: EngineDeps,
  input: AdvanceInput,
  read: ToBegin,
): Promise<AdvanceResult | null> {
  const sql = new NoSql();
  const context = await contextOf(sql, deps.plans, read.segment);
  if (context.ready.asks) return null;
  const graph = context.ready.skeleton(context.segment.recursionLimit);
  const progress = begin(graph);
  seed(context, read.inputs);
  const writes = new KeptWrites(true);
  const step = new AdvanceStep(deps, context, graph, progress, input, writes);
  const end = await step.run().catch((error: unknown) => {
    if (sql.wasAsked) return null;
    throw error;
  });
  // What was refused may have become a node's failure.
  if (end === null || sql.wasAsked || writes.steps.length > ROWS_PER_STATEMENT) return null;
  const answer = answerOf(step, end, progress);
  const isWritten = await writeFirst(deps.db, {
    organizationId: input.organizationId,
    runPk: input.rootRunPk,
    beganAt: read.beganAt,
    steps: writes.steps,
    fields: writes.fields,
    events: writes.events,
    answer: JSON.stringify({ ...answer, lastSeq: step.lastSeq }),
    closing: writes.closing,
  });
  return isWritten ? { ...answer, ...skeletonFor(input, answer, graph) } : null;
}
