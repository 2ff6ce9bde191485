/** Rewrites "these fields and one of those objects" as one of several whole objects, for generators of clients. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

const PREFIX = '#/components/schemas/';

interface ExtendedUnion {
  readonly shared: string;
  readonly propertyName: string;
  readonly mapping: Readonly<Record<string, string>>;
}

/** Reads a schema that is an `allOf` of a named object and a union with a discriminator; null for any other. */
function readExtendedUnion({ allOf }: JsonObject): ExtendedUnion | null {
  const [shared, union] = Array.isArray(allOf) && allOf.length === 2 ? allOf : [];
  if (!isObject(shared) || !isObject(union) || typeof shared['$ref'] !== 'string') return null;
  const { discriminator } = union;
  if (!isObject(discriminator)) return null;
  const { propertyName, mapping } = discriminator;
  if (typeof propertyName !== 'string' || !isObject(mapping)) return null;
  return { shared: readName(shared['$ref']), propertyName, mapping: mapping as Record<string, string> };
}

const readName = (ref: string): string => ref.slice(PREFIX.length);

/** Removes those of the named schemas that no other refers to. */
function removeUnused(names: readonly string[], schemas: Record<string, JsonObject>): void {
  const text = JSON.stringify(schemas);
  for (const name of names) if (!text.includes(`"${PREFIX}${name}"`)) delete schemas[name];
}

const listRequired = ({ required }: JsonObject): readonly Json[] => (Array.isArray(required) ? required : []);

/** Merges an alternative with the shared fields, which win but for the discriminator. */
function mergeObjects(shared: JsonObject, alternative: JsonObject, key: string): JsonObject {
  const own = alternative['properties'] as JsonObject;
  return {
    type: 'object',
    properties: { ...own, ...(shared['properties'] as JsonObject), [key]: own[key] ?? {} },
    required: [...new Set([...listRequired(alternative), ...listRequired(shared)])],
  };
}

/**
 * Gives each alternative of such a schema all fields and a name: `AgentTool` is one of `HttpAgentTool`, `McpAgentTool` and so on.
 * Generators would merge the alternatives into one type, in which `kind` has no value.
 * @returns a new document
 */
export function flattenUnions(document: JsonObject): JsonObject {
  const components = document['components'] as JsonObject;
  const schemas = { ...(components['schemas'] as Record<string, JsonObject>) };
  for (const [name, schema] of Object.entries(schemas)) {
    const whole = readExtendedUnion(schema);
    if (whole === null) continue;
    const mapping = Object.entries(whole.mapping).map(([word, ref]): [string, string] => {
      const alternative = schemas[readName(ref)] ?? {};
      const title = `${word.charAt(0).toUpperCase()}${word.slice(1)}${name}`;
      schemas[title] = mergeObjects(schemas[whole.shared] ?? {}, alternative, whole.propertyName);
      return [word, `${PREFIX}${title}`];
    });
    schemas[name] = {
      oneOf: mapping.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: whole.propertyName, mapping: Object.fromEntries(mapping) },
    };
    removeUnused([whole.shared, ...Object.values(whole.mapping).map(readName)], schemas);
  }
  return { ...document, components: { ...components, schemas } };
}
