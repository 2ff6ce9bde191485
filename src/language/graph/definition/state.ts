/**
 * Run state: reducers of fields, and the values before the first node runs. Users choose the names of fields, so records
 * here have no prototype.
 */
import type { StateField } from './definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

/** An update `{"__overwrite__": value}` replaces the value under any reducer. */
const OVERWRITE = '__overwrite__';

/**
 * The value of a field after an update (SPEC DEF-2.12). `none` replaces; `add` concatenates arrays and appends other values;
 * `update` merges objects one level deep, and any other value replaces the field.
 */
export function reduceField(field: StateField, current: Json | undefined, update: Json): Json {
  if (isOverwrite(update)) return ownValue(update, OVERWRITE) ?? null;
  switch (field.reducer) {
    case 'none':
      return update;
    case 'add':
      return [...toList(current), ...toItems(update)];
    case 'update':
      return isObject(current) && isObject(update) ? { ...current, ...update } : update;
  }
}

/** The value of a field after several updates. Copies the list of `add` once, not with each update. */
export function reduceUpdates(
  field: StateField,
  current: Json | undefined,
  updates: readonly Json[],
): Json | undefined {
  const from = updates.findLastIndex(isOverwrite);
  const value = from === -1 ? current : reduceField(field, current, updates[from] ?? null);
  const rest = updates.slice(from + 1);
  if (rest.length === 0) return value;
  switch (field.reducer) {
    case 'none':
      return rest.at(-1);
    case 'add':
      return [toList(value), ...rest.map(toItems)].flat();
    case 'update': {
      const values = [value ?? null, ...rest];
      // A value that is not an object replaces the earlier ones.
      const hidden = values.findLastIndex((one) => !isObject(one));
      if (hidden === values.length - 1) return values[hidden];
      const objects = values.slice(hidden + 1).filter(isObject);
      return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
    }
  }
}

const isOverwrite = (update: Json): boolean =>
  isObject(update) && Object.hasOwn(update, OVERWRITE) && Object.keys(update).length === 1;

const toItems = (update: Json): readonly Json[] => (Array.isArray(update) ? update : [update]);

function toList(current: Json | undefined): Json[] {
  if (current === undefined || current === null) return [];
  return Array.isArray(current) ? current : [current];
}

interface SeededState {
  /** The workflow input merged with the run input, which wins: the root `input`. */
  readonly input: JsonObject;
  /** Declared fields with a value. */
  readonly fields: Record<string, Json>;
  /** Input keys that are not declared; templates read them as state fields. */
  readonly free: Record<string, Json>;
}

/** Computes the state before the first node: defaults, reduced with the workflow input, then with the run input. */
export function seedState(
  fields: Readonly<Record<string, StateField>>,
  workflowInput: JsonObject,
  runInput: JsonObject,
): SeededState {
  const seeded = createRecord();
  const free = createRecord();
  for (const [name, field] of Object.entries(fields)) {
    let value = field.default;
    for (const source of [workflowInput, runInput]) {
      const update = ownValue(source, name);
      if (update !== undefined) value = reduceField(field, value, update);
    }
    if (value !== undefined) seeded[name] = value;
  }
  const input: JsonObject = { ...workflowInput, ...runInput };
  for (const [name, value] of Object.entries(input)) if (!Object.hasOwn(fields, name)) free[name] = value;
  return { input, fields: seeded, free };
}

function createRecord(): Record<string, Json> {
  return Object.create(null) as Record<string, Json>;
}
