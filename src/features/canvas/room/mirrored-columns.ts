/** The metadata fields that the workflow's columns mirror, and their bounds. */
import { readMirroredMetadata } from '../../../language/graph/definition/mirrored-metadata.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { MirroredColumns } from './ports.ts';

const isTextUpTo =
  (min: number, max: number) =>
  (value: Json): boolean =>
    typeof value === 'string' && value.length >= min && value.length <= max;

/** Bounds of the REST API (workflows/schema.ts), which writes the same columns. */
const BOUNDS: Readonly<Record<string, (value: Json) => boolean>> = {
  name: isTextUpTo(1, 255),
  description: isTextUpTo(0, 20_000),
  version: isTextUpTo(1, 64),
  tags: (value) => Array.isArray(value) && value.length <= 100 && value.every(isTextUpTo(1, 100)),
};

/** Lists the metadata fields that do not fit their columns; null counts as missing. */
export function findInvalidColumns(metadata: JsonObject): string[] {
  return Object.entries(BOUNDS)
    .filter(([key, fits]) => {
      const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      return value !== undefined && value !== null && !fits(value);
    })
    .map(([key]) => key);
}

/** Returns the columns that a save writes. A missing or invalid field leaves its column unchanged. */
export function toMirroredColumns(metadata: JsonObject): MirroredColumns {
  const invalid = findInvalidColumns(metadata);
  return readMirroredMetadata(
    Object.fromEntries(Object.entries(metadata).filter(([key]) => !invalid.includes(key))),
  );
}
