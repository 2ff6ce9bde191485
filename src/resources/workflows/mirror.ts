/**
 * The definition's metadata and the columns that mirror it (SPEC API-definition: metadata "is the
 * source of truth for the mirrored top-level fields"). Metadata in a sent definition wins over a sent field; a field
 * sent alone is written into the metadata; what a sent metadata leaves out keeps its value.
 */
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';

export interface Mirrored {
  readonly name: string;
  readonly description: string | null;
  readonly version: string | null;
  readonly tags: readonly string[];
}

/** @returns null where the metadata says nothing about the field */
function said(metadata: JsonObject): Partial<Mirrored> {
  const { name, description, version, tags } = metadata;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(Array.isArray(tags) ? { tags: tags.filter((tag) => typeof tag === 'string') } : {}),
  };
}

/**
 * Brings definition and mirrored fields to the same words.
 * @param definition the one to be stored
 * @param fields the mirrored fields as this request leaves them
 * @param request `isSent`: the definition came with it, and its metadata wins; `changed`: the fields that it names
 */
export function mirror(
  definition: JsonObject,
  fields: Mirrored,
  { isSent, changed }: { readonly isSent: boolean; readonly changed: Partial<Mirrored> },
): { readonly definition: JsonObject; readonly fields: Mirrored } {
  const metadata = isObject(definition['metadata']) ? definition['metadata'] : {};
  const settled: Mirrored = isSent ? { ...fields, ...said(metadata) } : fields;
  const writes = Object.entries({ ...settled, tags: [...settled.tags] }).filter(([key]) =>
    isSent ? !(key in metadata) : key in changed,
  );
  if (writes.length === 0) return { definition, fields: settled };
  const written: Record<string, Json> = { ...metadata, ...Object.fromEntries(writes) };
  return { definition: { ...definition, metadata: written }, fields: settled };
}
