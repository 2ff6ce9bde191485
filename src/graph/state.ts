/**
 * Run state: how a field takes an update (its reducer) and what the fields hold before the first node runs.
 * Field names are the user's, so every record here has no prototype.
 */
import type { StateField } from './definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from './value.ts';

/** An update `{"__overwrite__": value}` replaces the value under any reducer. */
const OVERWRITE = '__overwrite__';

/**
 * The value of a field after an update (SPEC DEF-2.12). `none` replaces; `add` concatenates
 * arrays and pushes anything else as one element; `update` merges objects one level deep, and a null stays a null.
 * Under `update` a value that is not an object replaces the field.
 */
export function reduceField(field: StateField, current: Json | undefined, update: Json): Json {
  if (isOverwrite(update)) return ownValue(update, OVERWRITE) ?? null;
  switch (field.reducer) {
    case 'none':
      return update;
    case 'add':
      return [...listOf(current), ...listOfUpdate(update)];
    case 'update':
      return isObject(current) && isObject(update) ? { ...current, ...update } : update;
  }
}

/** The value of a field after updates, one after the other. What `add` gathers is copied once, not with each update. */
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
      return [listOf(value), ...rest.map(listOfUpdate)].flat();
    case 'update': {
      const values = [value ?? null, ...rest];
      // What is no object hides what came before it.
      const hidden = values.findLastIndex((one) => !isObject(one));
      if (hidden === values.length - 1) return values[hidden];
      const objects = values.slice(hidden + 1).filter(isObject);
      return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
    }
  }
}

const isOverwrite = (update: Json): boolean =>
  isObject(update) && Object.hasOwn(update, OVERWRITE) && Object.keys(update).length === 1;

const listOfUpdate = (update: Json): readonly Json[] => (Array.isArray(update) ? update : [update]);

function listOf(current: Json | undefined): Json[] {
  if (current === undefined || current === null) return [];
  return Array.isArray(current) ? current : [current];
}

export interface SeededState {
  /** The merged run input, run over workflow: what `{{input.x}}` means. */
  readonly input: JsonObject;
  /** Declared fields that a default or an input gave a value; without a prototype. */
  readonly fields: Record<string, Json>;
  /** Input keys that are not declared: readable as state fields, replaced as a whole; without a prototype. */
  readonly free: Record<string, Json>;
}

/** State before the first node: defaults, then workflow input, then run input, each but the first reduced. */
export function seedState(
  fields: Readonly<Record<string, StateField>>,
  workflowInput: JsonObject,
  runInput: JsonObject,
): SeededState {
  const seeded = emptyRecord();
  const free = emptyRecord();
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

function emptyRecord(): Record<string, Json> {
  return Object.create(null) as Record<string, Json>;
}
