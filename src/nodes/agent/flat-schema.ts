/** Schemas of arguments as model providers take them: an object, without alternatives at its top. */
import { isObject, sameJson, setOwn } from '../../graph/value.ts';
import type { Json, JsonObject } from '../../graph/value.ts';

const objectsIn = (branches: Json | undefined): JsonObject[] =>
  Array.isArray(branches) ? branches.filter(isObject) : [];

const textsIn = (names: Json | undefined): string[] =>
  Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];

/** What any of the schemas says of its properties; where two differ, either will do. */
function propertiesOf(schemas: readonly JsonObject[]): JsonObject {
  const merged: JsonObject = {};
  for (const { properties } of schemas) {
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      const known = Object.hasOwn(merged, name) ? merged[name] : undefined;
      const isOther = known !== undefined && !sameJson(known, schema);
      setOwn(merged, name, isOther ? { anyOf: [known ?? null, schema] } : schema);
    }
  }
  return merged;
}

/**
 * The schema without `anyOf`, `oneOf` and `allOf` at its top, which OpenAI and Anthropic refuse there: what one of them
 * names may be given, and what all of them need has to be. It takes more than the schema does; the tool judges the rest.
 */
export function flattenSchema(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  if (anyOf === undefined && oneOf === undefined && allOf === undefined) return schema;
  const parts = objectsIn(allOf);
  const choices = [objectsIn(anyOf), objectsIn(oneOf)].filter((branches) => branches.length > 0);
  const branches = [...parts, ...choices.flat()];
  const neededByAll = choices.flatMap(([first, ...others]) =>
    textsIn(first?.['required']).filter((name) =>
      others.every((other) => textsIn(other['required']).includes(name)),
    ),
  );
  const required = [rest, ...parts].flatMap((part) => textsIn(part['required'])).concat(neededByAll);
  // A branch that names no properties may mean any.
  const isKnown = branches.every((branch) => isObject(branch['properties']));
  return {
    ...rest,
    ...(isKnown ? {} : { additionalProperties: rest['additionalProperties'] ?? true }),
    properties: propertiesOf([rest, ...branches]),
    required: [...new Set(required)],
  };
}
