/** Rebuilds the initial state of a rerun: applies the updates of the reused executions with the definition's reducers. */
import type { Plan } from '../../../language/graph/schedule/plan.ts';
import { reduceUpdates, seedState } from '../../../language/graph/definition/state.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { ChangedFields } from '../ledger/read/values.ts';

/** The state, updated page by page so that memory holds the state and one page of updates. */
export class ReusedState {
  readonly #after: Plan;
  readonly #values: Map<string, Json>;

  constructor({
    after,
    workflowInput,
    runInput,
  }: {
    readonly after: Plan;
    readonly workflowInput: JsonObject;
    readonly runInput: JsonObject;
  }) {
    const seeded = seedState(after.fields, workflowInput, runInput);
    this.#after = after;
    this.#values = new Map<string, Json>(Object.entries({ ...seeded.free, ...seeded.fields }));
  }

  /** Applies the updates of the next executions, in the order of their commits. */
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

  /** Returns the field names, and their values as JSON text. */
  toFields(): ChangedFields {
    const names = [...this.#values.keys()];
    return { names, values: [...this.#values.values()].map((value) => JSON.stringify(value)) };
  }
}
