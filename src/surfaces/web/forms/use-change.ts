/** A field that is written as a whole by its builder: its value now, and how the builder changes it. */
import { useState } from 'react';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp } from '../../../features/canvas/room/operations.ts';
import { parsePointer, getAt } from '../../../language/graph/values/pointer.ts';
import { isObject, type Json } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import { readEntity } from './entity.ts';
import { guardedChange, isAppending } from './field-value.ts';
import { rebasePointer } from './follow-place.ts';
import { formatFieldPointer, type FieldProps } from './field-place.ts';

/** Writes what a value becomes; `label` names the step of undo. */
type Change<Value> = (changed: (now: Value) => Value, label: string) => void;

export function useChange(props: FieldProps): Change<Json | undefined> {
  const { connection } = useEditing();
  const place = { entity: props.entity, ptr: formatFieldPointer(props) };
  return (changed, label) => {
    // As it is now: a field that is left by the very click tells the connection before the form is drawn again.
    const current = readEntity(connection.view, place.entity);
    if (current === undefined) return;
    const now = getAt(current, parsePointer(place.ptr));
    const build = (view: CanvasDocument): BatchOp | null => {
      const entity = readEntity(view, place.entity);
      return entity === undefined
        ? null
        : guardedChange(place, entity, changed(getAt(entity, parsePointer(place.ptr))));
    };
    const next = changed(now);
    // An entry at the end is added to the list that a colleague may have changed meanwhile.
    if (isAppending(now, next)) connection.rebuilt.edit(build, { label });
    else connection.edit(guardedChange(place, current, next), { label });
  };
}

/** A value as its builder sees it, and as it is stored. */
interface View<Value> {
  readonly read: (stored: Json | undefined) => Value;
  readonly store: (value: Value) => Json | undefined;
}

function useView<Value>(props: FieldProps, { read, store }: View<Value>) {
  const write = useChange(props);
  const change: Change<Value> = (changed, label) => write((now) => store(changed(read(now))), label);
  return { value: read(getAt(props.config, parsePointer(props.field.ptr))), change };
}

/** The same in every render. */
const NO_ENTRIES: Json[] = [];

const LIST: View<Json[]> = {
  read: (stored) => (Array.isArray(stored) ? stored : NO_ENTRIES),
  store: (list) => list,
};

/**
 * Keys of the entries of a list for React, which follow an entry to another index: the field that has the focus stays the
 * one of its entry.
 */
function useEntryKeys(list: Json[]): readonly number[] {
  const [known, setKnown] = useState({ list, keys: list.map((_entry, index) => index), next: list.length });
  if (known.list === list) return known.keys;
  const followed = new Map(
    known.keys.map((key, index) => [rebasePointer(known.list, list, [String(index)])?.[0], key]),
  );
  let { next } = known;
  const keys = list.map((_entry, index) => followed.get(String(index)) ?? next++);
  setKnown({ list, keys, next });
  return keys;
}

export function useList(props: FieldProps) {
  const { value: list, change } = useView(props, LIST);
  return { list, keys: useEntryKeys(list), change };
}

type Entry = readonly [key: string, value: Json];

/** An object without entries is removed. */
const ENTRIES: View<readonly Entry[]> = {
  read: (stored) => (isObject(stored) ? Object.entries(stored) : []),
  store: (entries) => (entries.length === 0 ? undefined : Object.fromEntries(entries)),
};

/** Renames a key in its place. */
export const renameEntry = (entries: readonly Entry[], from: string, to: string): readonly Entry[] =>
  entries.map(([key, value]) => [key === from ? to : key, value]);

/** An object by its entries. */
export function useObjectEntries(props: FieldProps) {
  const { value: entries, change } = useView(props, ENTRIES);
  return { entries, change };
}
