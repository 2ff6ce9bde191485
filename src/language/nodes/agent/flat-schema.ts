/** Converts schemas of arguments to the form that model providers accept: an object without alternatives at the top level. */
import { isObject, sameJson, setOwn } from '../../graph/values/value.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';

const filterObjects = (branches: Json | undefined): JsonObject[] =>
  Array.isArray(branches) ? branches.filter(isObject) : [];

const filterTexts = (names: Json | undefined): string[] =>
  Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];

/** Merges the properties of several schemas; if two differ, either is accepted. */
function mergeProperties(schemas: readonly JsonObject[]): JsonObject {
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
 * Removes `anyOf`, `oneOf` and `allOf` at the top level, which OpenAI and Anthropic reject. The result accepts more than the
 * schema: the properties of every branch, and it requires those that all branches require. The tool checks the rest.
 */
export function flattenSchema(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  if (anyOf === undefined && oneOf === undefined && allOf === undefined) return schema;
  const parts = filterObjects(allOf);
  const choices = [filterObjects(anyOf), filterObjects(oneOf)].filter((branches) => branches.length > 0);
  const branches = [...parts, ...choices.flat()];
  const neededByAll = choices.flatMap(([first, ...others]) =>
    filterTexts(first?.['required']).filter((name) =>
      others.every((other) => filterTexts(other['required']).includes(name)),
    ),
  );
  const required = [rest, ...parts].flatMap((part) => filterTexts(part['required'])).concat(neededByAll);
  // A branch without properties accepts any property, so the result must, too.
  const isKnown = branches.every((branch) => isObject(branch['properties']));
  return {
    ...rest,
    ...(isKnown ? {} : { additionalProperties: rest['additionalProperties'] ?? true }),
    properties: mergeProperties([rest, ...branches]),
    required: [...new Set(required)],
  };
}
