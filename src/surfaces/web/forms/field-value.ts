/** The value of a field in a document, and the operation that writes it. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { hashValue } from '../../../features/canvas/room/document-measures.ts';
import type { BatchOp, SubOp } from '../../../features/canvas/room/operations.ts';
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { readEntity, writeEntity } from './entity.ts';
import { findListEntry } from './follow-place.ts';
import { FORMATS } from './formats.ts';
import type { DraftField } from './kept-drafts.ts';

/** The value of a field; undefined while its entity is not there. */
export function readValue(
  document: CanvasDocument,
  { entity, ptr }: Pick<DraftField, 'entity' | 'ptr'>,
): { readonly value: Json | undefined } | undefined {
  const current = readEntity(document, entity);
  return current === undefined ? undefined : { value: getAt(current, parsePointer(ptr)) };
}

/** The value of a field as its control shows it; undefined while its entity is not there. */
export function readField(document: CanvasDocument, field: DraftField): Json | undefined {
  const read = readValue(document, field);
  return read === undefined ? undefined : FORMATS[field.format].show(read.value);
}

/**
 * Writes a value on the condition that the field still has the value that this page sees; inside of a list, that its entry
 * has: another entry may stand at its index by then.
 */
export function guardedWrite(
  { entity, ptr }: Pick<DraftField, 'entity' | 'ptr'>,
  current: JsonObject,
  value: Json | undefined,
): BatchOp {
  // A part that is written as a whole is guarded as a whole: an edit beside this one must not be lost.
  const tokens = parsePointer(ptr);
  const isWhole = entity === 'workflow' || entity === 'state';
  const guarded = isWhole ? tokens.slice(0, 1) : (findListEntry(current, tokens) ?? tokens);
  const seen = getAt(current, guarded);
  const at = formatPointer(guarded);
  const guard = seen === undefined ? { ptr: at } : { ptr: at, hash: hashValue(seen) };
  const part: SubOp = writeEntity(entity, current, { ptr, value });
  const ops = [guarded.length === 0 ? part : { ...part, if: guard }];
  return { type: 'batch', reason: 'other', ops };
}
