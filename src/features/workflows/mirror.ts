/**
 * The definition's metadata and the columns that mirror it (SPEC API-definition: metadata "is the
 * source of truth for the mirrored top-level fields"). Metadata in a sent definition wins over a sent field; a field
 * sent alone is written into the metadata; what a sent metadata leaves out keeps its value.
 */
import { readMirroredMetadata } from '../../language/graph/definition/mirrored-metadata.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';

interface MirroredFields {
  readonly name: string;
  readonly description: string | null;
  readonly version: string | null;
  readonly tags: readonly string[];
}

/**
 * Makes the definition's metadata and the mirrored fields equal.
 * @param definition the one to be stored
 * @param fields the mirrored fields as this request leaves them
 * @param request `isSent`: it contains a definition, whose metadata wins; `changed`: the fields that it contains
 */
export function mirror(
  definition: JsonObject,
  fields: MirroredFields,
  { isSent, changed }: { readonly isSent: boolean; readonly changed: Partial<MirroredFields> },
): { readonly definition: JsonObject; readonly fields: MirroredFields } {
  const metadata = isObject(definition['metadata']) ? definition['metadata'] : {};
  const settled: MirroredFields = isSent ? { ...fields, ...readMirroredMetadata(metadata) } : fields;
  const writes = Object.entries({ ...settled, tags: [...settled.tags] }).filter(([key]) =>
    isSent ? !(key in metadata) : key in changed,
  );
  if (writes.length === 0) return { definition, fields: settled };
  const written: Record<string, Json> = { ...metadata, ...Object.fromEntries(writes) };
  return { definition: { ...definition, metadata: written }, fields: settled };
}
