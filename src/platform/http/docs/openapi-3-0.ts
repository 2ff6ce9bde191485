/** Renders the OpenAPI 3.1 document as 3.0, for generators of clients that read no other. */
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { removeFormerNames } from './former-names.ts';
import { inlineAnyValues } from './inline-any-values.ts';
import { nameDiscriminators } from './name-discriminators.ts';
import { isNull, mapContents } from './schema-keywords.ts';

/** Keywords of 3.0 whose content is data, not schemas. */
const HOLDS_VALUES: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'mapping']);

/** Keywords of JSON Schema 2020-12 that 3.0 does not have and that only narrow: without them more is described as valid. */
const DROPPED: ReadonlySet<string> = new Set([
  'propertyNames',
  'unevaluatedProperties',
  'dependentRequired',
  'if',
  'then',
  'else',
  'contentSchema',
  'identifier',
  'webhooks',
]);

/** Says nullable, of a type or of an alternative. */
function renderNull(schema: JsonObject): JsonObject {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null'))
    return { type: type.find((each) => each !== 'null') ?? 'string', nullable: true, ...rest };
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema;
  const others = anyOf.filter((each) => !isNull(each)) as JsonObject[];
  const [only] = others;
  // `nullable` needs a type beside it, which several alternatives do not have: any value.
  if (only === undefined || others.length > 1 || only['anyOf'] !== undefined) return rest;
  return { ...only, ...rest, nullable: true };
}

/** Leaves the pattern of a nullable text out: the Go client of OpenAPI Generator matches it against its wrapper of null, and refuses all. */
function renderPattern(schema: JsonObject): JsonObject {
  const { pattern: _pattern, ...rest } = schema;
  return schema['nullable'] === true ? rest : schema;
}

const SIMPLE: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'number', 'boolean']);

/**
 * Leaves alternatives that generators cannot tell apart to any value: objects and lists without a discriminator, and rules beside
 * fields.
 */
function renderAlternatives(schema: JsonObject): JsonObject {
  const { anyOf, oneOf: _oneOf, ...rest } = schema;
  if (schema['properties'] !== undefined) return rest;
  if (!Array.isArray(anyOf)) return schema;
  const alternatives = anyOf as JsonObject[];
  if (alternatives.every(({ type }) => SIMPLE.has(type))) return schema;
  const areObjects = alternatives.every(({ $ref }) => $ref !== undefined);
  return areObjects ? { ...rest, type: 'object', additionalProperties: true } : rest;
}

/** Says a single value as an enumeration, and an exclusive bound as a flag. */
function renderKeywords(schema: JsonObject): JsonObject {
  const { const: value, exclusiveMinimum, examples, contentMediaType, ...rest } = schema;
  return {
    ...rest,
    ...(value === undefined ? {} : { type: schema['type'] ?? typeof value, enum: [value] }),
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(Array.isArray(examples) && examples[0] !== undefined ? { example: examples[0] } : {}),
    ...(contentMediaType === undefined ? {} : { type: 'string' }),
  };
}

/** Wraps a reference, beside which 3.0 reads nothing. */
function renderReference(schema: JsonObject, types: ReadonlyMap<string, Json>): JsonObject {
  const { $ref, description, nullable } = schema;
  if (typeof $ref !== 'string' || Object.keys(schema).length === 1) return schema;
  const type = types.get($ref);
  return {
    ...(description === undefined ? {} : { description }),
    ...(nullable === undefined || type === undefined ? {} : { type, nullable }),
    allOf: [{ $ref }],
  };
}

/** The types of the named schemas, by reference. A union is one of objects; without a type, null is valid as it is. */
const readTypes = (schemas: Readonly<Record<string, JsonObject>>): Map<string, Json> =>
  new Map(
    Object.entries(schemas).flatMap(([name, { type, oneOf }]): [string, Json][] => {
      const read = type ?? (oneOf === undefined ? undefined : 'object');
      return read === undefined ? [] : [[`#/components/schemas/${name}`, read]];
    }),
  );

/** Renders the document, without webhooks, former names and the keywords that 3.0 does not have. @returns a new document */
export function renderOpenApi30(document: JsonObject): JsonObject {
  const current = removeFormerNames(document);
  const { schemas } = current['components'] as { schemas: Record<string, JsonObject> };
  const types = readTypes(schemas);
  const render = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(render);
    if (!isObject(value)) return value;
    const schema = renderReference(
      renderKeywords(renderPattern(renderAlternatives(renderNull(value)))),
      types,
    );
    const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => !DROPPED.has(key)));
    return mapContents(kept, render, HOLDS_VALUES);
  };
  const rendered = render(current) as JsonObject;
  const components = rendered['components'] as { schemas: Record<string, JsonObject> };
  return inlineAnyValues({
    ...rendered,
    openapi: '3.0.3',
    components: { ...components, schemas: nameDiscriminators(components.schemas) },
  });
}
