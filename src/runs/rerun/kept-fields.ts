/** The state that a rerun begins with: what the reused executions gave to it, through the reducers of its definition. */
import type { Plan } from '../../graph/plan.ts';
import { reduceUpdates, seedState } from '../../graph/state.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { ChangedFields } from '../ledger/values.ts';
import type { PastStep } from '../ledger/past-run.ts';

interface FieldsOf {
  readonly after: Plan;
  readonly workflowInput: JsonObject;
  readonly runInput: JsonObject;
}

/** Reduces the updates of the reused executions, in the order of their commits. @returns names, and values as JSON texts */
export function keepFields(
  { after, workflowInput, runInput }: FieldsOf,
  reused: readonly PastStep[],
): ChangedFields {
  const seeded = seedState(after.fields, workflowInput, runInput);
  const values = new Map<string, Json>(Object.entries({ ...seeded.free, ...seeded.fields }));
  const updates = new Map<string, Json[]>();
  for (const [name, update] of reused.flatMap((step) => Object.entries(step.updates ?? {}))) {
    const earlier = updates.get(name);
    if (earlier === undefined) updates.set(name, [update]);
    else earlier.push(update);
  }
  for (const [name, ofField] of updates) {
    const field = Object.hasOwn(after.fields, name) ? after.fields[name] : undefined;
    const value = field === undefined ? undefined : reduceUpdates(field, values.get(name), ofField);
    if (value !== undefined) values.set(name, value);
  }
  return { names: [...values.keys()], values: [...values.values()].map((value) => JSON.stringify(value)) };
}
