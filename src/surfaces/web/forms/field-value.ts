/** The value of a field in a document, and the operation that writes it. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { hashValue } from '../../../features/canvas/room/document-measures.ts';
import type { BatchOp, SubOp } from '../../../features/canvas/room/operations.ts';
import { listDifferences, type Difference } from '../../../language/graph/definition/diff.ts';
import {
  formatPointer,
  getAt,
  parsePointer,
  removeAt,
  setAt,
} from '../../../language/graph/values/pointer.ts';
import {
  isContainer,
  isObject,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { readEntity, writeEntity, type Entity } from './entity.ts';
import { findListEntry } from './follow-place.ts';
import { FORMATS } from './formats.ts';
import type { DraftField } from './kept-drafts.ts';

type FieldPlace = Pick<DraftField, 'entity' | 'ptr'>;

/** The value of a field; undefined while its entity is not there. */
export function readValue(
  document: CanvasDocument,
  { entity, ptr }: FieldPlace,
): { readonly value: Json | undefined } | undefined {
  const current = readEntity(document, entity);
  return current === undefined ? undefined : { value: getAt(current, parsePointer(ptr)) };
}

/** The value of a field as its control shows it; undefined while its entity is not there. */
export function readField(document: CanvasDocument, field: DraftField): Json | undefined {
  const read = readValue(document, field);
  return read === undefined ? undefined : FORMATS[field.format].show(read.value);
}

/** A part that is written as a whole is guarded as a whole: an edit beside this one must not be lost. */
const isWhole = (entity: Entity): boolean => entity === 'workflow' || entity === 'state';

/**
 * Finds the value that a write must not replace unseen: the one that it writes; the entry of the list that this is in, for
 * another entry may stand at its index by then; a text or number that stands where an object is needed.
 */
function findGuarded(current: JsonObject, { entity, ptr }: FieldPlace): readonly string[] {
  const tokens = parsePointer(ptr);
  if (isWhole(entity)) return tokens.slice(0, 1);
  const inWay = tokens.findIndex((_token, depth) => {
    const around = getAt(current, tokens.slice(0, depth));
    return around !== undefined && !isContainer(around);
  });
  return findListEntry(current, tokens) ?? (inWay === -1 ? tokens : tokens.slice(0, inWay));
}

function guardedPart(place: FieldPlace, current: JsonObject, value: Json | undefined): SubOp {
  const guarded = findGuarded(current, place);
  const seen = getAt(current, guarded);
  const at = formatPointer(guarded);
  const guard = seen === undefined ? { ptr: at } : { ptr: at, hash: hashValue(seen) };
  const part: SubOp = writeEntity(place.entity, current, { ptr: place.ptr, value });
  return guarded.length === 0 ? part : { ...part, if: guard };
}

/** Writes a value on the condition that the field still has the value that this page sees. */
export const guardedWrite = (place: FieldPlace, current: JsonObject, value: Json | undefined): BatchOp => ({
  type: 'batch',
  reason: 'other',
  ops: [guardedPart(place, current, value)],
});

/** Whether a change adds entries to the end of a list, and does nothing else. */
export function isAppending(now: Json | undefined, next: Json | undefined): boolean {
  const before = now ?? [];
  if (!Array.isArray(before) || !Array.isArray(next)) return false;
  return before.length < next.length && before.every((entry, index) => sameJson(entry, next[index]));
}

/** Splits the change of an object or a list into writes that merge with a colleague's; null for a change that must be whole. */
function splitChange(now: Json | undefined, next: Json | undefined): Pick<Difference, 'ptr' | 'to'>[] | null {
  const count = Array.isArray(now) ? now.length : 0;
  if (Array.isArray(next) && isAppending(now, next))
    return next.slice(count).map((entry) => ({ ptr: '/-', to: entry }));
  const before = now ?? {};
  if (!isObject(before) || !isObject(next)) return null;
  const writes = listDifferences(before, next);
  const written = writes.reduce<Json>((value, { ptr, to }) => {
    const tokens = parsePointer(ptr);
    return to === undefined ? removeAt(value, tokens) : setAt(value, tokens, to);
  }, before);
  // The order of keys is part of what a builder shows: a renamed key keeps its place.
  const isInOrder = JSON.stringify(written) === JSON.stringify(next);
  return isInOrder && writes.length > 0 ? writes : null;
}

/**
 * Writes what a builder has made of an object or a list: its parts each by itself, so that those of a colleague stay, or all
 * of it where parts would not do. Refused as a whole when a colleague has changed what it replaces.
 */
export function guardedChange(place: FieldPlace, current: JsonObject, next: Json | undefined): BatchOp {
  const tokens = parsePointer(place.ptr);
  // The entry around a place in a list is guarded as a whole, which the first of several parts would change.
  const isSplit = !isWhole(place.entity) && findListEntry(current, tokens) === null;
  const writes = (isSplit ? splitChange(getAt(current, tokens), next) : null) ?? [{ ptr: '', to: next }];
  const ops = writes.map(({ ptr, to }) => guardedPart({ ...place, ptr: place.ptr + ptr }, current, to));
  return { type: 'batch', reason: 'other', mode: 'atomic', ops };
}
