/** The value of a field in a document, and the operation that writes it. */
import { findElement, type CanvasDocument } from '../../canvas/room/document.ts';
import { hashValue } from '../../canvas/room/document-measures.ts';
import type { DurableOp, SubOp } from '../../canvas/room/operations.ts';
import { formatPointer, parsePointer, getAt } from '../../graph/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import { FORMATS } from './formats.ts';
import type { DraftField } from './kept-drafts.ts';

/** The value of a field; undefined while its node is not there. */
export function readValue(
  document: CanvasDocument,
  { nodeId, ptr }: Pick<DraftField, 'nodeId' | 'ptr'>,
): { readonly value: Json | undefined } | undefined {
  const node = findElement(document.nodes, nodeId);
  return node === undefined ? undefined : { value: getAt(node, parsePointer(ptr)) };
}

/** The value of a field as its control shows it; undefined while its node is not there. */
export function readField(document: CanvasDocument, field: DraftField): Json | undefined {
  const read = readValue(document, field);
  return read === undefined ? undefined : FORMATS[field.format].show(read.value);
}

/** Writes a value where the node still is as this page sees it. A parent that is not there yet is written with it. */
export function guardedWrite(
  { nodeId, ptr }: DraftField,
  node: JsonObject,
  value: Json | undefined,
): DurableOp {
  const tokens = parsePointer(ptr);
  const above = tokens.slice(0, -1);
  const parent = getAt(node, above);
  const current = getAt(node, tokens);
  const hasParent = isObject(parent) || Array.isArray(parent);
  const write =
    value === undefined
      ? { unset: [ptr] }
      : { set: hasParent ? { [ptr]: value } : { [formatPointer(above)]: { [tokens.at(-1) ?? '']: value } } };
  const guard = current === undefined ? { ptr } : { ptr, hash: hashValue(current) };
  const part: SubOp = { type: 'node:update', nodeId, ...write, if: guard };
  return { type: 'batch', reason: 'other', ops: [part] };
}
