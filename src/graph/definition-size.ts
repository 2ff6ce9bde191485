/**
 * How large a definition may become, and a pin in it: one bound for every door by which a draft grows. Stored ones above it, from
 * before it, may stay and shrink.
 */
import { isObject, ownValue, type Json, type JsonObject } from './value.ts';

/** Bytes of a definition as JSON. A body of the REST API holds as much (SPEC SRV-body-limit). */
export const MAX_DEFINITION_BYTES = 4 * 1024 * 1024;
/** Bytes of the `mock` of a node as JSON: as much as one operation of the canvas holds. */
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
export const jsonBytes = (value: Json): number => countBytes(JSON.stringify(value));

/** A place of a definition that is too large. */
export interface Excess {
  readonly code: 'definition_too_large' | 'pin_too_large';
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Finds the first place of a definition that is too large, and larger than before; null when there is none. */
export function findExcess(after: JsonObject, before: JsonObject | null): Excess | null {
  const bytes = jsonBytes(after);
  if (bytes > MAX_DEFINITION_BYTES && bytes > (before === null ? 0 : jsonBytes(before))) {
    const message = `A definition has at most ${MAX_DEFINITION_BYTES} bytes as JSON; this one would have ${bytes}`;
    return { code: 'definition_too_large', path: [], message };
  }
  const pinsBefore = new Map(listNodes(before).map((node) => [ownValue(node, 'id'), ownValue(node, 'mock')]));
  for (const [index, node] of listNodes(after).entries()) {
    const pinBytes = excessOfPin(ownValue(node, 'mock'), pinsBefore.get(ownValue(node, 'id')));
    if (pinBytes === null) continue;
    return { code: 'pin_too_large', path: ['nodes', index, 'mock'], message: pinMessage(pinBytes) };
  }
  return null;
}

/** Words for a pin of so many bytes. */
export const pinMessage = (bytes: number): string =>
  `A pin has at most ${MAX_PIN_BYTES} bytes as JSON; this one would have ${bytes}`;

/** The bytes of a pin that is too large, and larger than before; null when it is not. */
export function excessOfPin(after: Json | undefined, before: Json | undefined): number | null {
  if (after === undefined || after === before) return null;
  const bytes = jsonBytes(after);
  if (bytes <= MAX_PIN_BYTES) return null;
  return before !== undefined && bytes <= jsonBytes(before) ? null : bytes;
}

function listNodes(definition: JsonObject | null): readonly Json[] {
  const nodes = isObject(definition) ? ownValue(definition, 'nodes') : undefined;
  return Array.isArray(nodes) ? nodes : [];
}
