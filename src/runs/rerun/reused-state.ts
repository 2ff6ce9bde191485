/** The state that a rerun begins with: what the reused executions gave to it, through the reducers of its definition. */
import type { Plan } from '../../graph/plan.ts';
import { reduceUpdates, seedState } from '../../graph/state.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { ChangedFields } from '../ledger/values.ts';

export interface FieldsOf {
  readonly after: Plan;
  readonly workflowInput: JsonObject;
  readonly runInput: JsonObject;
}

/** Fields that take updates, a page at a time: no more than a page of them is in memory beside what they came to. */
export class ReusedState {
  readonly #after: Plan;
  readonly #values: Map<string, Json>;

  constructor({ after, workflowInput, runInput }: FieldsOf) {
    const seeded = seedState(after.fields, workflowInput, runInput);
    this.#after = after;
    this.#values = new Map<string, Json>(Object.entries({ ...seeded.free, ...seeded.fields }));
  }

  /** Takes what the next executions gave, in the order of their commits. */
  add(page: readonly JsonObject[]): void {
    const { fields } = this.#after;
    const updates = new Map<string, Json[]>();
    for (const [name, update] of page.flatMap((step) => Object.entries(step))) {
      const earlier = updates.get(name);
      if (earlier === undefined) updates.set(name, [update]);
      else earlier.push(update);
    }
    for (const [name, ofField] of updates) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const value = field === undefined ? undefined : reduceUpdates(field, this.#values.get(name), ofField);
      if (value !== undefined) this.#values.set(name, value);
    }
  }

  /** Names, and values as JSON texts. */
  toFields(): ChangedFields {
    const names = [...this.#values.keys()];
    return { names, values: [...this.#values.values()].map((value) => JSON.stringify(value)) };
  }
}
