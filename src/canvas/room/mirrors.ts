/** The fields of the metadata that columns of the workflow mirror: what they say, and what may be stored of them. */
import type { Json, JsonObject } from '../../graph/value.ts';
import type { Mirrors } from './ports.ts';

const isTextUpTo =
  (min: number, max: number) =>
  (value: Json): boolean =>
    typeof value === 'string' && value.length >= min && value.length <= max;

/** Bounds as the REST API has them (resources/workflows/schema.ts): both planes write the same columns. */
const BOUNDS: Readonly<Record<string, (value: Json) => boolean>> = {
  name: isTextUpTo(1, 255),
  description: isTextUpTo(0, 20_000),
  version: isTextUpTo(1, 64),
  tags: (value) => Array.isArray(value) && value.length <= 100 && value.every(isTextUpTo(1, 100)),
};

/** The mirrored fields that would not fit their columns; null counts as unsaid. */
export function unfitMirrors(metadata: JsonObject): string[] {
  return Object.entries(BOUNDS)
    .filter(([key, fits]) => {
      const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      return value !== undefined && value !== null && !fits(value);
    })
    .map(([key]) => key);
}

/** What a save writes into the mirrored columns; what the metadata does not say, or says badly, keeps its value. */
export function mirrorsOf(metadata: JsonObject): Mirrors {
  const unfit = unfitMirrors(metadata);
  const said = (key: string): Json | undefined =>
    Object.hasOwn(metadata, key) && !unfit.includes(key) ? metadata[key] : undefined;
  const [name, description, version, tags] = ['name', 'description', 'version', 'tags'].map(said);
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(Array.isArray(tags) ? { tags: tags.filter((tag) => typeof tag === 'string') } : {}),
  };
}
