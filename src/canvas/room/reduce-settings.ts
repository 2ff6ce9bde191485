/** Reduces operations on config, metadata, run state fields, and the keys that are written as a whole. */
import { findLargePin, describePinExcess } from '../../graph/definition-size.ts';
import { isObject, ownValue, sameJson, type Json, type JsonObject } from '../../graph/value.ts';
import type { DocumentDraft } from './document-draft.ts';
import { editEntity } from './edit-entity.ts';
import { findInvalidColumns } from './mirrored-columns.ts';
import type { SingleOp } from './operations.ts';
import { formatPointer } from '../../graph/pointer.ts';
import { toEditBody, isNormalized } from './reduce-nodes.ts';
import { toApplied, NOOP, toRejected, type SingleReduction } from './reduction.ts';

type SettingsOp = Extract<SingleOp, { type: 'config:update' | 'metadata:update' }>;

/** `config:update` and `metadata:update`: last writer wins for each pointer. */
export function updateSettings(draft: DocumentDraft, op: SettingsOp): SingleReduction {
  const key = op.type === 'config:update' ? 'config' : 'metadata';
  const stored = draft.rest(key);
  const current: JsonObject = isObject(stored) ? stored : {};
  const done = editEntity(current, op);
  if (done === null) return toRejected('INVALID_PAYLOAD', 'a pointer does not fit, or leads too deep');
  if (sameJson(done.entity, current)) return NOOP;
  if (key === 'metadata') {
    // Columns mirror these: a value that does not fit would make every later save fail.
    const unfit = findInvalidColumns(done.entity).filter(
      (name) => !sameJson(done.entity[name], ownValue(current, name)),
    );
    if (unfit.length > 0) return toRejected('INVALID_PAYLOAD', `metadata.${unfit.join(', metadata.')}`);
    const pin = findLargePin(done.entity, current);
    if (pin !== null) return toRejected('PIN_TOO_LARGE', describePinExcess(pin.bytes));
  }
  draft.setRest(key, done.entity);
  const { set, unset } = done;
  return toApplied({ type: op.type, set, unset }, toEditBody(done), {
    touched: [...Object.keys(set), ...unset].map((ptr) => ({ entity: `/${key}`, ptr })),
    isNormalized: isNormalized(op, done),
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
    const present: Json | undefined = draft.rest(key);
    return value === null ? present !== undefined : !sameJson(present, value);
  });
  if (changed.length === 0) return NOOP;
  for (const [key, value] of changed) draft.setRest(key, value ?? undefined);
  const values: JsonObject = Object.fromEntries(changed);
  return toApplied({ type: 'workflow:update', values }, values, {
    touched: changed.map(([key]) => ({ entity: `/${key}`, ptr: '' })),
    isNormalized: changed.length < Object.keys(op.values).length,
  });
}
