/** References in workflow files: each is a name that an environment resolves, or an id. */
import { listReferences, type ResourceReference } from '../../language/graph/template/references.ts';
import { ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';

/** A reference as it is written: `name` is a name or an id. */
export type WrittenReference = Omit<ResourceReference, 'id'> & { readonly name: string };

const readAt = (value: Json, path: ResourceReference['path']): Json | undefined =>
  path.reduce<Json | undefined>((at, key) => ownValue(at, key), value);

/** Lists the references of a definition; names keep their case. */
export const listWrittenReferences = (definition: JsonObject): WrittenReference[] =>
  listReferences(definition).map(({ id, ...rest }) => {
    const written = readAt(definition, rest.path);
    return { ...rest, name: typeof written === 'string' ? written : id };
  });

/** Copies a definition and replaces each reference. */
export function mapReferences(
  definition: JsonObject,
  replace: (reference: WrittenReference) => string,
): JsonObject {
  const copy = structuredClone(definition);
  for (const reference of listWrittenReferences(definition)) {
    const key = reference.path.at(-1);
    const parent = readAt(copy, reference.path.slice(0, -1));
    const next = replace(reference);
    if (next !== reference.name && key !== undefined && parent !== undefined)
      Object.assign(parent as object, { [key]: next });
  }
  return copy;
}
