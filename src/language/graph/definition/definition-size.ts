/**
 * Size limits of definitions and of pins in them, for every route and event that edits a draft. Stored drafts that exceed a
 * limit (they are older than it) may stay and shrink.
 */
import { readPins } from './pins.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

/** Bytes of a definition as JSON: the limit of a request body (SPEC SRV-body-limit). */
export const MAX_DEFINITION_BYTES = 4 * 1024 * 1024;
/** Bytes of the `mock` of a node, and of a pin, as JSON: the limit of one canvas operation. */
export const MAX_PIN_BYTES = 256 * 1024;

/** Bytes of a text in UTF-8; lone surrogates count as the three bytes of their replacement. */
export function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x800 || isSurrogate ? 1 : 2;
  }
  return bytes;
}

/** Bytes of a value as JSON. */
export const countJsonBytes = (value: Json): number => countBytes(JSON.stringify(value));

/** A part of a definition that is too large. */
interface SizeExcess {
  readonly code: 'definition_too_large' | 'pin_too_large';
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Finds the first part of a definition that is too large and has grown; null when there is none. @param before null: new */
export function findExcess(after: JsonObject, before: JsonObject | null): SizeExcess | null {
  const bytes = countJsonBytes(after);
  if (bytes > MAX_DEFINITION_BYTES && bytes > (before === null ? 0 : countJsonBytes(before))) {
    const message = `A definition has at most ${MAX_DEFINITION_BYTES} bytes as JSON; this one would have ${bytes}`;
    return { code: 'definition_too_large', path: [], message };
  }
  const pinsBefore = new Map(listNodes(before).map((node) => [ownValue(node, 'id'), ownValue(node, 'mock')]));
  for (const [index, node] of listNodes(after).entries()) {
    const pinBytes = findPinExcess(ownValue(node, 'mock'), pinsBefore.get(ownValue(node, 'id')));
    if (pinBytes === null) continue;
    return { code: 'pin_too_large', path: ['nodes', index, 'mock'], message: describePinExcess(pinBytes) };
  }
  const pin = findLargePin(ownValue(after, 'metadata'), ownValue(before ?? {}, 'metadata'));
  if (pin === null) return null;
  const path = ['metadata', 'canvas', 'pins', pin.nodeId];
  return { code: 'pin_too_large', path, message: describePinExcess(pin.bytes) };
}

/** Finds a pin in the metadata that is too large, and larger than before; null when there is none. */
export function findLargePin(
  after: Json | undefined,
  before: Json | undefined,
): { readonly nodeId: string; readonly bytes: number } | null {
  const pinsBefore = readPins(before);
  for (const [nodeId, pin] of Object.entries(readPins(after))) {
    const bytes = findPinExcess(pin, ownValue(pinsBefore, nodeId));
    if (bytes !== null) return { nodeId, bytes };
  }
  return null;
}

/** The message for a pin that is too large. */
export const describePinExcess = (bytes: number): string =>
  `A pin has at most ${MAX_PIN_BYTES} bytes as JSON; this one would have ${bytes}`;

/** The bytes of a pin that is too large and has grown; else null. */
export function findPinExcess(after: Json | undefined, before: Json | undefined): number | null {
  if (after === undefined || after === before) return null;
  const bytes = countJsonBytes(after);
  if (bytes <= MAX_PIN_BYTES) return null;
  return before !== undefined && bytes <= countJsonBytes(before) ? null : bytes;
}

export function listNodes(definition: JsonObject | null): readonly Json[] {
  const nodes = isObject(definition) ? ownValue(definition, 'nodes') : undefined;
  return Array.isArray(nodes) ? nodes : [];
}
