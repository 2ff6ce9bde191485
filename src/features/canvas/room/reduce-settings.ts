/** Reduces operations on config, metadata, run state fields, and the keys that are written as a whole. */
import { findLargePin, describePinExcess } from '../../../language/graph/definition/definition-size.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import type { DocumentDraft } from './document-draft.ts';
import { editEntity } from './edit-entity.ts';
import { findInvalidColumns } from './mirrored-columns.ts';
import type { SingleOp } from './operations.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { toEditBody, isNormalized } from './reduce-nodes.ts';
import { toApplied, NOOP, toRejected, type SingleReduction } from './reduction.ts';

type SettingsOp = Extract<SingleOp, { type: 'config:update' | 'metadata:update' }>;

/** `config:update` and `metadata:update`: last writer wins for each pointer. */
export function updateSettings(draft: DocumentDraft, op: SettingsOp): SingleReduction {
  const key = op.type === 'config:update' ? 'config' : 'metadata';
  const stored = draft.topLevel(key);
  const current: JsonObject = isObject(stored) ? stored : {};
  const edited = editEntity(current, op, draft.work);
  if (edited === null)
    return toRejected('INVALID_PAYLOAD', 'a pointer does not match the settings or is too deep');
  if (sameJson(edited.entity, current, draft.work)) return NOOP;
  if (key === 'metadata') {
    // Columns mirror these fields: a value that a column rejects would make every later save fail.
    const invalid = findInvalidColumns(edited.entity).filter(
      (name) => !sameJson(edited.entity[name], ownValue(current, name)),
    );
    if (invalid.length > 0) return toRejected('INVALID_PAYLOAD', `metadata.${invalid.join(', metadata.')}`);
    const pin = findLargePin(edited.entity, current);
    if (pin !== null) return toRejected('PIN_TOO_LARGE', describePinExcess(pin.bytes));
  }
  draft.setTopLevel(key, edited.entity);
  const { set, unset } = edited;
  return toApplied({ type: op.type, set, unset }, toEditBody(edited), {
    touched: [...Object.keys(set), ...unset].map((ptr) => ({ entity: `/${key}`, ptr })),
    isNormalized: isNormalized(op, edited),
  });
}

/** `state-schema:update`: the last writer wins for each field. */
export function updateStateSchema(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'state-schema:update' }>,
): SingleReduction {
  const unset = [...new Set(op.unset ?? [])].filter((name) => draft.stateField(name) !== undefined);
  for (const name of unset) draft.setStateField(name, undefined);
  const entries = Object.entries(op.set ?? {}).filter(
    ([name, field]) => !sameJson(draft.stateField(name), field),
  );
  for (const [name, field] of entries) draft.setStateField(name, field);
  if (unset.length === 0 && entries.length === 0) return NOOP;
  const set = Object.fromEntries(entries);
  return toApplied(
    { type: 'state-schema:update', set, unset },
    { set, unset },
    {
      touched: [...Object.keys(set), ...unset].map((name) => ({
        entity: formatPointer(['state_schema', name]),
        ptr: '',
      })),
      isNormalized: isNormalized(op, { set, unset }),
    },
  );
}

/** `workflow:update`: writes each key as a whole; null removes it. */
export function updateWorkflow(
  draft: DocumentDraft,
  op: Extract<SingleOp, { type: 'workflow:update' }>,
): SingleReduction {
  const changed = Object.entries(op.values).filter(([key, value]) => {
    const present: Json | undefined = draft.topLevel(key);
    return value === null ? present !== undefined : !sameJson(present, value);
  });
  if (changed.length === 0) return NOOP;
  for (const [key, value] of changed) draft.setTopLevel(key, value ?? undefined);
  const values: JsonObject = Object.fromEntries(changed);
  return toApplied({ type: 'workflow:update', values }, values, {
    touched: changed.map(([key]) => ({ entity: `/${key}`, ptr: '' })),
    isNormalized: changed.length < Object.keys(op.values).length,
  });
}
